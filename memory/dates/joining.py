"""Puts the periods that a text names together: the first week of May, from May to July."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from itertools import accumulate
from typing import Final

from memory.dates.grammar import Found
from memory.dates.lexing import Language
from memory.dates.periods import Cycle, Period
from memory.dates.ranges import CLOSED, OPEN, PARTS, RANGES
from memory.dates.rules import Rule
from memory.dates.tokens import Token, kinds_of

_OPENED: Final = "Z"  # the kind of a period of which one end was not told


@dataclass(frozen=True, slots=True)
class Named:
    """A period that a text names, and the tokens that it took. ``is_open``: one end was not told.

    ``tense`` is the cue around it, "" without one, and ``is_told_ahead`` where that moved it.
    ``is_target`` is what something else was moved to.
    """

    period: Period
    start: int
    length: int
    is_open: bool = False
    tense: str = ""
    is_told_ahead: bool = False
    is_target: bool = False

    def is_like(self, other: Named) -> bool:
        """Whether both name one date of each year, or one day of each week."""
        one, two = self.period, other.period
        if one.cycle is not two.cycle or one.cycle is Cycle.NONE:
            return False
        if one.cycle is Cycle.WEEK:
            return one.start.weekday() == two.start.weekday()
        return (one.start.month, one.start.day) == (two.start.month, two.start.day)

    @property
    def is_unsettled(self) -> bool:
        """Whether another language's words may still tell which year is meant."""
        return self.period.cycle is not Cycle.NONE and not self.tense


@dataclass(frozen=True, slots=True)
class _Item:
    """A token, or a period in place of the ``size`` tokens that named it."""

    token: Token
    size: int = 1


def join(tokens: list[Token], found: list[Found], language: Language, anchor: date) -> list[Named]:
    """What the text names once parts, neighbours and ranges are put together."""
    items = _reduced(tokens, found)
    for rule in (*PARTS, *RANGES):
        items = _applied(rule, items, language, anchor, kind=CLOSED)
    for rule in OPEN:
        items = _applied(rule, items, language, anchor, kind=_OPENED)
    return _named(items)


def _reduced(tokens: list[Token], found: list[Found]) -> list[_Item]:
    items: list[_Item] = []
    at = 0
    for each in found:
        items += map(_Item, tokens[at : each.start])
        items.append(_Item(Token(CLOSED, period=each.period), each.end - each.start))
        at = each.end
    return [*items, *map(_Item, tokens[at:])]


def _applied(
    rule: Rule, items: list[_Item], language: Language, anchor: date, *, kind: str
) -> list[_Item]:
    """Every place where the rule fits, replaced by the one period that it makes."""
    tokens = [item.token for item in items]
    # From behind, so that what is replaced moves no place before it.
    for start, end in reversed(list(rule.places(kinds_of(tokens), language))):
        try:
            period = rule.build(tokens[start:end], anchor)
        except (ValueError, OverflowError):  # beyond the calendar
            continue
        if period is not None:
            size = sum(item.size for item in items[start:end])
            items = [*items[:start], _Item(Token(kind, period=period), size), *items[end:]]
    return items


def _named(items: list[_Item]) -> list[Named]:
    starts = accumulate((item.size for item in items), initial=0)
    return [
        Named(item.token.period, start, item.size, is_open=item.token.kind == _OPENED)
        for item, start in zip(items, starts, strict=False)
        if item.token.kind in (CLOSED, _OPENED) and item.token.period
    ]
