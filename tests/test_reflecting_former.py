"""Questions about what held before, or in a period that is over."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from memory.hits import Hit, Scores, Window
from memory.levels import Level
from memory.reflecting import periods
from tests.factories import make_org
from tests.memory_api import BANKS, client_of

MARCH = Window(datetime(2024, 3, 1, tzinfo=UTC), datetime(2024, 3, 31, tzinfo=UTC))
FORMER = "The depot opens at 7. (until 2024-06-10)"
CURRENT = "The depot now opens at 8."


@pytest.fixture
def client(db: None) -> APIClient:
    client = client_of(make_org().editor)
    client.put(f"{BANKS}/depot", {})
    for text, day in (("The depot opens at 7.", "2024-01-10"), (CURRENT, "2024-06-10")):
        item = {"content": text, "timestamp": f"{day}T09:00:00Z"}
        assert client.post(f"{BANKS}/depot/memories", {"items": [item]}).status_code == 200
    return client


def asked(client: APIClient, question: str) -> dict[str, Any]:
    reply: dict[str, Any] = client.post(f"{BANKS}/depot/reflect", {"query": question}).json()
    return reply


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When does the depot open?", CURRENT),
        ("When did the depot open before?", FORMER),
        ("When did the depot open in March 2024?", FORMER),
        ("When did the depot use to open?", FORMER),
        ("Wann öffnete das Depot früher?", FORMER),
    ],
)
def test_fc_53_former_value_answers_for_its_time_alone(
    client: APIClient, question: str, answer: str
) -> None:
    reply = asked(client, question)
    assert (reply["text"], reply["missing"]) == (answer, [])


def test_fc_53_period_that_no_memory_tells_is_missing(client: APIClient) -> None:
    reply = asked(client, "When did the depot open in July 2024?")
    assert (reply["text"], reply["missing"]) == (CURRENT, ["July", "2024"])


def hit(
    *,
    told: datetime | None = None,
    occurred: datetime | None = None,
    superseded: datetime | None = None,
) -> Hit:
    return Hit(
        id=uuid4(),
        sha="",
        level=Level.L1,
        fact_type=None,
        text="",
        scores=Scores(final=1.0),
        rank=1,
        mentioned_at=told,
        occurred_start=occurred,
        superseded_at=superseded,
    )


@pytest.mark.parametrize(
    ("memory", "is_held"),
    [
        (hit(occurred=datetime(2024, 3, 9, tzinfo=UTC)), True),
        (hit(occurred=datetime(2024, 4, 1, tzinfo=UTC), told=MARCH.start), False),
        (hit(told=datetime(2024, 3, 9, tzinfo=UTC)), True),
        (hit(told=datetime(2024, 1, 9, tzinfo=UTC)), False),
        (hit(told=datetime(2024, 1, 9, tzinfo=UTC), superseded=MARCH.end), True),
        (
            hit(told=datetime(2024, 1, 9, tzinfo=UTC), superseded=datetime(2024, 2, 9, tzinfo=UTC)),
            False,
        ),
        (hit(told=datetime(2024, 5, 9, tzinfo=UTC)), False),
        (hit(), False),
    ],
)
def test_memory_held_in_a_period(memory: Hit, is_held: bool) -> None:
    assert periods.held_in(memory, MARCH) == is_held


def test_times_of_a_memory_meet_the_words_of_its_period_and_no_others() -> None:
    former = hit(told=datetime(2024, 1, 9, tzinfo=UTC), superseded=datetime(2024, 6, 9, tzinfo=UTC))
    words = ("March", "2024", "before", "coffee")
    assert periods.still_missing(words, [former], MARCH) == ("coffee",)
    assert periods.still_missing(words, [former], None) == ("March", "2024", "coffee")
    assert periods.still_missing(words, [], MARCH) == words


def test_month_is_one_beside_a_figure_alone() -> None:
    assert periods.months_of_dates("When did it open in March 2024?") == {"March"}
    assert periods.months_of_dates("Am 3. März oder 2024?") == {"März"}
    assert periods.months_of_dates("Где живёт Марта?") == frozenset()
