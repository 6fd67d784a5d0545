"""Periods that name themselves: dates, months, seasons, quarters and years.

What a text leaves open (the year of "3 March") is the latest that has begun at the anchor.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Final

from memory.dates.periods import (
    Cycle,
    Period,
    Unit,
    calendar_day,
    day_of,
    months_of,
    quarter_of,
    season_of,
    year_of,
)
from memory.dates.tokens import Token, numbers, of

YEARS_BACK: Final = 120  # a bare number beyond these is no year
YEARS_AHEAD: Final = 20
_LEAP_YEAR: Final = 2000


def is_year(number: int, anchor: date) -> bool:
    return anchor.year - YEARS_BACK <= number <= anchor.year + YEARS_AHEAD and number >= 1000


def date_in_figures(tokens: list[Token], anchor: date) -> Period | None:
    return tokens[-1].period


def full_date(tokens: list[Token], anchor: date) -> Period | None:
    """A day, a month and a year, in the order in which they make a date."""
    [month] = [token.number for token in tokens if token.kind in "Mn"]
    first, second = numbers(tokens)[:2]
    day, year = (second, first) if first > 31 else (first, second)
    return day_of(calendar_day(year, month, day)) if year >= 1000 else None


def marked_date(tokens: list[Token], anchor: date) -> Period | None:
    """年, 月 and 日, or ngày, tháng and năm: every number has its mark beside it."""
    found: dict[Unit, int] = {}
    for number, mark in _pairs(tokens):
        found[mark.unit] = number.number
    if not found.keys() <= {Unit.YEAR, Unit.MONTH, Unit.DAY}:
        return None
    year, month, day = (found.get(unit) for unit in (Unit.YEAR, Unit.MONTH, Unit.DAY))
    if year is not None and not is_year(year, anchor) and (month is None or year < 1000):
        return None
    if month is None:
        return year_of(year) if year is not None and day is None else None
    if year is None and day is None:
        return _month(month, anchor)
    if year is None:
        assert day is not None
        calendar_day(_LEAP_YEAR, month, day)
        return _day_in_year(month, day, anchor)
    return day_of(calendar_day(year, month, day)) if day else months_of(year, month)


def _pairs(tokens: list[Token]) -> list[tuple[Token, Token]]:
    """A number and its mark, whichever comes first."""
    rest = [token for token in tokens if token.kind in "DHUYmd"]
    pairs = list(zip(rest[::2], rest[1::2], strict=False))
    return [(b, a) if a.kind in "UYmd" else (a, b) for a, b in pairs]


def month_of_year(tokens: list[Token], anchor: date) -> Period | None:
    [month] = [token.number for token in tokens if token.kind in "Mn"]
    [year] = numbers(tokens)
    return months_of(year, month) if year >= 1000 else None


def day_of_month(tokens: list[Token], anchor: date) -> Period | None:
    [month] = [token.number for token in tokens if token.kind in "Mn"]
    [day] = numbers(tokens)
    if tokens[-1].kind in "Mn" and 1 <= day <= 31:  # behind a month it may count something else
        calendar_day(_LEAP_YEAR, month, day)
    return _day_in_year(month, day, anchor)


def _day_in_year(month: int, day: int, anchor: date) -> Period | None:
    """The latest one not after the anchor. 29 February has to be looked for."""
    if not 1 <= day <= 31:
        return None
    for year in range(anchor.year, anchor.year - 9, -1):
        try:
            found = date(year, month, day)
        except ValueError:
            continue
        if found <= anchor:
            return Period(found, found, Cycle.YEAR)
    return None


def _month(month: int, anchor: date, *, is_sure: bool = True) -> Period | None:
    """The latest one that has begun."""
    if not 1 <= month <= 12:
        return None
    found = months_of(anchor.year - (month > anchor.month), month)
    return replace(found, cycle=Cycle.YEAR, is_sure=is_sure)


def days_of_month(tokens: list[Token], anchor: date) -> Period | None:
    """May 3-7, 2023"""
    first, last, *years = numbers(tokens)
    month = next(token for token in tokens if token.kind in "Mn").number
    if years:
        return _ordered(calendar_day(years[0], month, first), calendar_day(years[0], month, last))
    end = _day_in_year(month, last, anchor)
    if end is None or first > last:
        return None
    return replace(end, start=end.start.replace(day=first))


def _ordered(start: date, end: date) -> Period | None:
    return Period(start, end) if start <= end else None


def month_named(tokens: list[Token], anchor: date) -> Period | None:
    [named] = of(tokens, "Mn")
    return _month(named.number, anchor)


def plain_month(tokens: list[Token], anchor: date) -> Period | None:
    return _month(tokens[-1].number, anchor, is_sure=False)


def season_of_given_year(tokens: list[Token], anchor: date) -> Period | None:
    [season] = of(tokens, "S")
    [year] = numbers(tokens)
    return season_of(year, season.number) if is_year(year, anchor) else None


def season_named(tokens: list[Token], anchor: date) -> Period | None:
    """The latest one that has begun."""
    [season] = of(tokens, "S")
    years = [season_of(anchor.year + offset, season.number) for offset in (-2, -1, 0)]
    return replace([each for each in years if each.start <= anchor][-1], is_sure=False)


def year(tokens: list[Token], anchor: date) -> Period | None:
    [year] = numbers(tokens)
    return year_of(year) if is_year(year, anchor) else None


def marked_year(tokens: list[Token], anchor: date) -> Period | None:
    if of(tokens, "U") and of(tokens, "U")[0].unit is not Unit.YEAR:
        return None
    return year(tokens, anchor)


def decade(tokens: list[Token], anchor: date) -> Period | None:
    start = tokens[-1].number
    return Period(date(start, 1, 1), date(start + 9, 12, 31)) if is_year(start, anchor) else None


def quarter(tokens: list[Token], anchor: date) -> Period | None:
    """Q3 2023, third quarter of 2023. Q3 alone is the latest one that has begun."""
    named, unit = of(tokens, "K"), of(tokens, "U")
    part = (named or of(tokens, "OD"))[0].number
    if not named and unit[0].unit not in (Unit.QUARTER, Unit.HALF):
        return None
    count = 2 if not named and unit[0].unit is Unit.HALF else 4
    years = [number for number in numbers(tokens) if number >= 1000]
    if not 1 <= part <= count or (years and not is_year(years[0], anchor)):
        return None
    if years:
        return _part_of_year(years[0], part, count)
    running = _part_of_year(anchor.year, part, count)
    return replace(running, cycle=Cycle.YEAR).latest_by(anchor)


def _part_of_year(year: int, part: int, count: int) -> Period:
    if count == 4:
        return quarter_of(year, part)
    return months_of(year, 6 * part - 5, 6)
