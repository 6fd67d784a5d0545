"""What decides the order of what was found. Pure.

    final = relevance · (1 + 0.2 (recency - ½)) · (1 + 0.2 (temporal - ½)) · (1 + 0.1 (proof - ½))

Relevance is the reranker's, 0-1. The other factors move it by a tenth at most, a twentieth for
proof, and are ½ where nothing is known, so that none of them speaks without a reason. A question
about the past prefers what lost to newer facts and held then: the same factor with 0.6.
"""

from __future__ import annotations

import math
from calendar import isleap, monthrange
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from memory.hits import Window

NEUTRAL: Final = 0.5
_RECENCY, _TEMPORAL, _PROOF = 0.2, 0.2, 0.1
_PAST: Final = 0.6  # outweighs the rest: the fact that holds now is hardly worded otherwise
_DAYS: Final = 365.0
_OLDEST: Final = 0.1
_TOLERANCE: Final = timedelta(days=1)
_DAY: Final = timedelta(days=1)
_SHORTEST: Final = timedelta(days=24)  # of a month, both ends as far off as they may be


@dataclass(frozen=True, slots=True)
class Times:
    """When a memory says something happened, and when it was told. All with a zone."""

    occurred_start: datetime | None = None
    occurred_end: datetime | None = None
    mentioned_at: datetime | None = None

    @property
    def is_coarse(self) -> bool:
        """The span is one whole calendar month or year: known no better than that."""
        start, end = self.occurred_start, self.occurred_end
        if start is None or end is None or end - start < _SHORTEST:
            return False
        end = end.astimezone(start.tzinfo)
        days = monthrange(start.year, start.month)[1]
        month = start.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        year = month.replace(month=1)
        length = timedelta(days=365 + isleap(year.year))
        return (start - month < _TOLERANCE and _ends(end - month, timedelta(days=days))) or (
            start - year < _TOLERANCE and _ends(end - year, length)
        )

    @property
    def best(self) -> datetime | None:
        """The middle of the span, or the one date there is."""
        start, end = self.occurred_start, self.occurred_end
        if start is not None and end is not None:
            return start + (end - start) / 2
        return start or end or self.mentioned_at

    @property
    def began(self) -> datetime | None:
        """Since when it is known to hold."""
        known = [at for at in (self.occurred_start, self.mentioned_at) if at is not None]
        return min(known, default=None)


def _ends(length: timedelta, expected: timedelta) -> bool:
    return expected - 2 * _TOLERANCE <= length <= expected


@dataclass(frozen=True, slots=True)
class Boosts:
    """Factors around relevance, each from 0 to 1 with ½ for "nothing known"."""

    recency: float = NEUTRAL
    temporal: float = NEUTRAL
    proof: float = NEUTRAL
    past: float = NEUTRAL  # up to 1 for what held before, where that was asked for

    @property
    def factor(self) -> float:
        return (
            (1 + _RECENCY * (self.recency - NEUTRAL))
            * (1 + _TEMPORAL * (self.temporal - NEUTRAL))
            * (1 + _PROOF * (self.proof - NEUTRAL))
            * (1 + _PAST * (self.past - NEUTRAL))
        )


def recency(times: Times, *, anchor: datetime) -> float:
    """1 for today and later, falling to 0.1 in a year. A coarse date ages from its end and never
    counts as recent."""
    if times.is_coarse:
        assert times.occurred_end is not None
        return min(_aged(times.occurred_end, anchor), NEUTRAL)
    at = times.occurred_start or times.mentioned_at or times.occurred_end
    return NEUTRAL if at is None else _aged(at, anchor)


def _aged(at: datetime, anchor: datetime) -> float:
    days = (anchor - at) / _DAY
    return min(max(1.0 - days / _DAYS, _OLDEST), 1.0)


def proximity(times: Times, window: Window) -> float | None:
    """From ½ at the edges of the window to 1 in its middle; None outside.

    Being in the period that was asked for never counts against a memory, wherever it lies in it.
    """
    if not touches(times, window):
        return None
    at = times.best
    if at is None:
        return None
    half = (window.end - window.start) / 2
    if half <= timedelta(0):
        return 1.0
    distance = abs(at - (window.start + half)) / half
    return NEUTRAL + NEUTRAL * (1.0 - min(distance, 1.0))


def touches(times: Times, window: Window) -> bool:
    """The span overlaps the window, or one of the dates lies in it. Both ends count."""
    start = times.occurred_start or times.occurred_end
    end = times.occurred_end or times.occurred_start
    if start is not None and end is not None and start <= window.end and end >= window.start:
        return True
    told = times.mentioned_at
    return told is not None and window.start <= told <= window.end


def before_now(place: int) -> float:
    """1 for the value just before the current one, ¾ for the one before that, down to ½."""
    return NEUTRAL + NEUTRAL / place


def held(times: Times, until: datetime, window: Window) -> float:
    """1 for what held all through the window, or from when it was known in it; ½ for what had lost
    before the window began, or was known only after it."""
    start = max(times.began or window.start, window.start)
    end = min(until, window.end)
    if until <= window.start or end < start:
        return NEUTRAL
    whole = window.end - start
    return NEUTRAL + NEUTRAL * ((end - start) / whole if whole else 1.0)


def proof(count: int) -> float:
    """How well an observation is witnessed: ½ for one source, rising slowly."""
    return min(max(NEUTRAL + math.log(max(count, 1)) / 10, 0.0), 1.0)


def by_rank(count: int) -> list[float]:
    """Relevance by place alone, from 1 to 0.1, where no reranker is asked."""
    if count < 2:
        return [1.0] * count
    return [1.0 - 0.9 * place / (count - 1) for place in range(count)]
