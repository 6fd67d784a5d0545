"""What fits into a number of tokens. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Selection:
    """Places of what was taken, rising. ``is_over``: the first alone, although it does not fit."""

    taken: tuple[int, ...]
    is_over: bool = False


def select(lengths: Iterable[int], budget: int | None, *, most: int | None = None) -> Selection:
    """Take in order what fits: what is too long is passed over, and shorter ones behind it enter.

    Where nothing fits, the first is taken whole: an empty list would read as "there is no such
    memory". A budget of 0 takes nothing, None has no limit. ``most`` bounds the number.
    """
    if (budget is not None and budget <= 0) or (most is not None and most <= 0):
        return Selection(())
    taken: list[int] = []
    left, seen = budget, False
    for place, length in enumerate(lengths):
        seen = True
        if left is None or length <= left:
            taken.append(place)
            left = None if left is None else left - length
        if len(taken) == most:
            break
    if seen and not taken:
        return Selection((0,), is_over=True)
    return Selection(tuple(taken))
