"""Two people's changes to one text, brought together where they do not touch. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from kb.diffing import MAX_LINES


@dataclass(frozen=True, slots=True)
class _Change:
    """Lines ``start`` to ``end`` of the base become ``lines``."""

    start: int
    end: int
    lines: tuple[str, ...]


def merge(base: str, mine: str, theirs: str) -> str | None:
    """``base`` with both changes, line by line; None where they meet and somebody has to choose.

    Changes of neighbouring lines meet: what stands side by side is mostly about one thing.
    """
    lines = base.splitlines(keepends=True)
    sides = (mine.splitlines(keepends=True), theirs.splitlines(keepends=True))
    if max(len(lines), *map(len, sides)) > MAX_LINES:
        return None
    first, second = (_changes(lines, side) for side in sides)
    ordered = sorted({*first, *second}, key=lambda change: (change.start, change.end))
    if any(later.start <= earlier.end for earlier, later in pairwise(ordered)):
        return None
    merged: list[str] = []
    at = 0
    for change in ordered:
        merged += [*lines[at : change.start], *change.lines]
        at = change.end
    return "".join((*merged, *lines[at:]))


def _changes(base: Sequence[str], changed: Sequence[str]) -> list[_Change]:
    # With its heuristic for lines that are everywhere (blank ones): without it, minutes for a long page.
    matcher = SequenceMatcher(None, base, changed)
    return [
        _Change(i1, i2, tuple(changed[j1:j2]))
        for operation, i1, i2, j1, j2 in matcher.get_opcodes()
        if operation != "equal"
    ]
