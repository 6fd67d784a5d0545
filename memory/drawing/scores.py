"""Scores on a line from 0 to 1, and the floor that parts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memory.drawing.numbers import text

_WIDTH, _MARGIN, _BASE = 720.0, 16.0, 120.0
_RADIUS: Final = 4.5
_BIN: Final = 0.0125  # of the line: dots nearer than that are stacked
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
    below: int
    above: int
    is_floor_low: bool  # its label stands right of it then


def strip(scores: Sequence[Score], floor: float | None) -> Line:
    """A score on the floor is above it."""
    stacks: Counter[int] = Counter(int(one.value / _BIN) for one in scores)
    step = min(_STEP, _ROOM / max(stacks.values(), default=1))
    reached: Counter[int] = Counter()
    dots = []
    for one in sorted(scores, key=lambda score: score.value):
        place = int(one.value / _BIN)
        y = _BASE - 9 - reached[place] * step
        reached[place] += 1
        dots.append(Dot(text(_x(one.value)), text(y), one.label, one.state))
    below = 0 if floor is None else sum(one.value < floor for one in scores)
    return Line(
        width=text(_WIDTH),
        base=text(_BASE),
        left=text(_x(0)),
        right=text(_x(1)),
        radius=text(_RADIUS),
        dots=dots,
        ticks=[Tick(text(_x(tenth / 5)), text(tenth / 5)) for tenth in range(6)],
        floor=None if floor is None else text(_x(min(max(floor, 0.0), 1.0))),
        below=below,
        above=len(scores) - below,
        is_floor_low=floor is not None and floor < 0.5,
    )


def _x(value: float) -> float:
    return _MARGIN + min(max(value, 0.0), 1.0) * (_WIDTH - 2 * _MARGIN)
