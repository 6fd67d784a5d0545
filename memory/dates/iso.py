"""Points in time as programs write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from memory.errors import InvalidTime
from memory.hits import Window

_FARTHEST: Final = timedelta(hours=15, minutes=59)


def parse_datetime(value: str) -> datetime:
    """ISO 8601, with a zone always: without one it is UTC, without a time midnight.

    Raises ``InvalidTime`` with a sentence for the caller.
    """
    if not isinstance(value, str):
        raise InvalidTime("A time must be a text, such as 2025-09-21T10:00:00Z.")
    try:
        parsed = datetime.fromisoformat(value.strip())
    except ValueError:
        shown = ascii(value[:40])
        raise InvalidTime(
            f"{shown} is not an ISO 8601 date or time, such as 2025-09-21T10:00:00Z."
        ) from None
    aware = with_zone(parsed)
    try:
        aware.astimezone(UTC)
    except OverflowError:
        raise InvalidTime("The time lies outside the years 1 to 9999.") from None
    offset = aware.utcoffset()
    if offset is not None and abs(offset) > _FARTHEST:  # the database knows none beyond
        raise InvalidTime("The time's zone is more than 15:59 hours away from UTC.")
    return aware


def parse_bounds(start: str, end: str) -> Window:
    """An explicit window, both ends inclusive. Raises ``InvalidTime``."""
    window = Window(parse_datetime(start), parse_datetime(end))
    if window.start > window.end:
        raise InvalidTime("The window's start must not be after its end.")
    return window


def with_zone(moment: datetime) -> datetime:
    """A time without zone is UTC."""
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
