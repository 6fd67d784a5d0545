"""Boosts around a reranker's relevance, and the scale of its scores."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import scoring
from memory.backends.rerankers.scores import shares
from memory.errors import RerankerFailed
from memory.hits import Window
from memory.scoring import NEUTRAL, Boosts, Times

NOW = datetime(2024, 6, 15, 12, tzinfo=UTC)
MARCH = Window(datetime(2024, 3, 1, tzinfo=UTC), datetime(2024, 3, 31, 23, 59, 59, tzinfo=UTC))

moments = st.datetimes(datetime(1990, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC))
parts = st.floats(0, 1)


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


# -- boosts ---------------------------------------------------------------------------------------


def test_knowing_nothing_changes_nothing() -> None:
    assert Boosts().factor == 1.0


@given(parts, parts, parts)
def test_boosts_move_a_score_by_a_tenth_a_tenth_and_a_twentieth(
    recency: float, temporal: float, proof: float
) -> None:
    factor = Boosts(recency, temporal, proof).factor

    assert 0.9 * 0.9 * 0.95 - 1e-9 <= factor <= 1.1 * 1.1 * 1.05 + 1e-9


@given(parts, parts, parts, parts)
def test_at_equal_boosts_the_reranker_decides(
    a: float, b: float, recency: float, time: float
) -> None:
    factor = Boosts(recency, time).factor

    assert (a * factor <= b * factor) == (a <= b) or math.isclose(a * factor, b * factor)


@given(parts, parts)
def test_each_boost_rises_with_what_is_known(low: float, high: float) -> None:
    low, high = sorted((low, high))

    assert Boosts(recency=low).factor <= Boosts(recency=high).factor
    assert Boosts(temporal=low).factor <= Boosts(temporal=high).factor
    assert Boosts(proof=low).factor <= Boosts(proof=high).factor


# -- recency --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        (Times(), NEUTRAL),
        (Times(occurred_start=NOW), 1.0),
        (Times(occurred_start=NOW + timedelta(days=30)), 1.0),
        (Times(occurred_start=NOW - timedelta(days=73)), 0.8),
        (Times(occurred_start=NOW - timedelta(days=3650)), 0.1),
        (Times(mentioned_at=NOW - timedelta(days=73)), 0.8),
        (Times(occurred_start=NOW, mentioned_at=NOW - timedelta(days=300)), 1.0),
        (Times(occurred_end=NOW - timedelta(days=73)), 0.8),
    ],
)
def test_recency_falls_over_a_year(times: Times, expected: float) -> None:
    assert scoring.recency(times, anchor=NOW) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2024-05-01", "2024-05-31T23:59:59.999999"),
        ("2024-05-01", "2024-05-31"),
        ("2024-05-01", "2024-06-01"),
        ("2024-02-01", "2024-02-29T23:59:59"),
        ("2023-12-01", "2023-12-31T23:59:59"),
        ("2024-01-01", "2024-12-31T23:59:59"),
        ("2024-01-01", "2025-01-01"),
    ],
)
def test_a_whole_month_or_year_is_a_coarse_date(start: str, end: str) -> None:
    assert Times(day(start), day(end)).is_coarse


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2024-05-01", "2024-05-29"),
        ("2024-05-03", "2024-05-31T23:59:59"),
        ("2024-05-15", "2024-06-14"),
        ("2024-05-01", "2024-05-01T23:59:59"),
        ("2024-01-01", "2024-12-20"),
        ("2024-05-01", "2024-06-30T23:59:59"),
    ],
)
def test_another_span_is_an_exact_one(start: str, end: str) -> None:
    assert not Times(day(start), day(end)).is_coarse


def test_a_coarse_date_ages_from_its_end_and_is_never_recent() -> None:
    this_month = Times(day("2024-06-01"), day("2024-06-30T23:59:59"))
    long_ago = Times(day("2023-01-01"), day("2023-12-31T23:59:59"))

    assert scoring.recency(this_month, anchor=NOW) == NEUTRAL
    assert scoring.recency(long_ago, anchor=NOW) == pytest.approx(
        min(1 - (NOW - day("2023-12-31T23:59:59")).days / 365, 0.5), abs=0.01
    )


@given(moments, moments)
def test_recency_is_a_share_and_rises_with_time(first: datetime, second: datetime) -> None:
    old, new = sorted((first, second))
    aged = [scoring.recency(Times(occurred_start=at), anchor=NOW) for at in (old, new)]

    assert 0.1 <= aged[0] <= aged[1] <= 1.0


# -- the window -----------------------------------------------------------------------------------


def test_the_middle_of_the_window_is_nearest_and_its_edges_are_not_punished() -> None:
    middle = Times(occurred_start=MARCH.start + (MARCH.end - MARCH.start) / 2)

    assert scoring.proximity(middle, MARCH) == pytest.approx(1.0)
    assert scoring.proximity(Times(occurred_start=MARCH.start), MARCH) == pytest.approx(NEUTRAL)
    assert scoring.proximity(Times(occurred_start=MARCH.end), MARCH) == pytest.approx(NEUTRAL)


def test_outside_the_window_nothing_is_said() -> None:
    assert scoring.proximity(Times(occurred_start=day("2024-04-01")), MARCH) is None
    assert scoring.proximity(Times(), MARCH) is None


def test_a_span_that_reaches_into_the_window_touches_it() -> None:
    assert scoring.touches(Times(day("2024-02-20"), day("2024-03-01")), MARCH)
    assert scoring.touches(Times(day("2024-02-20"), day("2024-04-20")), MARCH)
    assert not scoring.touches(Times(day("2024-02-20"), day("2024-02-25")), MARCH)


def test_a_memory_that_was_told_in_the_window_touches_it() -> None:
    assert scoring.touches(Times(mentioned_at=day("2024-03-10")), MARCH)


def test_fc_54_dates_of_other_zones_are_compared_as_moments() -> None:
    tokyo = timezone(timedelta(hours=9))
    in_april_there = datetime(2024, 4, 1, 8, tzinfo=tokyo)

    assert scoring.touches(Times(occurred_start=in_april_there), MARCH)


def test_a_window_of_one_moment_holds_that_moment() -> None:
    at = day("2024-03-03")

    assert scoring.proximity(Times(occurred_start=at), Window(at, at)) == 1.0


@given(moments, moments, moments)
def test_being_in_the_period_never_counts_against_a_memory(
    at: datetime, one: datetime, other: datetime
) -> None:
    near = scoring.proximity(Times(occurred_start=at), Window(*sorted((one, other))))

    assert near is None or NEUTRAL <= near <= 1.0


# -- proof ----------------------------------------------------------------------------------------


def test_proof_rises_slowly_from_one_witness() -> None:
    assert scoring.proof(1) == NEUTRAL
    assert scoring.proof(0) == NEUTRAL
    assert NEUTRAL < scoring.proof(2) < scoring.proof(10) < scoring.proof(100)
    assert scoring.proof(10**9) == 1.0


# -- the reranker's scale -------------------------------------------------------------------------


def test_fc_46_calibrated_scores_stay_as_they_are() -> None:
    assert shares([0.003, 0.0003, 0.0], expected=3) == [0.003, 0.0003, 0.0]
    assert shares([1.0, 1.0, 1.0], expected=3) == [1.0, 1.0, 1.0]


def test_fc_46_raw_scores_come_to_the_same_scale_in_their_order() -> None:
    high, low = shares([6.1, -8.2], expected=2)

    assert high > 0.99
    assert low < 0.001


@pytest.mark.parametrize("scores", [[0.5, math.nan], [0.5, math.inf], [0.5], [0.5] * 3, []])
def test_fc_46_a_score_that_is_missing_or_no_number_is_refused(scores: list[float]) -> None:
    with pytest.raises(RerankerFailed):
        shares(scores, expected=2)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=20))
def test_fc_46_the_scale_is_one_and_keeps_the_order(scores: list[float]) -> None:
    found = shares(scores, expected=len(scores))

    assert all(0.0 <= score <= 1.0 for score in found)
    pairs = sorted(zip(scores, found, strict=True))
    assert all(one[1] <= other[1] for one, other in pairwise(pairs))


def test_without_a_reranker_the_place_decides() -> None:
    assert scoring.by_rank(0) == []
    assert scoring.by_rank(1) == [1.0]
    assert scoring.by_rank(3) == pytest.approx([1.0, 0.55, 0.1])
