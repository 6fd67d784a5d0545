"""Scores on a line from 0 to 1, or to where they end, and the floor that parts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memory.drawing.numbers import text

_WIDTH, _MARGIN, _BASE = 720.0, 16.0, 120.0
_RADIUS: Final = 4.5
_BIN: Final = 0.0125  # of the line: dots nearer than that are stacked
_TOPS: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
_ROOM: Final = 80.0  # for a stack
_STEP: Final = 10.0


@dataclass(frozen=True, slots=True)
class Score:
    value: float  # 0-1
    label: str
    state: str


@dataclass(frozen=True, slots=True)
class Dot:
    x: str
    y: str
    label: str
    state: str


@dataclass(frozen=True, slots=True)
class Tick:
    x: str
    label: str


@dataclass(frozen=True, slots=True)
class Line:
    """``floor`` is the x of the cut; ``below`` and ``above`` how many lie on each side."""

    width: str
    base: str
    left: str
    right: str
    radius: str
    dots: Sequence[Dot]
    ticks: Sequence[Tick]
    floor: str | None
    cut_width: str
    below: int
    above: int
    is_floor_low: bool  # its label stands right of it then


def strip(scores: Sequence[Score], floor: float | None) -> Line:
    """A score on the floor is above it."""
    top = _top([one.value for one in scores] + ([] if floor is None else [floor]))
    stacks: Counter[int] = Counter(_bin(one.value, top) for one in scores)
    step = min(_STEP, _ROOM / max(stacks.values(), default=1))
    reached: Counter[int] = Counter()
    dots = []
    for one in sorted(scores, key=lambda score: score.value):
        place = _bin(one.value, top)
        y = _BASE - 9 - reached[place] * step
        reached[place] += 1
        dots.append(Dot(text(_x(one.value / top)), text(y), one.label, one.state))
    below = 0 if floor is None else sum(one.value < floor for one in scores)
    return Line(
        width=text(_WIDTH),
        base=text(_BASE),
        left=text(_x(0)),
        right=text(_x(1)),
        radius=text(_RADIUS),
        dots=dots,
        ticks=[Tick(text(_x(part / 5)), f"{top * part / 5:g}") for part in range(6)],
        floor=None if floor is None else text(_x(floor / top)),
        cut_width="0" if floor is None else text(_x(floor / top) - _x(0)),
        below=below,
        above=len(scores) - below,
        is_floor_low=floor is not None and floor < top / 2,
    )


def _top(values: Sequence[float]) -> float:
    """The right end: low scores would all lie on one heap otherwise."""
    most = max(values, default=1.0)
    return next((top for top in _TOPS if most <= top), 1.0)


def _bin(value: float, top: float) -> int:
    return int(value / top / _BIN)


def _x(share: float) -> float:
    return _MARGIN + min(max(share, 0.0), 1.0) * (_WIDTH - 2 * _MARGIN)
