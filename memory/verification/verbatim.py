"""Whether a claim only repeats what the page says, sentence for sentence. A row of a table may be said
with the names of its columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import regex

from memory.language.sentences import split_sentences
from memory.language.tables import labelled
from memory.language.unit_text import page_units
from memory.verification.places import Place
from memory.verification.spans import fold

_BULLET = regex.compile(r"(?:[-*•‣▪–—]|\(?\d{1,2}[.)]|\(?[a-z]\))\s+")
_STOPS = " \t\n.!?。！？।؟…"


def is_verbatim(claim: str, places: Sequence[Place]) -> bool:
    """Is the claim nothing but whole sentences, items or rows that its quotes hold?"""
    held = {unit for place in places for unit in _whole_units(place)}
    language = places[0].passage.language
    wanted = [claim[start:end] for start, end in split_sentences(claim, language)]
    return _flat(claim) in held or (
        bool(wanted) and all(_flat(sentence) in held for sentence in wanted)
    )


def _whole_units(place: Place) -> Iterator[str]:
    """The sentences of the passage that lie in the quote from end to end, in one spelling."""
    text = place.passage.text
    for unit in page_units(place.passage, 0):
        start, end = unit.start, unit.end
        if place.start <= start + _bullet(text, start) and end - _stops(text, end) <= place.end:
            yield _flat(unit.text)
            if unit.columns:
                yield _flat(labelled(unit.text, unit.columns))


def _flat(text: str) -> str:
    """As it reads: without the mark of a list, the stop, and what sets the cells of a row apart."""
    return fold(text[_bullet(text, 0) :].replace("·", " ")).text.strip(_STOPS)


def _bullet(text: str, start: int) -> int:
    match = _BULLET.match(text, start)
    return len(match.group()) if match else 0


def _stops(text: str, end: int) -> int:
    return end - len(text[:end].rstrip(_STOPS))
