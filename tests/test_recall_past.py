"""Recall about the past: what held before, what held in a period, and the ends of the calendar."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from memory import tenancy
from memory.arbitration import TAKEN_OUT
from memory.dates import parse_bounds, parse_datetime
from memory.hits import Window
from memory.levels import EdgeType, Level
from memory.models import Bank, Node
from tests import nodes
from tests.recalls import recall, reranker, texts

NOW = datetime(2024, 6, 15, tzinfo=UTC)


@pytest.fixture
def bank(db: None) -> Iterator[Bank]:
    """A bank in the open scope of its tenant."""
    tenant = nodes.make_tenant()
    with tenancy.scope(tenant.pk):
        yield nodes.make_bank(tenant)


def _told_in_turn(bank: Bank, *texts: str) -> list[str]:
    """Each is of a month of 2024 and lost to the last one."""
    *lost, current = [
        nodes.add_node(bank, text, mentioned_at=datetime(2024, month, 1, tzinfo=UTC))
        for month, text in enumerate(texts, start=1)
    ]
    for node in lost:
        nodes.link(current, node, EdgeType.SUPERSEDES)
        Node.objects.filter(pk=node.pk).update(superseded_at=current.mentioned_at)
    return list(texts)


def test_of_several_values_before_the_last_one_comes_first(bank: Bank) -> None:
    seven, eight, nine, again = _told_in_turn(
        bank,
        "The depot opens at 7.",
        "The depot opens at 8.",
        "The depot opens at 9.",
        "The depot opens at 7 again.",
    )

    with reranker({}, default=0.8):
        found = texts(recall(bank, "When did the depot open before?"))

    assert found == [nine, eight, seven, again]


def test_observations_follow_one_another_as_their_facts_do(bank: Bank) -> None:
    _told_in_turn(bank, "The depot opens at 7.", "The depot opens at 8.", "The depot opens at 9.")
    facts = {node.text: node for node in Node.objects.filter(bank=bank)}
    for text, fact in facts.items():
        told = nodes.add_node(
            bank,
            text,
            level=Level.L2,
            superseded_at=fact.superseded_at,
            mentioned_at=fact.mentioned_at,
        )
        nodes.link(told, fact)

    with reranker({}, default=0.8):
        found = recall(bank, "When did the depot open before?", levels=(Level.L2,))

    assert [text[-2] for text in texts(found)] == ["8", "7", "9"]


@pytest.mark.parametrize(
    ("first", "last", "best"),
    [("01-01", "01-20", "7"), ("02-05", "02-20", "8"), ("03-05", "03-20", "9")],
)
def test_a_period_that_is_over_is_answered_by_what_held_then(
    bank: Bank, first: str, last: str, best: str
) -> None:
    _told_in_turn(bank, "The depot opens at 7.", "The depot opens at 8.", "The depot opens at 9.")
    window = parse_bounds(f"2024-{first}", f"2024-{last}")

    with reranker({"The depot opens at 7.": 0.85}, default=0.8):
        asked = {"asked_at": datetime(2024, 6, 1, tzinfo=UTC)}
        given = texts(recall(bank, "When did the depot open?", window=window, **asked))
        at_the_time = texts(
            recall(bank, "When did the depot open?", window=window, asked_at=window.end)
        )
        now = texts(recall(bank, "When does the depot open?", **asked))

    assert given[0] == f"The depot opens at {best}."
    assert at_the_time == now == ["The depot opens at 9."]


def test_a_month_in_the_question_is_such_a_period(bank: Bank) -> None:
    _told_in_turn(bank, "The depot opens at 7.", "The depot opens at 8.")
    asked_at = datetime(2024, 6, 1, tzinfo=UTC)

    found = recall(bank, "When did the depot open in January 2024?", asked_at=asked_at)
    later = recall(bank, "When did the depot open in March 2024?", asked_at=asked_at)

    assert texts(found) == ["The depot opens at 7.", "The depot opens at 8."]
    assert texts(later) == ["The depot opens at 8."]


def test_what_was_taken_out_by_hand_held_in_no_period(bank: Bank) -> None:
    told = {"mentioned_at": datetime(2024, 1, 1, tzinfo=UTC)}
    nodes.add_node(bank, "The depot opens at 9.", superseded_at=NOW, trust=TAKEN_OUT, **told)

    assert texts(recall(bank, "When did the depot open in January 2024?")) == []


@pytest.mark.parametrize("year", [1, 9999])
@pytest.mark.parametrize("day", ["01-01", "01-02", "12-31"])
def test_times_at_the_ends_of_the_calendar_are_times(bank: Bank, year: int, day: str) -> None:
    anchor = parse_datetime(f"{year:04}-{day}")
    occurred = {"occurred_start": anchor, "occurred_end": anchor, "mentioned_at": anchor}
    nodes.add_node(bank, "The depot opens at 7.", **occurred)

    for text in ("When did the depot open yesterday?", "The depot last month?", "depot tomorrow"):
        recall(bank, text, asked_at=anchor)
    found = recall(bank, "depot", asked_at=anchor, window=Window(anchor, anchor))

    assert texts(found) == ["The depot opens at 7."]
