"""When something was said, as it stands beside the name in a transcript or an exported chat. Pure.

2024-05-03 09:12      ISO 8601, with a zone or in UTC
03.05.2024, 09:12     the day is first
3 May 2024 at 09:12   the month is named
03/05/2024, 09:12     as the other stamps of the same text say: a number above 12, or their order
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from enum import StrEnum
from itertools import pairwise
from typing import Final

import regex

from memory.verification.dates import find_dates

CLOCK: Final = r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:[^\S\n]?[ap]\.?m\.?)?"
_NAMED = r"\d{1,2}[-.\ ]{1,2}\p{L}{3,9}\.?[-.,\ ]{1,2}\d{2,4}|\p{L}{3,9}\.?\ \d{1,2},?\ \d{4}"
DAY: Final = rf"(?:\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|{_NAMED})"
_ZONE = r"(?:[^\S\n]?(?:Z|UTC|Uhr|[+-]\d{2}:?\d{2}))?"
_BESIDE = r"(?:T|,?[^\S\n]?(?:at\s|um\s|à\s)?)"
STAMP: Final = rf"(?:{DAY}(?:{_BESIDE}{CLOCK})?|(?:(?:today|yesterday)\sat\s)?{CLOCK}){_ZONE}"

_NUMERIC = regex.compile(
    r"(?P<first>\d{1,2})(?P<mark>[./])(?P<second>\d{1,2})[./](?P<year>\d{4}|\d{2})(?!\d)"
)
_SHORT_YEAR = regex.compile(r"(\d{1,2})[-. ]{1,2}(\p{L}{3,9})\.?[-., ]{1,2}(\d{2})(?!\d)")
_CLOCK = regex.compile(
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?"
    r"(?:\s?(?P<half>[ap])\.?m\.?)?\s?(?P<zone>Z|UTC|[+-]\d{2}:?\d{2})?(?![\d.])",
    regex.IGNORECASE,
)
_CENTURY: Final = 100


class _Order(StrEnum):
    """How a day is written with slashes."""

    DAY_FIRST = "day first"
    MONTH_FIRST = "month first"


def times(stamps: Sequence[str]) -> list[datetime | None]:
    """The times of one text's stamps, in their order; None for one that names no certain day."""
    order = _order(stamps)
    return [_time(stamp, order) for stamp in stamps]


def _order(stamps: Iterable[str]) -> _Order | None:
    """The one order in which every day exists, and if both do, the one in which they ascend."""
    slashed = [
        match for stamp in stamps if (match := _NUMERIC.search(stamp)) and match["mark"] == "/"
    ]
    days = {order: [_numeric(match, order) for match in slashed] for order in _Order}
    possible = [order for order in _Order if None not in days[order]]
    if len(possible) > 1:
        possible = [order for order in possible if _ascends(days[order])]
    is_certain = len(possible) == 1 or days[_Order.DAY_FIRST] == days[_Order.MONTH_FIRST]
    return possible[0] if possible and is_certain else None


def _ascends(days: Sequence[date | None]) -> bool:
    return all(one and other and one <= other for one, other in pairwise(days))


def _time(stamp: str, order: _Order | None) -> datetime | None:
    stamp = _SHORT_YEAR.sub(r"\1 \2 20\3", stamp)
    day, end = _day(stamp, order)
    if day is None:
        return None
    match = _CLOCK.search(stamp, end)
    if match is None:
        return datetime.combine(day, time(), UTC)
    hour, minute, second = (int(match[name] or 0) for name in ("hour", "minute", "second"))
    if half := match["half"]:
        hour = hour % 12 + (12 if half.casefold() == "p" else 0)
    try:
        return datetime.combine(day, time(hour, minute, second), _zone(match["zone"]))
    except ValueError:
        return None


def _day(stamp: str, order: _Order | None) -> tuple[date | None, int]:
    """And where it ends in the stamp."""
    if match := _NUMERIC.search(stamp):
        written = _Order.DAY_FIRST if match["mark"] == "." else order
        return _numeric(match, written) if written else None, match.end()
    for (_, end), days in find_dates(stamp):
        if len(days) == 1:
            ((year, month, day),) = days
            if year and day:
                return _date(year, month, day), end
    return None, 0


def _numeric(match: regex.Match[str], order: _Order) -> date | None:
    first, second, year = (int(match[name]) for name in ("first", "second", "year"))
    day, month = (first, second) if order is _Order.DAY_FIRST else (second, first)
    return _date(year if year >= _CENTURY else 2000 + year, month, day)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _zone(written: str | None) -> tzinfo:
    if not written or written[0] not in "+-":
        return UTC
    hours, minutes = int(written[1:3]), int(written[-2:])
    offset = timedelta(hours=hours, minutes=minutes)
    return timezone(-offset if written[0] == "-" else offset)
