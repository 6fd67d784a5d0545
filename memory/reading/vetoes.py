"""Sentences that cannot be the answer, whatever a net thinks of them. Pure.

A question that names an identifier (``WX-0054``) is about that one and no other: vectors and
n-grams hold neighbours for alike, a reader does not. A table's row of column names says nothing, nor
does a question. What somebody says of themselves does not answer a question about somebody else. What
costs, weighs or lasts is told by a sum, a mass, a time; what comes next is not over; so much a week is
not so much a month; when a shop opens is not when it closes. A sentence that only points elsewhere, or
repeats the question, tells nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np
import regex

from memory.language.folding import fold
from memory.language.tables import is_row
from memory.language.unit_text import Unit
from memory.language.units import TIME_NAMES
from memory.reading import rows
from memory.reading.novelty import tells_nothing
from memory.reading.opposites import tells_opposite
from memory.reading.pointers import is_pointer
from memory.reading.questions import Question
from memory.reading.value_kinds import asked_kind, holds
from memory.speaking import is_about_another, speaker_at
from memory.types import Passage
from memory.verification.dates import find_dates
from memory.verification.figures import FigureKind, figures, unit_words

# Letters of scripts that part words by spaces: elsewhere a year grows on to its neighbours (在2005年).
_LETTER = r"\p{Latin}\p{Cyrillic}\p{Greek}"
_IDENTIFIER = regex.compile(
    rf"(?<![{_LETTER}\d_-])(?=[{_LETTER}./-]*\d)[{_LETTER}][{_LETTER}\d_]*"
    rf"(?:[./-][{_LETTER}\d_]+)*(?![{_LETTER}_-])"
)
_NUMBER = regex.compile(r"\d+")
# Words for what is still to come, folded.
_NEXT = regex.compile(
    r"\b(?:next|upcoming|nachste[nrsm]?|kommende[nrsm]?|prochaine?s?|proxim[oa]s?|prossim[oaie]|volgende"
    r"|nastepn\w+|urmato\w+|следующ\w+|наступн\w+|επομεν\w+|sonraki|berikutnya|nasta|neste|næste"
    r"|sap toi|tiep theo)\b|القادم|التالي|अगल|下一|下次|次の|다음|ถัดไป|ครั้งหน้า"
)


def identifiers(text: str) -> tuple[str, ...]:
    """Names made of letters and digits, folded: ``WX-0054``, ``SEV-2``; not ``9am`` or ``2025``."""
    return tuple(dict.fromkeys(match.group().casefold() for match in _IDENTIFIER.finditer(text)))


def vetoed(
    question: Question,
    units: Sequence[Unit],
    passages: Sequence[Passage],
    *,
    own: np.ndarray,
    today: date | None = None,
) -> np.ndarray:
    """Per unit, whether it cannot be the answer: bool (units,).

    ``own`` (units, terms): how strongly a unit itself holds each word of the question, 0-1.
    """
    numbers = frozenset(_NUMBER.findall(question.text))
    titles = {fold(passage.doc_title) for passage in passages}
    kind = asked_kind(question.text)
    per = periods(question.text)
    since = today if _NEXT.search(fold(question.text)) else None

    def cannot(unit: Unit, passage: Passage) -> bool:
        if since is not None and is_over(unit.text, since):
            return True
        if is_row(unit.text):
            return is_header_row(unit, passage)
        return (
            is_question(unit.text)
            or repeats_a_number(unit.text, numbers)
            or is_about_another(unit.text, _speaker(unit, passage), question.names)
            or is_pointer(unit.text, titles, question)
            or (kind is not None and not holds(kind, unit.text))
            or tells_opposite(question, unit.text)
            or is_of_another_period(per, unit.text)
            or tells_nothing(
                question,
                unit.text,
                language=passage.language,
                speaker=_speaker(unit, passage),
            )
        )

    found = np.array([cannot(unit, passages[unit.passage]) for unit in units], bool)
    found |= rows.silent(question, units, passages, own)
    for identifier in identifiers(question.text):
        held = np.array(
            [identifier in identifiers(f"{unit.context} {unit.text}") for unit in units], bool
        )
        if held.any():
            found |= ~held
    return found


def is_over(text: str, today: date) -> bool:
    """It names days with their years, and all of them are past."""
    days = [day for _, readings in find_dates(text) for day in readings if all(day)]
    return bool(days) and all(day < (today.year, today.month, today.day) for day in days)


def is_of_another_period(asked: frozenset[str], text: str) -> bool:
    """It tells so much per week, where the question wants to know it per month."""
    told = periods(text) if asked else frozenset()
    return bool(told) and asked.isdisjoint(told | unit_words(text))


def periods(text: str) -> frozenset[str]:
    """Canonical names of the periods that figures are told for: "per week", "in a month"."""
    found = figures(text) if not unit_words(text).isdisjoint(TIME_NAMES) else ()
    return frozenset(figure.unit for figure in found if figure.kind is FigureKind.PERIOD)


def is_question(text: str) -> bool:
    return text.rstrip().endswith(("?", "？", "؟"))


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
    if is_row(text) or regex.search(r"\p{L}{4,}", text):
        return False
    return bool(asked & frozenset(_NUMBER.findall(text)))


def _speaker(unit: Unit, passage: Passage) -> str:
    return passage.speaker or speaker_at(passage.text, unit.start)


def is_header_row(unit: Unit, passage: Passage) -> bool:
    """The first of several rows, without a figure: the names of the columns."""
    if not is_row(unit.text) or any(character.isdigit() for character in unit.text):
        return False
    line_above = passage.text[: unit.start].rstrip("\n").rpartition("\n")[2]
    line_below = passage.text[unit.end :].lstrip("\n").partition("\n")[0]
    return not is_row(line_above) and is_row(line_below)
