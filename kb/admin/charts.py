"""Geometry of the overview's drawings. Numbers leave here as text: a drawing has no decimal comma.

Drawings are stretched to their place, so they hold shapes alone; words stand beside them in HTML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

HEIGHT = 100.0
_STEP, _WIDTH = 10.0, 7.5  # of a column and its gap, and of the column


@dataclass(frozen=True, slots=True)
class Segment:
    kind: str
    y: str
    height: str


@dataclass(frozen=True, slots=True)
class Column:
    x: str
    segments: Sequence[Segment]


@dataclass(frozen=True, slots=True)
class Columns:
    """Stacked columns; ``top`` is the value at the upper edge."""

    width: str
    column_width: str
    step: str
    top: int
    columns: Sequence[Column]


@dataclass(frozen=True, slots=True)
class Line:
    """Runs of points without a gap, as SVG's ``points``; a lone point is a run of two equal ones."""

    runs: Sequence[str]


def stacked(values: Sequence[Mapping[str, int]], order: Sequence[str]) -> Columns:
    """One column for each mapping; the first of ``order`` lies at the bottom."""
    top = round_up(max((sum(one.values()) for one in values), default=0))
    columns = []
    for number, one in enumerate(values):
        reached, segments = 0.0, []
        for kind in order:
            height = HEIGHT * one.get(kind, 0) / top
            if height:
                reached += height
                segments.append(Segment(kind, text(HEIGHT - reached), text(height)))
        columns.append(Column(text(number * _STEP + (_STEP - _WIDTH) / 2), segments))
    return Columns(text(len(values) * _STEP), text(_WIDTH), text(_STEP), top, columns)


def line(values: Sequence[float | None], top: float) -> Line:
    """Drawn over the same width as ``stacked``; None is a gap."""
    runs: list[str] = []
    run: list[str] = []
    for number, value in enumerate([*values, None]):
        if value is not None:
            x, y = number * _STEP + _STEP / 2, HEIGHT * (1 - min(value / top, 1.0))
            run.append(f"{text(x)},{text(y)}")
        elif run:
            runs.append(" ".join(run if len(run) > 1 else run * 2))
            run = []
    return Line(runs)


def round_up(value: float) -> int:
    """The next of 1, 2, 5, 10, 20, 50 …: what an axis can be labelled with."""
    scale = 1
    while True:
        for step in (1, 2, 5):
            if value <= step * scale:
                return step * scale
        scale *= 10


def percent(part: float, whole: float) -> str:
    """A width between 0 and 100, as text."""
    return text(100 * min(part / whole, 1.0)) if whole else "0"


def text(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
