"""Which words of a question are in a sentence, above it and before it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from memory.language.terms import terms
from memory.language.unit_text import Unit
from memory.reading.lexical import Matches, match
from memory.reading.patterns import ANAPHORA
from memory.reading.questions import Question
from memory.types import Passage

# Less than this share of the question's words, weighed by how rare they are, is none.
SHARED_WORDS = 0.01
# More than this share of a question's words stand in pages of its language, word for word.
MOSTLY = 0.5


def matches(
    asked: Question, units: Sequence[Unit], passages: Sequence[Passage]
) -> tuple[Matches, Matches]:
    """The question against the units alone, and against the units with what stands above them."""
    above = list(dict.fromkeys((unit.passage, unit.context) for unit in units))
    at = {key: len(units) + index for index, key in enumerate(above)}
    texts = [
        *(terms(unit.text, passages[unit.passage].language) for unit in units),
        *(terms(text, passages[index].language) for index, text in above),
    ]
    found = match(asked.terms, texts, corpus=len(units))
    own = Matches(found.strength[: len(units)], found.idf, found.lengths[: len(units)])
    rows = [at[unit.passage, unit.context] for unit in units]
    return own, Matches(np.maximum(own.strength, found.strength[rows]), own.idf, own.lengths)


def wordless(
    question: Question, context: Matches, previous: np.ndarray, passages: Sequence[Passage]
) -> np.ndarray:
    """Per unit, whether it shares no word with the question, nor does what stands above and before it.
    Words of two languages are not compared."""
    if is_foreign(question, passages):
        return np.zeros(len(previous), bool)
    held = _with_previous(context.strength, previous) @ context.idf
    return np.asarray(held < SHARED_WORDS * context.idf.sum(), bool)


def is_foreign(question: Question, passages: Sequence[Passage]) -> bool:
    return question.language not in ("", passages[0].language[:2])


def in_language_of(passages: Sequence[Passage], question: Question, context: Matches) -> Question:
    """A few words do not tell their language ("Parking fee per year?"): where most of them stand in the
    pages, it is that of the pages."""
    there = context.strength.max(axis=0, initial=0.0) == 1
    if is_foreign(question, passages) and there.sum() > 1 and there.mean() > MOSTLY:
        return replace(question, language=passages[0].language[:2])
    return question


def spoken_of(context: Matches, previous: np.ndarray, units: Sequence[Unit]) -> np.ndarray:
    """Per unit the share of the question's words, weighed by how rare they are, that it is about: 0-1.

    One that refers back ("It is owned by …") is about what the one before it names.
    """
    refers = np.array([refers_back(unit.text) for unit in units])
    both = _with_previous(context.strength, previous)
    strength = np.where(refers[:, None], both, context.strength)
    return Matches(strength, context.idf, context.lengths).coverage()


def refers_back(text: str) -> bool:
    return ANAPHORA.match(text) is not None


def previous_units(units: Sequence[Unit], passages: Sequence[Passage]) -> np.ndarray:
    """Per unit the row of the one before it in the document, -1 where that was not read."""
    last = {unit.passage: row for row, unit in enumerate(units)}
    rows = []
    for row, unit in enumerate(units):
        if row and units[row - 1].passage == unit.passage:
            rows.append(row - 1)
        else:
            here = passages[unit.passage]
            before = (last[at] for at in last if here.follows(passages[at]))
            rows.append(next(before, -1))
    return np.array(rows)


def _with_previous(strength: np.ndarray, previous: np.ndarray) -> np.ndarray:
    """Per unit the words that it or the one before it holds."""
    before = np.where((previous >= 0)[:, None], strength[previous], 0)
    return np.maximum(strength, before)
