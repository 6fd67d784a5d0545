"""Geometry of drawings: what is said where, and that nothing lies outside or on top of another."""

from __future__ import annotations

from itertools import pairwise

import pytest

from memory.drawing import graphs, lettering, numbers, ranks, scores, shares
from memory.drawing.graphs import Column, Link, Vertex
from memory.drawing.ranks import Runner, Stage
from memory.drawing.scores import Score

LONG = "The tower crane carries twelve tonnes at a radius of forty metres " * 4


def vertex(key: str, text: str = "says something") -> Vertex:
    return Vertex(key=key, title=key.upper(), text=text)


# --- Letters ----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [LONG, "w" * 300, "研究所" * 80, "كان اجتماع الفريق " * 20, "a"])
def test_lines_fit_their_width_whatever_the_script(text: str) -> None:
    lines = lettering.wrap(text, ems=16, most=3)
    assert len(lines) <= 3
    assert all(lettering.width(line) <= 16 for line in lines)


def test_text_that_fits_is_whole_and_longer_text_ends_in_an_ellipsis() -> None:
    assert lettering.wrap("two words", ems=20, most=2) == ("two words",)
    assert lettering.wrap(LONG, ems=16, most=2)[-1].endswith("…")
    assert " ".join(lettering.wrap("one two three", ems=4, most=9)) == "one two three"


def test_nothing_is_no_line() -> None:
    assert lettering.wrap(" \n ", ems=10, most=3) == ()
    assert lettering.shorten("", ems=10) == ""


@pytest.mark.parametrize(
    ("text", "expected"), [("3 كتب", True), ("«שלום»", True), ("plain", False), ("123", False)]
)
def test_direction_is_that_of_the_first_letter(text: str, expected: bool) -> None:
    assert lettering.is_right_to_left(text) is expected


def test_numbers_have_a_point_and_no_negative_zero() -> None:
    assert [numbers.text(one) for one in (1.0, 2.345, -0.001, 0.1)] == ["1", "2.35", "0", "0.1"]


# --- Graphs -----------------------------------------------------------------------------------


def test_boxes_of_a_column_lie_below_each_other_inside_the_drawing() -> None:
    drawn = graphs.layered(
        [Column("one", [vertex("a")]), Column("two", [vertex(key, LONG) for key in "bcdef"])],
        [Link(source="a", target=key, label=("leads to",)) for key in "bcdef"],
    )
    spans = sorted(
        (float(box.y), float(box.y) + float(box.height))
        for box in drawn.boxes
        if box.vertex.key != "a"
    )
    assert all(above[1] < below[0] for above, below in pairwise(spans))
    assert spans[-1][1] <= float(drawn.height)
    assert max(float(box.x) + float(box.width) for box in drawn.boxes) <= float(drawn.width)


def test_columns_without_boxes_and_links_to_nowhere_are_left_out() -> None:
    drawn = graphs.layered(
        [Column("empty", []), Column("one", [vertex("a")])],
        [Link(source="a", target="gone", label=("x",))],
    )
    assert [one.text for one in drawn.headings] == ["one"]
    assert drawn.curves == []
    assert graphs.layered([], []).boxes == []


def test_arrow_against_the_columns_ends_at_the_right_edge_of_its_target() -> None:
    drawn = graphs.layered(
        [Column("one", [vertex("a")]), Column("two", [vertex("b")])],
        [Link(source="b", target="a", label=("x",)), Link(source="a", target="b", label=("y",))],
    )
    backward, forward = drawn.curves
    left = next(box for box in drawn.boxes if box.vertex.key == "a")
    edge = float(left.x) + float(left.width)
    assert float(backward.path.split()[-1].split(",")[0]) == edge + 7
    assert float(forward.path[1:].split(",")[0]) == edge
    assert backward.label[0].y != forward.label[0].y  # two between the same do not hide each other


def test_order_of_a_column_follows_what_it_is_linked_with() -> None:
    drawn = graphs.layered(
        [Column("", [vertex("a"), vertex("b")]), Column("", [vertex("of b"), vertex("of a")])],
        [
            Link(source="a", target="of a", label=("x",)),
            Link(source="b", target="of b", label=("x",)),
        ],
    )
    assert [box.vertex.key for box in drawn.boxes] == ["a", "b", "of a", "of b"]


# --- Ranks ------------------------------------------------------------------------------------


def test_dots_carry_the_true_rank_and_stand_in_its_order() -> None:
    drawn = ranks.bumps(
        [Runner("x", "X", "hue-1"), Runner("y", "Y", "rest")],
        [Stage("found", {"x": 40, "y": 7, "z": 1}), Stage("returned", {"x": 1, "y": 2})],
    )
    x, y = drawn.runs
    assert [dot.rank for dot in x.dots] == [40, 1]
    assert float(y.dots[0].y) < float(x.dots[0].y)
    assert float(x.dots[1].y) < float(y.dots[1].y)


def test_line_leaps_over_a_stage_that_missed_it() -> None:
    [run] = ranks.bumps(
        [Runner("x", "X", "rest")],
        [Stage("a", {"x": 1}), Stage("b", {}), Stage("c", {"x": 1}), Stage("d", {"x": 1})],
    ).runs
    assert (run.leaps.count("M"), run.solid.count("M")) == (1, 1)


def test_runner_that_no_stage_knows_has_its_label_alone() -> None:
    [run] = ranks.bumps([Runner("x", "X", "rest")], [Stage("a", {})]).runs
    assert (run.dots, run.tail, run.label.text) == ([], "", "X")


# --- Scores and shares ------------------------------------------------------------------------


def test_floor_parts_scores_and_one_on_it_is_above() -> None:
    drawn = scores.strip([Score(value, "", "") for value in (0.1, 0.3, 0.5)], 0.3)
    assert (drawn.below, drawn.above) == (1, 2)
    assert drawn.floor is not None


def test_without_a_floor_everything_is_above() -> None:
    drawn = scores.strip([Score(0.0, "", "")], None)
    assert (drawn.floor, drawn.below, drawn.above) == (None, 0, 1)


def test_low_scores_get_the_whole_line() -> None:
    assert scores.strip([Score(0.03, "", "")], 0.045).ticks[-1].label == "0.05"
    assert scores.strip([Score(0.93, "", "")], 0.045).ticks[-1].label == "1"


def test_equal_scores_are_stacked_within_the_drawing() -> None:
    drawn = scores.strip([Score(0.5, "", "")] * 200, None)
    heights = [float(dot.y) for dot in drawn.dots]
    assert len(set(heights)) > 1
    assert min(heights) > 20


def test_shares_are_of_the_whole_and_of_nothing_none() -> None:
    first, second = shares.shares([("a", 1.0), ("b", 3.0)])
    assert (first.width, second.start, second.percent) == ("25", "25", 75)
    assert shares.shares([("a", 0.0)]) == []
