"""Periods that are told from the anchor: yesterday, last May, three weeks ago."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Final

from memory.dates.periods import (
    DAY,
    WEEK,
    Cycle,
    Period,
    Unit,
    around,
    calendar_day,
    day_of,
    monday_of,
    months_of,
    moved,
    season_of,
    year_of,
)
from memory.dates.tokens import TARGET, Kind, Token, direction, numbers, of

_MOST_UNITS: Final = 500  # "2020年前" is not so many years ago


def told_period(tokens: list[Token], anchor: date) -> Period | None:
    [told] = of(tokens, "R")
    return around(anchor, told.unit, told.number)


def told_unit(tokens: list[Token], anchor: date) -> Period | None:
    [unit] = of(tokens, "UYmd")
    return around(anchor, unit.unit, direction(tokens))


def running_unit(tokens: list[Token], anchor: date) -> Period | None:
    """(at the end of) the month"""
    period = around(anchor, tokens[-1].unit)
    return replace(period, is_sure=False) if period.days > 2 else None


def weekend(tokens: list[Token], anchor: date) -> Period | None:
    """(over) the weekend: the latest one that has begun"""
    if tokens[-1].unit is not Unit.WEEKEND:
        return None
    return replace(around(anchor, Unit.WEEKEND, -(anchor.weekday() < 5)), is_sure=False)


def weekday_of_told_week(tokens: list[Token], anchor: date) -> Period | None:
    """上周五, last week on Friday"""
    week, day = of(tokens, "R"), of(tokens, "WwHd")
    offset = week[0].number if week else direction(tokens)
    if (week or of(tokens, "U"))[0].unit is not Unit.WEEK:
        return None
    [named] = day
    weekday = {"H": named.number - 1, "d": 6}.get(named.kind, named.number)
    if not 0 <= weekday <= 6:
        return None
    return day_of(monday_of(anchor) + offset * WEEK + weekday * DAY)


def month_of_told_year(tokens: list[Token], anchor: date) -> Period | None:
    """in May last year, 去年7月13日"""
    told = of(tokens, "R")
    if (told or of(tokens, "UY"))[0].unit is not Unit.YEAR:
        return None
    year = anchor.year + (told[0].number if told else direction(tokens))
    named = of(tokens, "Mn")
    given = numbers(tokens)
    month = named[0].number if named else given.pop(0)
    if not 1 <= month <= 12:
        return None
    return day_of(calendar_day(year, month, given[0])) if given else months_of(year, month)


def ago(tokens: list[Token], anchor: date) -> Period | None:
    [unit] = of(tokens, "UYmd")
    if _is_vague(tokens, unit):
        return None
    count = ([*numbers(tokens), 1])[0]
    if of(tokens, "C"):
        return _between(anchor, unit.unit, 1, 3)
    if of(tokens, "G"):
        return _few(anchor, unit.unit)
    if count > _MOST_UNITS:
        return None
    if unit.unit in (Unit.YEAR, Unit.DECADE):
        # Nobody means the day: three years ago is that year.
        return year_of(anchor.year - count * (10 if unit.unit is Unit.DECADE else 1))
    day = moved(anchor, unit.unit, -count)
    return Period(day, day, about=unit.unit)


def _is_vague(tokens: list[Token], unit: Token) -> bool:
    """years ago"""
    return unit.kind == Kind.UNIT and unit.number == 2 and not of(tokens, "DHOCG")


def _between(anchor: date, unit: Unit, least: int, most: int) -> Period:
    start, end = moved(anchor, unit, -most), moved(anchor, unit, -least)
    if unit is Unit.YEAR:
        return Period(start.replace(month=1, day=1), end.replace(month=12, day=31))
    return Period(start, end)


def _few(anchor: date, unit: Unit) -> Period:
    if unit is Unit.MONTH:
        return Period(anchor - 150 * DAY, anchor - 60 * DAY)
    return _between(anchor, unit, 2, 5)


def ahead(tokens: list[Token], anchor: date) -> Period | None:
    if tokens[0].kind == Kind.IN and tokens[0].number == TARGET:  # for 3 weeks: how long
        return None
    [unit] = of(tokens, "UYmd")
    [count] = numbers(tokens)
    return day_of(moved(anchor, unit.unit, count)) if count <= _MOST_UNITS else None


def rolling(tokens: list[Token], anchor: date) -> Period | None:
    """the last three weeks, the past month: up to now. Minutes are rather those of a game."""
    [unit] = of(tokens, "UYmd")
    if _is_vague(tokens, unit) or unit.unit is Unit.HOUR:
        return None
    count = ([*numbers(tokens), 1])[0]
    if of(tokens, "CG"):
        count = 3 if of(tokens, "C") else 5
    if count > _MOST_UNITS:
        return None
    return Period(moved(anchor, unit.unit, -count), anchor)


def told_weekday(tokens: list[Token], anchor: date) -> Period | None:
    """The latest one before the anchor's day, the next one behind it, or this week's."""
    [day] = of(tokens, "Ww")
    if of(tokens, "T"):
        return day_of(monday_of(anchor) + day.number * DAY)
    if of(tokens, "N"):
        return day_of(anchor + ((day.number - anchor.weekday() - 1) % 7 + 1) * DAY)
    found = anchor - ((anchor.weekday() - day.number - 1) % 7 + 1) * DAY
    return Period(found, found, Cycle.NONE if of(tokens, "LV") else Cycle.WEEK)


def plain_weekday(tokens: list[Token], anchor: date) -> Period | None:
    found = told_weekday(tokens, anchor)
    return found and replace(found, is_sure=False)


def told_month(tokens: list[Token], anchor: date) -> Period | None:
    """last May, this May, next May"""
    [named] = of(tokens, "Mn")
    way = direction(tokens)
    if way < 0:
        return months_of(anchor.year - (named.number >= anchor.month), named.number)
    return months_of(anchor.year + (way > 0 and named.number <= anchor.month), named.number)


def told_season(tokens: list[Token], anchor: date) -> Period | None:
    """last summer is the latest one that has ended, next summer the first that has not begun."""
    [season] = of(tokens, "S")
    years = [season_of(anchor.year + offset, season.number) for offset in (-2, -1, 0, 1)]
    way = direction(tokens)
    if way < 0:
        return [each for each in years if each.end < anchor][-1]
    if way > 0:
        return next(each for each in years if each.start > anchor)
    running = [each for each in years if each.start <= anchor <= each.end]
    return running[0] if running else years[2]


def season_of_told_year(tokens: list[Token], anchor: date) -> Period | None:
    """去年夏天, summer last year"""
    [season] = of(tokens, "S")
    told = of(tokens, "R")
    if (told or of(tokens, "UY"))[0].unit is not Unit.YEAR:
        return None
    return season_of(anchor.year + (told[0].number if told else direction(tokens)), season.number)
