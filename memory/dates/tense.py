"""Whether a date that leaves its year open, or a weekday, lies behind the anchor or ahead of it.

What is found first is the latest that has begun. A clause that speaks of a plan means the next one,
and a clause in the present the nearest date or the next weekday.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from datetime import date
from itertools import takewhile
from typing import Final

from memory.dates.periods import Cycle, Period
from memory.dates.ranges import Named
from memory.dates.tokens import Kind, Token
from memory.dates.vocabulary import DEADLINE, GUESSED

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
    if period.cycle is Cycle.NONE or named.is_open:
        return named
    tense = _tense(named, tokens, taken)
    named = replace(named, tense=tense)
    if period.end >= anchor:
        return named
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
    """Weekdays in the present are always the next ones: "the course starts on Monday"."""
    if earlier.cycle is Cycle.WEEK:
        return True
    return later.start - anchor < anchor - earlier.end


def _tense(named: Named, tokens: Sequence[Token], taken: set[int]) -> str:
    """The kind of the cue that counts, "" without one.

    The nearest cue of the clause decides, the present only where it is alone. What "was planned" may
    be over. Where a clause has none, what "and" joins it to speaks for it.
    """
    cues = _cues(named, tokens, taken, _BOUNDS) or _cues(named, tokens, taken, {Kind.CLAUSE})
    strong = [place for place, kind in cues.items() if kind != Kind.PRESENT]
    if not strong:
        return Kind.PRESENT if cues or _is_deadline(named, tokens) else ""
    end = named.start + named.length
    found = cues[min(strong, key=lambda place: max(named.start - place, place - end + 1))]
    if found != Kind.WILL and Kind.HELD in cues.values():
        return Kind.HELD
    return Kind.PLAN if found == Kind.NEXT else found


def _cues(
    named: Named, tokens: Sequence[Token], taken: set[int], bounds: Set[str]
) -> dict[int, str]:
    """The clause's cues by their place, those inside of periods left out."""

    def is_inside(place: int) -> bool:
        return place in taken or tokens[place].kind not in bounds

    start, end = named.start, named.start + named.length
    before = takewhile(is_inside, range(start - 1, -1, -1))
    behind = takewhile(is_inside, range(end, len(tokens)))
    cues: dict[int, str] = {}
    for place in (*reversed([*before]), *behind):
        token = tokens[place]
        if place in taken or token.kind not in _CUES or _is_passive(place, token, cues):
            continue
        cues[place] = token.kind
    return cues


def _is_passive(place: int, token: Token, cues: dict[int, str]) -> bool:
    """is closed, will surely be closed"""
    is_guessed = token.kind == Kind.HELD and token.number == GUESSED
    return is_guessed and (Kind.WILL in cues.values() or cues.get(place - 1) == Kind.PRESENT)


def _is_deadline(named: Named, tokens: Sequence[Token]) -> bool:
    """by 15 October, bis 15. Oktober"""
    return any(
        token.kind in (Kind.IN, Kind.TO) and token.number == DEADLINE
        for token in tokens[max(0, named.start - 1) : named.start + 1]
    )
