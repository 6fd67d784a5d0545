from __future__ import annotations

import pytest

from kb.merging import merge

BASE = "one\ntwo\nthree\nfour\nfive\n"


def test_changes_in_different_places_come_together() -> None:
    mine, theirs = BASE.replace("one", "ONE"), BASE.replace("five", "FIVE\nsix")
    assert merge(BASE, mine, theirs) == "ONE\ntwo\nthree\nfour\nFIVE\nsix\n"


def test_line_that_one_took_out_and_line_that_the_other_put_in() -> None:
    assert merge(BASE, BASE.replace("two\n", ""), BASE + "six\n") == "one\nthree\nfour\nfive\nsix\n"


def test_same_change_twice_is_made_once() -> None:
    changed = BASE.replace("three", "3")
    assert merge(BASE, changed, changed) == changed


def test_one_side_that_changed_nothing_leaves_the_other() -> None:
    assert merge(BASE, BASE, BASE + "six\n") == BASE + "six\n"


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (BASE.replace("two", "2"), BASE.replace("two", "zwei")),
        (BASE.replace("two", "2"), BASE.replace("three", "3")),
        (BASE + "mine\n", BASE + "theirs\n"),
        (BASE.replace("two\n", ""), BASE.replace("two", "2")),
    ],
    ids=["same-line", "neighbours", "same-place", "taken-out-and-changed"],
)
def test_changes_that_meet_are_left_to_people(mine: str, theirs: str) -> None:
    assert merge(BASE, mine, theirs) is None


def test_last_line_without_its_end_is_not_glued_to_the_next() -> None:
    merged = merge("one\ntwo\nthree", "ONE\ntwo\nthree", "one\ntwo\nthree\nfour")
    assert merged == "ONE\ntwo\nthree\nfour"
