"""Whether a date that leaves its year open, or a weekday, lies behind the anchor or ahead of it.

What is found first is the latest that has begun. A clause that speaks of a plan means the next one,
and a clause in the present the nearest date or the next weekday. What was moved, booked or promised
is told in the past and lies ahead: "postponed to 12 December", "agreed to meet on Friday".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from memory.dates.joining import Named
from memory.dates.periods import Cycle, Period
from memory.dates.tokens import CUES, DEADLINE, GUESSED, HAVING, TARGET, Kind, Token
from memory.dates.vocabulary import Vocabulary

_CUES: Final = CUES | {Kind.NEXT}
_MOVED: Final = frozenset({Kind.MOVED, Kind.PROMISED})
_PAST: Final = _MOVED | {Kind.HELD}
_AHEAD: Final = frozenset({Kind.WILL, Kind.PLAN})
_COMMA: Final = ","
# How far a clause reaches. A comma or "and" may join two or be inside of one: where the words up to
# it tell nothing, those behind it speak.
_BOUNDS: Final = (
    frozenset({Kind.CLAUSE, Kind.AND, _COMMA}),
    frozenset({Kind.CLAUSE, Kind.AND}),
    frozenset({Kind.CLAUSE}),
)

_Cues = Mapping[int, Token]  # by their place


def settled(
    named: Sequence[Named],
    tokens: Sequence[Token],
    anchor: date,
    vocabulary: Vocabulary,
    *,
    present: bool,
) -> list[Named]:
    """``present`` is False for questions: those in the present ask for what is known."""
    taken = {place for each in named for place in range(each.start, each.start + each.length)}
    told = [_told(each, tokens, taken, present=present) for each in named]
    return [_settled(each, anchor, vocabulary, present=present) for each in told]


def _told(named: Named, tokens: Sequence[Token], taken: set[int], *, present: bool) -> Named:
    """With the cue that counts, and whether it is what something was moved to."""
    cues = _cues(named, tokens, taken)
    is_moved = any(tokens[place].kind in _MOVED for place in cues)
    is_planned = any(token.kind in _AHEAD for token in cues.values())
    is_by, is_for = _is_behind(DEADLINE, named, tokens), _is_behind(TARGET, named, tokens)
    is_target = is_moved and (is_by or is_for or _is_promised(named, tokens))
    is_for_a_day = present and is_for and named.period.days == 1
    if is_target or (is_for_a_day and not is_planned):
        tense = Kind.PLAN
    elif is_by and not cues:
        tense = Kind.PRESENT
    else:
        tense = _tense(named, cues)
    return replace(named, tense=tense, is_target=is_target)


def _settled(named: Named, anchor: date, vocabulary: Vocabulary, *, present: bool) -> Named:
    period, tense = named.period, named.tense
    if period.cycle is Cycle.NONE or named.is_open:
        return named
    if named.is_target or (present and period.cycle is Cycle.WEEK and _tells_which(named)):
        named = replace(named, period=replace(period, is_sure=True))
    if period.end >= anchor or tense == Kind.HELD or (tense not in _AHEAD and not present):
        return named
    try:
        later = named.period.next_one()
    except (ValueError, OverflowError):  # the calendar's last year
        return named
    if tense in _AHEAD or (tense == Kind.PRESENT and _is_likely(later, period, anchor)):
        return replace(named, period=later, is_told_ahead=True)
    is_nearer = later.start - anchor < anchor - period.end
    return replace(named, period=later) if is_nearer and vocabulary.tells_past else named


def _tells_which(named: Named) -> bool:
    """A weekday alone may be any ("lundi"), and so may one of which the present tells something:
    "lundi est fermé".
    """
    return bool(named.tense) and not (named.tense == Kind.PRESENT and named.start == 0)


def _is_likely(later: Period, earlier: Period, anchor: date) -> bool:
    """Of two dates in the present. Weekdays are always the next ones: "the course starts on Monday"."""
    if earlier.cycle is Cycle.WEEK:
        return True
    return later.start - anchor < 2 * (anchor - earlier.end)


def _tense(named: Named, cues: _Cues) -> str:
    """The nearest cue of the clause decides, the present only where it is alone, and what was
    promised where the date stands behind it. What "was planned" may be over.
    """
    strong = [place for place, token in cues.items() if token.kind != Kind.PRESENT]
    if not strong:
        return Kind.PRESENT if cues else ""
    end = named.start + named.length
    nearest = min(strong, key=lambda place: max(named.start - place, place - end + 1))
    is_promised = any(place < end and cues[place].kind == Kind.PROMISED for place in strong)
    if is_promised or cues[nearest].kind == Kind.WILL:
        return Kind.WILL
    if any(cues[place].kind in _PAST for place in strong):
        return Kind.HELD
    return Kind.PLAN


def _cues(named: Named, tokens: Sequence[Token], taken: set[int]) -> _Cues:
    """Those of the smallest clause that has any."""
    for bounds in _BOUNDS:
        cues: dict[int, Token] = {}
        for place in _clause(named, tokens, taken, bounds):
            token = tokens[place]
            if place not in taken and token.kind in _CUES:
                is_passive = _is_passive(place, token, cues)
                cues[place] = replace(token, kind=Kind.PRESENT) if is_passive else token
        if cues:
            return cues
    return {}


def _clause(
    named: Named, tokens: Sequence[Token], taken: set[int], bounds: frozenset[str]
) -> Iterator[int]:
    """The places of the clause around a period, in their order."""

    def ends_before(place: int) -> bool:
        if _COMMA in bounds and tokens[place].is_after_comma:
            return place - 1 not in taken or place not in taken
        return False

    def is_inside(place: int) -> bool:
        return place in taken or tokens[place].kind not in bounds

    first, end = named.start, named.start + named.length
    while first > 0 and not ends_before(first) and is_inside(first - 1):
        first -= 1
    while end < len(tokens) and not ends_before(end) and is_inside(end):
        end += 1
    return iter(range(first, end))


def _is_passive(place: int, token: Token, cues: _Cues) -> bool:
    """is closed, is to be paid, will surely be closed"""
    if token.kind not in _PAST:
        return False
    before = cues.get(place - 1)
    if before and before.kind == Kind.PRESENT and before.number != HAVING:
        return True
    return token.number == GUESSED and any(cue.kind == Kind.WILL for cue in cues.values())


def _is_promised(named: Named, tokens: Sequence[Token]) -> bool:
    """Right behind the word: 改到6月15日"""
    return named.start > 0 and tokens[named.start - 1].kind == Kind.PROMISED


def _is_behind(number: int, named: Named, tokens: Sequence[Token]) -> bool:
    """Whether such a preposition is the period's first word or stands before it: by 15 October."""
    return any(
        token.kind in (Kind.IN, Kind.TO) and token.number == number
        for token in tokens[max(0, named.start - 1) : named.start + 1]
    )
