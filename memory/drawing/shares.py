"""Parts of a whole as one bar, 100 wide, that is stretched to its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.drawing.numbers import text


@dataclass(frozen=True, slots=True)
class Share:
    name: str
    value: float
    start: str
    width: str
    percent: int
    number: int  # from 1; its colour


def shares(values: Sequence[tuple[str, float]]) -> list[Share]:
    """In order. Nothing, where all is nothing."""
    whole = sum(value for _, value in values)
    if whole <= 0:
        return []
    found, reached = [], 0.0
    for number, (name, value) in enumerate(values, start=1):
        width = 100 * value / whole
        found.append(Share(name, value, text(reached), text(width), round(width), number))
        reached += width
    return found
