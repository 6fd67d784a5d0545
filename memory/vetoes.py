"""Sentences that cannot be the answer, whatever a net thinks of them. Pure.

A question that names an identifier (``WX-0054``) is about that one and no other: vectors and
n-grams hold neighbours for alike, a reader does not. A table's row of column names says nothing. What
somebody says of themselves does not answer a question about somebody else.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import regex

from memory.language.unit_text import Unit
from memory.speaking import is_about_another, speaker_at
from memory.types import Passage

# Letters of scripts that part words by spaces: elsewhere a year grows on to its neighbours (在2005年).
_LETTER = r"\p{Latin}\p{Cyrillic}\p{Greek}"
_IDENTIFIER = regex.compile(
    rf"(?<![{_LETTER}\d_-])(?=[{_LETTER}./-]*\d)[{_LETTER}][{_LETTER}\d_]*"
    rf"(?:[./-][{_LETTER}\d_]+)*(?![{_LETTER}_-])"
)
_NUMBER = regex.compile(r"\d+")
_ROW = "\t"


def identifiers(text: str) -> tuple[str, ...]:
    """Names made of letters and digits, folded: ``WX-0054``, ``SEV-2``; not ``9am`` or ``2025``."""
    return tuple(dict.fromkeys(match.group().casefold() for match in _IDENTIFIER.finditer(text)))


def vetoed(
    question: str,
    units: Sequence[Unit],
    passages: Sequence[Passage],
    *,
    names: Sequence[str] = (),
) -> np.ndarray:
    """Per unit, whether it cannot be the answer: bool (units,). ``names`` are the question's."""
    numbers = frozenset(_NUMBER.findall(question))
    found = np.array(
        [
            is_header_row(unit, passages[unit.passage])
            or repeats_a_number(unit.text, numbers)
            or is_about_another(unit.text, _speaker(unit, passages[unit.passage]), names)
            for unit in units
        ],
        bool,
    )
    for identifier in identifiers(question):
        held = np.array(
            [identifier in identifiers(f"{unit.context} {unit.text}") for unit in units], bool
        )
        if held.any():
            found |= ~held
    return found


def unknown_identifiers(question: str, passages: Sequence[Passage]) -> tuple[str, ...]:
    """Identifiers of the question that stand nowhere in what was read."""
    asked = identifiers(question)
    if not asked:
        return ()
    there = {
        identifier
        for passage in passages
        for identifier in identifiers(
            " ".join((passage.doc_title, *passage.heading_path, passage.header, passage.text))
        )
    }
    return tuple(identifier for identifier in asked if identifier not in there)


def repeats_a_number(text: str, asked: frozenset[str]) -> bool:
    """Nothing but numbers, and one of them is the question's own: the label of a link, say."""
    if _ROW in text or regex.search(r"\p{L}{4,}", text):
        return False
    return bool(asked & frozenset(_NUMBER.findall(text)))


def _speaker(unit: Unit, passage: Passage) -> str:
    return passage.speaker or speaker_at(passage.text, unit.start)


def is_header_row(unit: Unit, passage: Passage) -> bool:
    """The first of several rows, without a figure: the names of the columns."""
    if _ROW not in unit.text or any(character.isdigit() for character in unit.text):
        return False
    line_above = passage.text[: unit.start].rstrip("\n").rpartition("\n")[2]
    line_below = passage.text[unit.end :].lstrip("\n").partition("\n")[0]
    return _ROW not in line_above and _ROW in line_below
