"""Whether a date that leaves its year open, or a weekday, lies behind the anchor or ahead of it.

What is found first is the latest that has begun. A clause that speaks of a plan means the next one,
and a clause in the present the nearest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from memory.dates.periods import Cycle, Period
from memory.dates.ranges import Named
from memory.dates.tokens import Kind, Token
from memory.dates.vocabulary import DEADLINE

_BOUNDS: Final = frozenset({Kind.CLAUSE, Kind.AND})
_CUES: Final = frozenset({Kind.WILL, Kind.PLAN, Kind.PRESENT, Kind.HELD, Kind.NEXT})


def settled(
    named: Sequence[Named], tokens: Sequence[Token], anchor: date, *, present: bool
) -> list[Named]:
    """``present`` is False for questions: those in the present ask for what is known."""
    taken = {place for each in named for place in range(each.start, each.start + each.length)}
    return [_settled(each, tokens, taken, anchor, present=present) for each in named]


def _settled(
    named: Named, tokens: Sequence[Token], taken: set[int], anchor: date, *, present: bool
) -> Named:
    period = named.period
    if period.cycle is Cycle.NONE or named.is_open or period.end >= anchor:
        return named
    tense = _tense(named, tokens, taken)
    if tense in (Kind.HELD, "") or (tense == Kind.PRESENT and not present):
        return named
    try:
        later = period.next_one()
    except (ValueError, OverflowError):  # the calendar's last year
        return named
    if tense == Kind.PRESENT and not _is_nearer(later, period, anchor):
        return named
    return replace(named, period=later, is_told_ahead=True)


def _is_nearer(later: Period, earlier: Period, anchor: date) -> bool:
    return later.start - anchor < anchor - earlier.end


def _tense(named: Named, tokens: Sequence[Token], taken: set[int]) -> str:
    """The kind of the cue that counts, "" without one.

    The nearest cue of the clause decides, but what "was planned" is over.
    """
    cues = {
        place: tokens[place].kind
        for place in _clause(named, tokens, taken)
        if place not in taken and tokens[place].kind in _CUES
    }
    end = named.start + named.length
    nearest = min(cues, key=lambda place: max(named.start - place, place - end + 1), default=None)
    if nearest is None or (cues[nearest] == Kind.PRESENT and Kind.HELD not in cues.values()):
        found = Kind.PRESENT if nearest is not None or _is_deadline(named, tokens) else ""
    else:
        found = cues[nearest]
    if found in (Kind.PLAN, Kind.NEXT):
        return Kind.HELD if Kind.HELD in cues.values() else Kind.PLAN
    return found


def _clause(named: Named, tokens: Sequence[Token], taken: set[int]) -> range:
    start, end = named.start, named.start + named.length
    while start > 0 and not _bounds(start - 1, tokens, taken):
        start -= 1
    while end < len(tokens) and not _bounds(end, tokens, taken):
        end += 1
    return range(start, end)


def _bounds(place: int, tokens: Sequence[Token], taken: set[int]) -> bool:
    return place not in taken and tokens[place].kind in _BOUNDS


def _is_deadline(named: Named, tokens: Sequence[Token]) -> bool:
    """by 15 October, bis 15. Oktober"""
    return any(
        token.kind in (Kind.IN, Kind.TO) and token.number == DEADLINE
        for token in tokens[max(0, named.start - 1) : named.start + 1]
    )
