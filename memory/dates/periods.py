"""Periods of whole days, and the calendar that they come from. Weeks run from Monday to Sunday."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum

DAY = timedelta(days=1)
WEEK = timedelta(days=7)


class Unit(StrEnum):
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    WEEKEND = "weekend"
    MONTH = "month"
    QUARTER = "quarter"
    HALF = "half"
    YEAR = "year"
    DECADE = "decade"


class Cycle(StrEnum):
    """What was left open when a period was named, and was filled in with the latest that fits."""

    NONE = "none"
    WEEK = "week"  # "Monday"
    YEAR = "year"  # "3 March"


@dataclass(frozen=True, slots=True)
class Period:
    """Both days inclusive. ``is_sure`` is False where the words may well mean no time at all.

    ``about`` is how exactly it was told: "two weeks ago" is a day by the calendar, and may have been
    any day of that week.
    """

    start: date
    end: date
    cycle: Cycle = Cycle.NONE
    is_sure: bool = True
    about: Unit = Unit.DAY

    @property
    def days(self) -> int:
        return (self.end - self.start).days + 1

    def latest_by(self, limit: date) -> Period:
        """The latest one of its cycle that starts no later than ``limit``."""
        if self.cycle is Cycle.NONE:
            return self
        if self.cycle is Cycle.WEEK:
            weeks = (limit - self.start).days // 7
            return replace(self, start=self.start + weeks * WEEK, end=self.end + weeks * WEEK)
        moved = self.moved_years(limit.year - self.start.year)
        return moved if moved.start <= limit else moved.moved_years(-1)

    def next_one(self) -> Period:
        if self.cycle is Cycle.WEEK:
            return replace(self, start=self.start + WEEK, end=self.end + WEEK)
        if self.cycle is not Cycle.YEAR:
            return self
        later = (self.moved_years(years) for years in range(1, 9))  # 29 February is rare
        return next(each for each in later if each.start.day == self.start.day)

    def moved_years(self, years: int) -> Period:
        return replace(
            self, start=add_months(self.start, 12 * years), end=_month_end(self, 12 * years)
        )


def _month_end(period: Period, months: int) -> date:
    """The end moved; where it was its month's last day it stays that."""
    moved = add_months(period.end, months)
    if period.days > 1 and (period.end + DAY).day == 1:
        return moved.replace(day=monthrange(moved.year, moved.month)[1])
    return moved


def add_months(day: date, months: int) -> date:
    """The same day of another month, or the last one that the month has."""
    index = day.year * 12 + day.month - 1 + months
    year, month = index // 12, index % 12 + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


class NoSuchDay(ValueError):
    """A day and its month are named, and no calendar has it: 30 February. The month alone is not
    what was meant."""


def calendar_day(year: int, month: int, day: int) -> date:
    """Raises ``NoSuchDay`` for what is a day of other months, else ``ValueError``."""
    try:
        return date(year, month, day)
    except ValueError as error:
        if 1 <= day <= 31 and 1 <= month <= 12:
            raise NoSuchDay from error
        raise


def day_of(day: date) -> Period:
    return Period(day, day)


def months_of(year: int, month: int, count: int = 1) -> Period:
    start = date(year, month, 1)
    last = add_months(start, count - 1)
    return Period(start, last.replace(day=monthrange(last.year, last.month)[1]))


def year_of(year: int) -> Period:
    return Period(date(year, 1, 1), date(year, 12, 31))


def quarter_of(year: int, quarter: int) -> Period:
    return months_of(year, 3 * quarter - 2, 3)


def season_of(year: int, season: int) -> Period:
    """0 is spring. Seasons are whole months of the northern year; winter starts in December."""
    return months_of(year, 3 * season + 3, 3)


def monday_of(day: date) -> date:
    return day - day.weekday() * DAY


def around(day: date, unit: Unit, offset: int = 0) -> Period:
    """The calendar unit that holds ``day``, or the one that lies ``offset`` units away from it."""
    match unit:
        case Unit.HOUR:
            return day_of(day)
        case Unit.DAY:
            return day_of(day + offset * DAY)
        case Unit.WEEK:
            monday = monday_of(day) + offset * WEEK
            return Period(monday, monday + 6 * DAY)
        case Unit.WEEKEND:
            monday = monday_of(day) + offset * WEEK
            return Period(monday + 5 * DAY, monday + 6 * DAY)
        case Unit.MONTH:
            first = add_months(day.replace(day=1), offset)
            return months_of(first.year, first.month)
        case Unit.QUARTER:
            first = add_months(day.replace(day=1), 3 * offset)
            return quarter_of(first.year, (first.month + 2) // 3)
        case Unit.HALF:
            first = add_months(day.replace(day=1), 6 * offset)
            return months_of(first.year, 1 if first.month <= 6 else 7, 6)
        case Unit.YEAR:
            return year_of(day.year + offset)
        case Unit.DECADE:
            start = day.year // 10 * 10 + 10 * offset
            return Period(date(start, 1, 1), date(start + 9, 12, 31))


def moved(day: date, unit: Unit, count: int) -> date:
    """The day ``count`` units later. Months and longer clamp to the last valid day."""
    match unit:
        case Unit.HOUR:
            return day + round(count / 24) * DAY
        case Unit.DAY:
            return day + count * DAY
        case Unit.WEEK | Unit.WEEKEND:
            return day + count * WEEK
        case Unit.MONTH:
            return add_months(day, count)
        case Unit.QUARTER:
            return add_months(day, 3 * count)
        case Unit.HALF:
            return add_months(day, 6 * count)
        case Unit.YEAR:
            return add_months(day, 12 * count)
        case Unit.DECADE:
            return add_months(day, 120 * count)
