"""Memories and references in one list: neither keeps the other out, and the order stays."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.levels import Level
from memory.recall.merging import share_places


def scored(levels: str) -> list[Any]:
    """``R`` a reference, everything else a fact, best first."""
    return [
        SimpleNamespace(
            row=SimpleNamespace(level=Level.R if name == "R" else Level.L1), place=place
        )
        for place, name in enumerate(levels)
    ]


def order(levels: str, places: int | None) -> list[int]:
    return [one.place for one in share_places(scored(levels), places)]


@pytest.mark.parametrize(
    ("levels", "places", "first"),
    [
        ("RRRRRFFF", 4, [0, 1, 5, 6]),
        ("FFFFFRRR", 4, [0, 1, 5, 6]),
        ("RRRRRFFF", 5, [0, 1, 2, 5, 6]),  # the odd place goes to the better
        ("RRRRRF", 4, [0, 1, 2, 5]),  # one fact is all there is
        ("RFRFRF", 4, [0, 1, 2, 3]),  # nothing to share
        ("RRRFFF", 1, [0]),
        ("RRRR", 2, [0, 1]),
        ("FFFF", 3, [0, 1, 2]),
    ],
)
def test_each_sort_has_half_of_the_places(levels: str, places: int, first: list[int]) -> None:
    assert order(levels, places)[:places] == first


def test_no_number_of_places_changes_nothing() -> None:
    assert order("RRRFFF", None) == order("RRRFFF", 6) == [0, 1, 2, 3, 4, 5]


@given(st.text("RF", max_size=30), st.integers(1, 12))
def test_nothing_is_lost_and_both_parts_keep_their_order(levels: str, places: int) -> None:
    found = order(levels, places)
    assert sorted(found) == list(range(len(levels)))
    assert found[:places] == sorted(found[:places])
    assert found[places:] == sorted(found[places:])
    shown = [levels[place] for place in found[:places]]
    for sort in "RF":
        assert shown.count(sort) >= min(places // 2, levels.count(sort))
