"""How ranks moved from stage to stage: one line for each that ran, one column for each stage.

A column holds those that are drawn alone, in order; the number in a dot is the rank among all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from memory.drawing import lettering
from memory.drawing.graphs import Words
from memory.drawing.numbers import text

_COLUMN, _STEP, _HEAD, _LABEL = 86.0, 30.0, 52.0, 420.0
_LETTER: Final = 12.0
_RADIUS: Final = 11.0


@dataclass(frozen=True, slots=True)
class Runner:
    """``state`` is a word for the style sheet. Runners come in the order of their labels."""

    key: str
    label: str
    state: str


@dataclass(frozen=True, slots=True)
class Stage:
    """``ranks`` from 1; who is missing there was not found or has been left out. ``under`` stands
    below the name."""

    name: str
    ranks: Mapping[str, int]
    under: str = ""


@dataclass(frozen=True, slots=True)
class Dot:
    x: str
    y: str
    rank: int
    stage: str


@dataclass(frozen=True, slots=True)
class Run:
    """``solid`` and ``leaps`` are SVG paths: between neighbouring stages, and over one or more in
    which the runner is missing. ``tail`` leads from the last dot to the label."""

    runner: Runner
    dots: Sequence[Dot]
    solid: str
    leaps: str
    tail: str
    label: Words
    is_right_to_left: bool


@dataclass(frozen=True, slots=True)
class Ranks:
    width: str
    height: str
    radius: str
    heads: Sequence[Words]
    unders: Sequence[Words]
    runs: Sequence[Run]


def bumps(runners: Sequence[Runner], stages: Sequence[Stage]) -> Ranks:
    height = _HEAD + max(len(runners), 1) * _STEP
    rows = [_rows(stage, runners) for stage in stages]
    return Ranks(
        width=text(len(stages) * _COLUMN + _LABEL),
        height=text(height),
        radius=text(_RADIUS),
        heads=[Words(text(_x(n)), text(18), stage.name) for n, stage in enumerate(stages)],
        unders=[Words(text(_x(n)), text(34), stage.under) for n, stage in enumerate(stages)],
        runs=[_run(one, row, stages, rows) for row, one in enumerate(runners)],
    )


def _rows(stage: Stage, runners: Sequence[Runner]) -> dict[str, int]:
    """The place of each runner in the column. Equal ranks, of different levels, keep their order."""
    there = [one.key for one in runners if one.key in stage.ranks]
    return {key: row for row, key in enumerate(sorted(there, key=lambda key: stage.ranks[key]))}


def _run(
    runner: Runner, row: int, stages: Sequence[Stage], rows: Sequence[Mapping[str, int]]
) -> Run:
    passed = [number for number, column in enumerate(rows) if runner.key in column]
    points = {number: (_x(number), _y(rows[number][runner.key])) for number in passed}
    solid, leaps = "", ""
    for before, after in pairwise(passed):
        piece = _piece(points[before], points[after])
        if after == before + 1:
            solid += piece
        else:
            leaps += piece
    label_x, label_y = len(stages) * _COLUMN + 8, _y(row)
    tail = _piece(points[passed[-1]], (label_x - 6, label_y)) if passed else ""
    words = lettering.shorten(runner.label, ems=(_LABEL - 12) / _LETTER)
    return Run(
        runner=runner,
        dots=[
            Dot(text(x), text(y), stages[number].ranks[runner.key], stages[number].name)
            for number, (x, y) in points.items()
        ],
        solid=solid,
        leaps=leaps,
        tail=tail,
        label=Words(text(label_x), text(label_y + 4), words),
        is_right_to_left=lettering.is_right_to_left(words),
    )


def _x(stage: int) -> float:
    return stage * _COLUMN + _COLUMN / 2


def _y(row: int) -> float:
    return _HEAD + row * _STEP + _STEP / 2


def _piece(start: tuple[float, float], end: tuple[float, float]) -> str:
    (x1, y1), (x2, y2) = start, end
    bend = (x2 - x1) / 2
    return (
        f"M{text(x1)},{text(y1)} C{text(x1 + bend)},{text(y1)} "
        f"{text(x2 - bend)},{text(y2)} {text(x2)},{text(y2)} "
    )
