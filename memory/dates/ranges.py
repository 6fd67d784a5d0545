"""Periods made of periods: parts, neighbours and ranges.

What ``grammar`` found counts here as one token, ``Q``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from itertools import accumulate
from typing import Final

import regex

from memory.dates.absolute import YEARS_AHEAD, YEARS_BACK
from memory.dates.grammar import Found
from memory.dates.lexing import Language
from memory.dates.periods import (
    DAY,
    WEEK,
    Cycle,
    Period,
    Unit,
    add_months,
    around,
    day_of,
)
from memory.dates.tokens import Builder, Token


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: regex.Pattern[str]
    build: Builder
    needs: str = ""


def _periods(tokens: list[Token]) -> list[Period]:
    return [token.period for token in tokens if token.kind == "Q" and token.period]


# Parts


def _third(tokens: list[Token], anchor: date) -> Period | None:
    """early, mid or late: of a month about ten days, of a year four months"""
    [period] = _periods(tokens)
    [part] = [token.number for token in tokens if token.kind == "e"]
    if period.days < 3:
        return period
    if 28 <= period.days <= 31:
        bounds = [0, 10, 20, period.days]
    elif period.days >= 365:
        starts = [add_months(period.start, 4 * step) for step in range(3)]
        bounds = [*((start - period.start).days for start in starts), period.days]
    else:
        bounds = [0, period.days // 3, period.days - period.days // 3, period.days]
    return replace(
        period,
        start=period.start + bounds[part] * DAY,
        end=period.start + (bounds[part + 1] - 1) * DAY,
        is_sure=True,
    )


def _unit_of(tokens: list[Token], anchor: date) -> Period | None:
    """first week of May, last day of last month"""
    [whole] = _periods(tokens)
    place, unit = tokens[0], tokens[1].unit
    size = {Unit.DAY: 1, Unit.WEEK: 7}.get(unit)
    if unit is Unit.WEEKEND:
        return _weekday_in(whole, 5, place, length=2)
    if unit in (Unit.MONTH, Unit.QUARTER, Unit.HALF) and whole.days >= 365:
        base = (whole.end, 0) if place.kind == "L" else (whole.start, place.number - 1)
        return _inside(around(base[0], unit, base[1]), whole)
    if unit is Unit.HALF:
        middle = whole.start + whole.days // 2 * DAY
        is_first = place.kind == "O" and place.number == 1
        return Period(whole.start, middle - DAY) if is_first else Period(middle, whole.end)
    if size is None:
        return None
    if place.kind == "L":
        found = Period(whole.end - (size - 1) * DAY, whole.end)
    else:
        start = whole.start + (place.number - 1) * size * DAY
        found = Period(start, start + (size - 1) * DAY)
    return _inside(found, whole)


def _weekday_of(tokens: list[Token], anchor: date) -> Period | None:
    """first Monday of May"""
    [whole] = _periods(tokens)
    return _weekday_in(whole, tokens[1].number, tokens[0], length=1)


def _weekday_in(whole: Period, weekday: int, place: Token, *, length: int) -> Period | None:
    if place.kind == "L":
        start = whole.end - ((whole.end.weekday() - weekday) % 7) * DAY
    else:
        first = whole.start + ((weekday - whole.start.weekday()) % 7) * DAY
        start = first + (place.number - 1) * WEEK
    return _inside(Period(start, start + (length - 1) * DAY), whole)


def _inside(found: Period, whole: Period) -> Period | None:
    return found if whole.start <= found.start and found.start <= whole.end else None


def _unit_around(tokens: list[Token], anchor: date) -> Period | None:
    """the week of 23 August 2023"""
    [day] = _periods(tokens)
    unit = tokens[0].unit
    return around(day.start, unit) if day.days == 1 and unit in (Unit.WEEK, Unit.WEEKEND) else None


def _unit_beside(tokens: list[Token], anchor: date) -> Period | None:
    """the week before 25 August: the days up to it; two weeks before: the week before that"""
    [given] = _periods(tokens)
    [unit] = [token.unit for token in tokens if token.kind == "U"]
    count = next((token.number for token in tokens if token.kind == "D"), 1)
    way = -1 if any(token.kind == "<" for token in tokens) else 1
    near = given.start if way < 0 else given.end
    match unit:
        case Unit.DAY:
            return day_of(near + way * count * DAY)
        case Unit.WEEK:
            ends = (near + way * (count * WEEK), near + way * ((count - 1) * WEEK + DAY))
            return Period(min(ends), max(ends))
        case Unit.WEEKEND:
            weekend = _weekday_beside(near, 5 if way > 0 else 6, way)
            return Period(weekend, weekend + DAY) if way > 0 else Period(weekend - DAY, weekend)
        case Unit.MONTH | Unit.QUARTER | Unit.YEAR:
            return around(near, unit, way * count)
        case _:
            return None


def _weekday_beside(day: date, weekday: int, way: int) -> date:
    """The nearest such weekday before (``way`` -1) or after the day, never the day itself."""
    return day + way * (((weekday - day.weekday()) * way - 1) % 7 + 1) * DAY


def _named_weekday_beside(tokens: list[Token], anchor: date) -> Period | None:
    """the Sunday before 25 October 2022"""
    [given] = _periods(tokens)
    way = -1 if tokens[1].kind == "<" else 1
    near = given.start if way < 0 else given.end
    return day_of(_weekday_beside(near, tokens[0].number, way))


# Ranges


def _from_to(tokens: list[Token], anchor: date) -> Period | None:
    """What one end leaves open the other one settles: from May to July 2019."""
    first, last = _periods(tokens)
    if first.cycle is not Cycle.NONE:
        first = first.latest_by(last.start)
    elif last.cycle is not Cycle.NONE:
        last = last.latest_by(first.start)
        last = last if last.end >= first.start else last.next_one()
    return Period(first.start, last.end, last.cycle) if first.start <= last.end else None


def _days_to(tokens: list[Token], anchor: date) -> Period | None:
    """from the 3rd to the 7th of May"""
    [last] = _periods(tokens)
    [day] = [token.number for token in tokens if token.kind in "DO"]
    if last.days != 1 or not 1 <= day <= last.start.day:
        return None
    return replace(last, start=last.start.replace(day=day))


def _since(tokens: list[Token], anchor: date) -> Period | None:
    [start] = _periods(tokens)
    return Period(start.start, anchor) if start.start <= anchor else None


def _after(tokens: list[Token], anchor: date) -> Period | None:
    """Up to the anchor, or as far ahead as years are believed where it lies ahead."""
    [given] = _periods(tokens)
    start = given.end + DAY
    return Period(start, anchor if start <= anchor else add_months(start, 12 * YEARS_AHEAD))


def _before(tokens: list[Token], anchor: date) -> Period | None:
    [given] = _periods(tokens)
    return Period(add_months(given.start, -12 * YEARS_BACK), given.start - DAY)


def _rule(pattern: str, build: Builder, needs: str = "") -> _Rule:
    return _Rule(regex.compile(pattern), build, needs)


_PARTS: Final = (
    _rule("[OL]UP?Q", _unit_of),
    _rule("[OL][Ww]P?Q", _weekday_of),
    _rule("e-?P?Q", _third),
    _rule("QP?e", _third, "is_part_behind"),
    _rule("[LN]?D?U[<>]P?Q", _unit_beside),
    _rule("[Ww][<>]P?Q", _named_weekday_beside),
    _rule("UQ", _unit_around),
)
_RANGES: Final = (
    _rule("[fs]?P?QP?[t-]P?Q", _from_to),
    _rule("[bI]P?Q&P?Q", _from_to),
    _rule("[fs]?P?[DO][t-]P?Q", _days_to),
    _rule("[bI]P?[DO]&P?Q", _days_to),
)
_OPEN: Final = (
    _rule("sP?Q", _since),
    _rule(r"Q\)", _since),
    _rule(">P?Q", _after),
    _rule(r"Q\}", _after),
    _rule("[<B]P?Q", _before),
    _rule(r"Q\{", _before),
    _rule("VQ", _before, "modifier_follows"),
)


@dataclass(frozen=True, slots=True)
class Named:
    """A period that a text names, and the tokens that it took. ``is_open``: one end was not told.

    ``tense`` is the cue around it, "" without one, and ``is_told_ahead`` where that moved it.
    """

    period: Period
    start: int
    length: int
    is_open: bool = False
    tense: str = ""
    is_told_ahead: bool = False

    @property
    def is_unsettled(self) -> bool:
        """Whether another language's words may still tell which year is meant."""
        return self.period.cycle is not Cycle.NONE and not self.tense


def join(tokens: list[Token], found: list[Found], language: Language, anchor: date) -> list[Named]:
    """What the text names once parts, neighbours and ranges are put together."""
    items, sizes = _reduced(tokens, found)
    for rules in (_PARTS, _RANGES):
        for rule in rules:
            items, sizes = _applied(rule, items, sizes, language, anchor)
    closed = _named(items, sizes)
    if not closed:
        return []
    before = len(closed)
    opened: list[Named] = []
    for rule in _OPEN:
        items, sizes = _applied(rule, items, sizes, language, anchor, kind="Z")
    if any(item.kind == "Z" for item in items):
        opened = _named(items, sizes)
    return opened if opened and before else closed


def _named(items: list[Token], sizes: list[int]) -> list[Named]:
    starts = accumulate(sizes, initial=0)
    return [
        Named(item.period, start, size, is_open=item.kind == "Z")
        for item, start, size in zip(items, starts, sizes, strict=False)
        if item.kind in "QZ" and item.period
    ]


def _reduced(tokens: list[Token], found: list[Found]) -> tuple[list[Token], list[int]]:
    items: list[Token] = []
    sizes: list[int] = []
    at = 0
    for each in found:
        items += tokens[at : each.start]
        sizes += [1] * (each.start - at)
        items.append(Token("Q", period=each.period))
        sizes.append(each.end - each.start)
        at = each.end
    items += tokens[at:]
    sizes += [1] * (len(tokens) - at)
    return items, sizes


def _applied(
    rule: _Rule,
    items: list[Token],
    sizes: list[int],
    language: Language,
    anchor: date,
    *,
    kind: str = "Q",
) -> tuple[list[Token], list[int]]:
    """Every place where the rule fits, replaced by the one period that it makes."""
    if rule.needs and not getattr(language.vocabulary, rule.needs):
        return items, sizes
    kinds = "".join(item.kind for item in items)
    for match in reversed(list(rule.pattern.finditer(kinds))):
        start, end = match.span()
        try:
            period = rule.build(items[start:end], anchor)
        except (ValueError, OverflowError):
            continue
        if period is not None:
            items = [*items[:start], Token(kind, period=period), *items[end:]]
            sizes = [*sizes[:start], sum(sizes[start:end]), *sizes[end:]]
    return items, sizes
