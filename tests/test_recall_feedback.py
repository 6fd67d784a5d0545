"""Which candidates say what a query meant."""

from __future__ import annotations

from uuid import UUID

from memory.recall import feedback
from memory.seams import KnownScores

RECIPE = "an encoder that nothing was learnt about"


def candidates(count: int) -> dict[UUID, KnownScores]:
    """In the order of fusion; the later, the more relevant."""
    return {
        UUID(int=place): KnownScores(float(place), 0.8 + place / 100, ceiling=20.0)
        for place in range(1, count + 1)
    }


def best(count: int, *, is_dated: bool = False) -> list[int]:
    return [one.int for one in feedback.best(candidates(count), RECIPE, is_dated=is_dated)]


def test_the_two_most_relevant_say_what_was_meant_wherever_fusion_puts_them() -> None:
    assert best(9) == [9, 8]


def test_a_query_with_a_time_in_it_goes_by_fusion_which_knows_times() -> None:
    assert best(9, is_dated=True) == [1, 2]


def test_a_few_candidates_say_nothing() -> None:
    assert best(feedback.FEWEST - 1) == []
    assert best(feedback.FEWEST - 1, is_dated=True) == []
