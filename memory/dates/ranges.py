"""Rules for periods made of periods: parts, neighbours and ranges. ``joining`` applies them.

What ``grammar`` found counts here as one token, ``CLOSED``.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Final

from memory.dates.absolute import YEARS_AHEAD, YEARS_BACK
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
from memory.dates.rules import Rule
from memory.dates.tokens import Token

CLOSED: Final = "Q"  # the kind of a period with both its ends


def _periods(tokens: list[Token]) -> list[Period]:
    return [token.period for token in tokens if token.kind == CLOSED and token.period]


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


PARTS: Final = (
    Rule.of("[OL]UP?Q", _unit_of),
    Rule.of("[OL][Ww]P?Q", _weekday_of),
    Rule.of("e-?P?Q", _third),
    Rule.of("QP?e", _third, "is_part_behind"),
    Rule.of("[LN]?D?U[<>]P?Q", _unit_beside),
    Rule.of("[Ww][<>]P?Q", _named_weekday_beside),
    Rule.of("UQ", _unit_around),
)
# "moved from 15 June to 30 June" names two days and not what lies between them.
_UNMOVED: Final = r"(?<!\^[^;]*)"
RANGES: Final = (
    Rule.of(rf"{_UNMOVED}[fs]?P?QP?tP?Q", _from_to),
    Rule.of("[fs]?P?QP?-P?Q", _from_to),
    Rule.of("[bI]P?Q&P?Q", _from_to),
    Rule.of(rf"{_UNMOVED}[fs]?P?[DO]tP?Q", _days_to),
    Rule.of("[fs]?P?[DO]-P?Q", _days_to),
    Rule.of("[bI]P?[DO]&P?Q", _days_to),
)
OPEN: Final = (
    Rule.of("sP?Q", _since),
    Rule.of(r"Q\)", _since),
    Rule.of(">P?Q", _after),
    Rule.of(r"Q\}", _after),
    Rule.of("[<B]P?Q", _before),
    Rule.of(r"Q\{", _before),
    Rule.of("VQ", _before, "modifier_follows"),
)
