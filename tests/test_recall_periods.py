"""Questions for whatever happened in a period: the temporal arm answers them, past the floor."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from memory import tenancy
from memory.hits import Arm
from memory.models import Bank
from memory.recall.request import Floor
from tests import nodes
from tests.recalls import recall, reranker, texts

ASKED = datetime(2025, 6, 15, tzinfo=UTC)
FLOOR = {"floor": Floor.OF_RERANKER, "asked_at": ASKED}


@pytest.fixture
def bank(db: None) -> Iterator[Bank]:
    """Facts of May, and one of March, all told in June."""
    tenant = nodes.make_tenant()
    with tenancy.scope(tenant.pk):
        bank = nodes.make_bank(tenant)
        for text, month in (("Ana moved.", 5), ("The depot opened.", 5), ("Ben left.", 3)):
            _add(bank, text, month)
        yield bank


def _add(bank: Bank, text: str, month: int, **fields: Any) -> None:
    at = datetime(2025, month, 12, tzinfo=UTC)
    told = {"mentioned_at": datetime(2025, 6, 1, tzinfo=UTC)}
    nodes.add_node(bank, text, **{"occurred_start": at, "occurred_end": at, **told, **fields})


@pytest.mark.parametrize(
    "query", ["what happened in May 2025", "Was war im Mai?", "What happened last month?"]
)
def test_what_happened_in_the_period_passes_the_floor(bank: Bank, query: str) -> None:
    with reranker({}, default=0.01, floor=0.5):
        found = recall(bank, query, **FLOOR)

    assert not found.abstained
    assert set(texts(found)) == {"Ana moved.", "The depot opened."}
    assert {hit.scores.reranker for hit in found.hits} == {None}
    assert all(hit.scores.final > 0.5 for hit in found.hits)


def test_what_was_only_told_then_comes_after_what_happened(bank: Bank) -> None:
    then = datetime(2025, 5, 16, tzinfo=UTC)
    _add(bank, "Cats purr.", 5, occurred_start=None, occurred_end=None, mentioned_at=then)

    with reranker({"Cats purr.": 0.4}, floor=0.5):
        found = texts(recall(bank, "What happened in May?", **FLOOR))

    assert found[-1] == "Cats purr."
    assert len(found) == 3


def test_what_happened_at_another_time_is_no_answer_however_alike(bank: Bank) -> None:
    with reranker({}, default=0.9, floor=0.5):
        found = recall(bank, "What happened in April 2025?", **FLOOR)
        unfloored = recall(bank, "What happened in May 2025?", asked_at=ASKED)

    assert (found.abstained, found.best_score) == (True, 0.0)
    assert texts(unfloored)[-1] == "Ben left."


def test_empty_period_abstains(bank: Bank) -> None:
    with reranker({}, default=0.01, floor=0.5):
        found = recall(bank, "What happened in April 2025?", **FLOOR)

    assert found.abstained
    assert not found.hits


@pytest.mark.parametrize("query", ["Where did Zoe work in May 2025?", "What happened?"])
def test_question_for_more_than_a_period_has_to_clear_the_floor(bank: Bank, query: str) -> None:
    with reranker({}, default=0.01, floor=0.5):
        assert recall(bank, query, **FLOOR).abstained


def test_bank_without_the_temporal_arm_has_no_such_answer(bank: Bank) -> None:
    arms = frozenset(Arm) - {Arm.TEMPORAL}
    with reranker({}, default=0.01, floor=0.5):
        assert recall(bank, "What happened in May 2025?", arms=arms, **FLOOR).abstained
