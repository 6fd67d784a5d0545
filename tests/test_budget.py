"""What fits into a number of tokens."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.budget import Selection, select

lengths = st.lists(st.integers(0, 300), max_size=30)


def test_fc_47_what_is_too_long_is_passed_over() -> None:
    assert select([120, 150, 20], 80) == Selection((2,))


def test_fc_47_the_first_alone_comes_back_whole_and_marked() -> None:
    assert select([120], 80) == Selection((0,), is_over=True)
    assert select([120, 150], 80) == Selection((0,), is_over=True)


def test_fc_47_a_budget_of_nothing_takes_nothing() -> None:
    assert select([120, 1], 0) == Selection(())
    assert select([120, 1], -1) == Selection(())


def test_a_number_of_hits_counts_what_was_taken() -> None:
    assert select([10, 100, 10, 10], 50, most=2) == Selection((0, 2))
    assert select([10, 10], None, most=1) == Selection((0,))
    assert select([10, 10], None, most=0) == Selection(())


@given(lengths)
def test_without_a_budget_everything_is_taken(found: list[int]) -> None:
    assert select(found, None) == Selection(tuple(range(len(found))))


@given(lengths, st.integers(1, 500), st.none() | st.integers(1, 40))
def test_what_is_taken_fits_and_nothing_that_fitted_was_left(
    found: list[int], budget: int, most: int | None
) -> None:
    chosen = select(found, budget, most=most)

    assert bool(chosen.taken) == bool(found)
    assert list(chosen.taken) == sorted(set(chosen.taken))
    assert most is None or len(chosen.taken) <= most
    if chosen.is_over:
        assert chosen.taken == (0,)
        assert all(length > budget for length in found)
        return
    used = 0
    for place, length in enumerate(found):
        if place in chosen.taken:
            used += length
        elif most is None or len([one for one in chosen.taken if one < place]) < most:
            assert used + length > budget
    assert used <= budget


@given(lengths, st.integers(1, 500))
def test_items_behind_never_push_out_one_before(found: list[int], budget: int) -> None:
    whole, head = select(found, budget), select(found[:-1], budget)
    if not head.is_over:
        assert set(head.taken) <= set(whole.taken)
