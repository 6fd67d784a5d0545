"""Geometry of the overview's drawings."""

from __future__ import annotations

import pytest

from kb.admin import charts


@pytest.mark.parametrize(
    ("value", "top"),
    [(0, 1), (1, 1), (1.2, 2), (3, 5), (5, 5), (7, 10), (11, 20), (51, 100), (1001, 2000)],
)
def test_axis_ends_at_a_number_that_reads_well(value: float, top: int) -> None:
    assert charts.round_up(value) == top


def test_columns_stack_from_the_bottom_in_the_given_order() -> None:
    drawn = charts.stacked([{"b": 1, "a": 3}, {}], order=["a", "b"])
    assert (drawn.top, drawn.width) == (5, "20")
    first, second = drawn.columns
    assert [(one.kind, one.y, one.height) for one in first.segments] == [
        ("a", "40", "60"),
        ("b", "20", "20"),
    ]
    assert second.segments == []


def test_nothing_to_stack_is_drawn_without_a_division_by_zero() -> None:
    assert charts.stacked([], order=["a"]).columns == []
    assert charts.stacked([{}], order=["a"]).top == 1


def test_line_breaks_at_gaps_and_shows_a_lone_point() -> None:
    drawn = charts.line([0.0, 1.0, None, 0.5, None], top=1.0)
    assert drawn.runs == ["5,100 15,0", "35,50 35,50"]


def test_line_stays_within_its_drawing() -> None:
    assert charts.line([7.0], top=5.0).runs == ["5,0 5,0"]


def test_share_of_nothing_has_no_width() -> None:
    assert (charts.percent(1, 0), charts.percent(1, 3), charts.percent(9, 3)) == (
        "0",
        "33.33",
        "100",
    )


@pytest.mark.parametrize(
    ("number", "written"), [(0.0, "0"), (10.0, "10"), (0.5, "0.5"), (33.333, "33.33"), (100, "100")]
)
def test_numbers_are_written_without_padding(number: float, written: str) -> None:
    assert charts.text(number) == written
