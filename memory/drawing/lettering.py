"""Text in a drawing: SVG breaks no lines, so they are broken here, by how wide letters tend to be."""

from __future__ import annotations

import unicodedata
from typing import Final

_NARROW: Final = frozenset("iljtfrI.,:;'|!()[]{}/\\ ")
_BROAD: Final = frozenset("mwMW@%—…")
_WIDE: Final = ("W", "F")
_ELLIPSIS: Final = "…"


def width(text: str) -> float:
    """In ems of a common sans serif; a little too wide rather than too narrow."""
    return sum(map(_width, text))


def _width(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if character in _NARROW:
        return 0.3
    if character in _BROAD:
        return 0.9
    if unicodedata.east_asian_width(character) in _WIDE:
        return 1.05
    return 0.68 if character.isupper() else 0.55


def wrap(text: str, *, ems: float, most: int) -> tuple[str, ...]:
    """``text`` in at most ``most`` lines of ``ems``; what does not fit ends in an ellipsis."""
    lines: list[str] = []
    rest = " ".join(text.split())
    while rest and len(lines) < most:
        line = _first_line(rest, ems)
        lines.append(line.rstrip())
        rest = rest[len(line) :].lstrip()
    if rest:
        lines[-1] = _shortened(lines[-1], ems)
    return tuple(lines)


def shorten(text: str, *, ems: float) -> str:
    """One line."""
    return "".join(wrap(text, ems=ems, most=1))


def _first_line(text: str, ems: float) -> str:
    """Up to the last gap that fits; a word without gaps is broken where it must be."""
    reached, gap = 0.0, 0
    for place, character in enumerate(text):
        reached += _width(character)
        if reached > ems:
            return text[: gap or max(place, 1)]
        if character == " " or unicodedata.east_asian_width(character) in _WIDE:
            gap = place + 1
    return text


def _shortened(line: str, ems: float) -> str:
    while line and width(line) + _width(_ELLIPSIS) > ems:
        line = line[:-1]
    return line.rstrip(" ,;:.–-") + _ELLIPSIS


def is_right_to_left(text: str) -> bool:
    """By the first letter that has a direction."""
    for character in text:
        direction = unicodedata.bidirectional(character)
        if direction in ("R", "AL"):
            return True
        if direction == "L":
            return False
    return False
