"""Whether a row of a table can answer: it is about what was asked, and tells what was asked of it. Pure.

    the words of a question   its own cells hold            its subject: at least one
                              names                         all, here or above the table
                              the rest, if there is any     one, in what says what its cells mean:
                                                            other columns' names, headings, the
                                                            sentences before the table

``Lisbon | 58 | 140`` under ``City | Per diem | Hotel limit`` tells nothing of a taxi in Lisbon, nor of
the per diem in Madrid, however near its vector is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from memory.language.tables import cells, is_row
from memory.language.terms import terms
from memory.language.unit_text import Unit
from memory.reading.lexical import SIMILAR, match
from memory.reading.questions import Question
from memory.reading.value_kinds import ValueKind, asked_kind, holds
from memory.types import Passage

# A row that holds more than this share of the question's words is what was asked for, whatever its
# columns are called; where it says one thing of its key alone, less will do.
KEY_SHARE, KEY_SHARE_OF_ONE = 0.5, 0.4


@dataclass(frozen=True, slots=True)
class _Row:
    at: int  # of its unit
    text: str
    cells: tuple[str, ...]
    names: tuple[str, ...]  # of the columns
    above: str  # headings and the sentences before the table
    title: str


def silent(
    question: Question, units: Sequence[Unit], passages: Sequence[Passage], own: np.ndarray
) -> np.ndarray:
    """Per unit, whether it is a row that does not answer: bool (units,).

    ``own`` (units, terms): how strongly a unit itself holds each word of the question, 0-1.
    """
    off = np.zeros(len(units), bool)
    kind = asked_kind(question.text)
    for row in _rows(units, passages):
        subject = own[row.at] >= SIMILAR
        language = passages[units[row.at].passage].language
        off[row.at] = not subject.any() or not _tells(question, row, subject, kind, language)
    return off


def _tells(
    question: Question,
    row: _Row,
    subject: np.ndarray,
    kind: ValueKind | None,
    language: str,
) -> bool:
    """``subject``: which words of the question the row itself holds."""
    names = row.names if len(row.names) == len(row.cells) else ()
    texts = (*row.cells, *names, row.above, row.title)
    held = match(question.terms, [terms(text, language) for text in texts]).strength >= SIMILAR
    of_cells, of_names, of_rest = np.split(held, (len(row.cells), len(row.cells) + len(names)))
    if not _is_of(question, np.asarray(held.any(axis=0))):
        return False
    if question.language not in ("", language[:2]):
        return True  # words of two languages are not compared
    if kind is not None:
        named = zip(names or [""] * len(row.cells), row.cells, strict=True)
        above = row.above if kind is ValueKind.MONEY else ""  # "All amounts are in euros."
        return any(holds(kind, cell, f"{name} {above}") for name, cell in named)
    numbers = [at for number in question.numbers for at in question.places(number)]
    asked = np.ones(len(subject), bool)
    asked[numbers] = False
    share = subject[asked].mean() if asked.any() else 1.0
    if share > KEY_SHARE or (_has_one_value(row, names) and share >= KEY_SHARE_OF_ONE):
        return True
    # The name of the column that holds the subject says no more than the subject.
    other = of_names[~of_cells[:, subject].any(axis=1)] if names else of_names
    return bool((asked & ~subject & np.concatenate((other, of_rest)).any(axis=0)).any())


def _has_one_value(row: _Row, names: Sequence[str]) -> bool:
    """A key and a value, or one value for each of several years."""
    return len(row.cells) == 2 or not any(letter.isalpha() for name in names[1:] for letter in name)


def _is_of(question: Question, held: np.ndarray) -> bool:
    """Whether anybody whom the question names is meant."""
    places = [found for name in question.names if (found := question.places(name))]
    return not places or any(held[found].any() for found in places)


def _rows(units: Sequence[Unit], passages: Sequence[Passage]) -> Iterator[_Row]:
    """Every row but those that name columns."""
    before: list[str] = []  # the sentences since the last heading or table
    was_row = False
    for at, unit in enumerate(units):
        passage = passages[unit.passage]
        if at and unit.passage != units[at - 1].passage:
            is_next = passage.follows(passages[unit.passage - 1])
            before = before if is_next else []
            was_row = was_row and is_next
        if not is_row(unit.text):
            before = [] if unit.is_label or was_row else before
            before.append(unit.text)
        elif not unit.is_label:
            yield _Row(
                at,
                unit.text,
                tuple(cells(unit.text)),
                unit.columns,
                " ".join((*passage.heading_path, unit.label, *before)),
                passage.doc_title,
            )
        was_row = is_row(unit.text)
