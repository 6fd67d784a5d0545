"""Recall through the client: every filter, every option, every field of the reply."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import OperationalError
from hindsight_client import Hindsight
from hindsight_client_api.exceptions import NotFoundException

from memory.recall import engine
from tests.client.conftest import BANK
from tests.client.sending import recalled, run, send

ALICE = "Alice prefers async communication"
BOB = "Bob dislikes long meetings"
TEAM = "Team uses Slack for announcements"
POLICY = "Company policy: no meetings on Fridays"
EVERYTHING = {ALICE, BOB, TEAM, POLICY}
QUERY = "How do people communicate and hold meetings?"


@pytest.fixture
def bank(client: Hindsight) -> str:
    client.retain_batch(
        BANK,
        [
            {"content": ALICE, "tags": ["user:alice"]},
            {"content": BOB, "tags": ["user:bob"]},
            {"content": TEAM, "tags": ["user:alice", "team"]},
            {"content": POLICY},
        ],
    )
    return BANK


def texts(client: Hindsight, **more: Any) -> set[str]:
    return {result.text for result in client.recall(BANK, QUERY, **more).results}


@pytest.mark.parametrize(
    ("match", "tags", "expected"),
    [
        ("any", ["user:alice"], {ALICE, TEAM, POLICY}),
        ("any_strict", ["user:alice"], {ALICE, TEAM}),
        ("all", ["user:alice", "team"], {TEAM, POLICY}),
        ("all_strict", ["user:alice", "team"], {TEAM}),
        ("exact", ["user:alice"], {ALICE}),
        ("exact", ["team", "user:alice"], {TEAM}),
        ("any_strict", ["user:carol"], set()),
        ("all_strict", ["user:carol"], set()),
        ("any", ["user:carol"], {POLICY}),
        ("any_strict", ["user:alice", "user:bob"], {ALICE, BOB, TEAM}),
    ],
)
def test_tag_mode_gives_the_documented_memories(
    client: Hindsight, bank: str, match: Any, tags: list[str], expected: set[str]
) -> None:
    assert texts(client, tags=tags, tags_match=match) == expected


@pytest.mark.parametrize("tags", [None, []], ids=["null", "empty"])
@pytest.mark.parametrize(
    ("match", "expected"),
    [
        ("any", EVERYTHING),
        ("all", EVERYTHING),
        ("any_strict", EVERYTHING),
        ("all_strict", EVERYTHING),
        ("exact", {POLICY}),
    ],
)
def test_fc_52_empty_filter_is_no_filter_but_for_exact(
    client: Hindsight, bank: str, tags: Any, match: Any, expected: set[str]
) -> None:
    assert texts(client, tags=tags, tags_match=match) == expected


def test_every_field_of_a_result_is_there(client: Hindsight) -> None:
    client.retain(
        BANK,
        "Alice moved to Porto on 3 May 2024.",
        timestamp="2024-05-04T09:00:00Z",
        context="chat",
        document_id="a/b",
        metadata={"channel": "team"},
        entities=[{"text": "Porto"}],
        tags=["user:alice"],
    )
    reply = client.recall(
        BANK, "Where did Alice move?", include_entities=True, include_chunks=True, trace=True
    )
    [result] = reply.results
    assert (result.text, result.type) == ("Alice moved to Porto on 3 May 2024.", "world")
    assert (result.context, result.document_id, result.tags) == ("chat", "a/b", ["user:alice"])
    assert result.metadata == {"channel": "team"}
    assert result.mentioned_at == "2024-05-04T09:00:00+00:00"
    assert result.occurred_start.startswith("2024-05-03T00:00:00")
    assert result.occurred_end.startswith("2024-05-03T23:59:59")
    assert "Porto" in result.entities
    assert result.source_fact_ids is None
    assert 0 <= result.scores.reranker <= 1
    assert result.scores.semantic is not None
    assert result.scores.keyword > 0
    chunk = reply.chunks[result.chunk_id]
    assert (chunk.id, chunk.text, chunk.chunk_index) == (result.chunk_id, result.text, 0)
    assert not chunk.truncated
    entity = reply.entities["Porto"]
    assert (entity.canonical_name, entity.observations) == ("Porto", [])
    assert reply.source_facts is None
    assert {arm["method_name"] for arm in reply.trace["retrieval_results"]} >= {"semantic", "bm25"}
    assert reply.trace["query"]["query_text"] == "Where did Alice move?"


def test_observation_comes_with_its_facts_or_in_their_place(client: Hindsight) -> None:
    for number in (1, 2):
        client.retain(BANK, "The depot opens at 8.", document_id=f"d{number}", tags=["depot"])
    reply = client.recall(BANK, "When does the depot open?", include_source_facts=True)
    [observation] = [result for result in reply.results if result.type == "observation"]
    facts = {result.id for result in reply.results if result.type == "world"}
    assert set(observation.source_fact_ids) == facts == set(reply.source_facts)
    assert all(fact.scores is None for fact in reply.source_facts.values())
    assert reply.source_facts_truncated is False
    cut = client.recall(
        BANK, "When does the depot open?", include_source_facts=True, max_source_facts_tokens=0
    )
    assert (cut.source_facts, cut.source_facts_truncated) == ({}, True)
    alone = client.recall(BANK, "When does the depot open?", prefer_observations=True)
    assert [result.type for result in alone.results] == ["observation"]
    assert texts_of(client.recall(BANK, "depot", types=["observation"])) == {
        "The depot opens at 8."
    }


def texts_of(reply: Any) -> set[str]:
    return {result.text for result in reply.results}


def test_entities_come_unless_they_are_refused(client: Hindsight, bank: str) -> None:
    assert client.recall(BANK, QUERY).entities is None  # the client sends an explicit null
    assert recalled(client, {"query": QUERY})["entities"] is not None


def test_fc_47_budget_leaves_out_what_does_not_fit(client: Hindsight) -> None:
    long, longer = "alpha " * 120, "alpha " * 150
    client.retain(BANK, long.strip(), document_id="long")
    assert texts_of(client.recall(BANK, "alpha", max_tokens=80)) == {long.strip()}
    assert (
        recalled(client, {"query": "alpha", "max_tokens": 80})["results"][0]["over_budget"] is True
    )
    client.retain(BANK, longer.strip(), document_id="longer")
    client.retain(BANK, "alpha beta", document_id="short")
    assert texts_of(client.recall(BANK, "alpha", max_tokens=80)) == {"alpha beta"}
    assert texts_of(client.recall(BANK, "alpha", max_tokens=0)) == set()
    only_chunks = client.recall(BANK, "alpha", max_tokens=0, include_chunks=True)
    assert only_chunks.results == []
    assert only_chunks.chunks


@pytest.mark.parametrize("floor", [0, 0.0, None, "absent"])
def test_fc_45_no_floor_by_default_and_zero_is_none(
    client: Hindsight, bank: str, floor: Any
) -> None:
    body = {"query": QUERY} if floor == "absent" else {"query": QUERY, "min_score": floor}
    found = recalled(client, body)
    assert len(found["results"]) == len(EVERYTHING)
    assert (found["abstained"], found["floor"]) == (False, None)


def test_floor_of_ours_cuts_and_says_so(client: Hindsight, bank: str) -> None:
    found = recalled(client, {"query": QUERY, "min_score": 1.01})
    assert (found["results"], found["abstained"], found["floor"]) == ([], True, 1.01)
    assert found["best_score"] <= 1
    assert "1.01" in found["message"]
    assert found["levels"] == ["L1", "L2"]


def test_levels_of_ours_reach_the_passages(client: Hindsight, bank: str) -> None:
    found = recalled(client, {"query": QUERY, "levels": ["L0"]})
    assert {result["level"] for result in found["results"]} == {"L0"}
    assert {result["type"] for result in found["results"]} == {None}


def test_floors_of_a_stage(client: Hindsight, bank: str) -> None:
    assert texts(client, min_scores={"reranker": 1.01}) == set()
    found = recalled(client, {"query": QUERY, "min_scores": {"reranker": 1.01}})
    assert found["message"].startswith("Nothing of what was found is left by min_scores")
    assert texts(client, min_scores={"final": 0}) == EVERYTHING
    assert texts(client, min_scores={"semantic": 1.01, "keyword": 1e9}) == set()


def test_window_ranks_and_does_not_filter(client: Hindsight) -> None:
    for year in (2022, 2023, 2024):
        client.retain(BANK, f"Pricing decision {year}.", timestamp=f"{year}-05-01T00:00:00Z")
    window = {"start": "2023-04-01T00:00:00", "end": "2023-06-30T23:59:59Z"}
    found = client.recall(BANK, "pricing decision", temporal_window=window)
    assert len(found.results) == 3
    assert found.results[0].text == "Pricing decision 2023."
    same = {"start": "2023-05-01T00:00:00Z", "end": "2023-05-01T00:00:00Z"}
    assert len(client.recall(BANK, "pricing", temporal_window=same).results) == 3


@pytest.mark.parametrize(
    "start", ["2025-09-21T10:00:00", "2025-09-21T10:00:00+02:00", "2025-09-21"]
)
def test_fc_54_window_in_each_form(client: Hindsight, bank: str, start: str) -> None:
    window = {"start": start, "end": "2025-09-22"}
    assert len(client.recall(BANK, QUERY, temporal_window=window).results) == len(EVERYTHING)


def test_groups_and_fuzzy_tags(client: Hindsight, bank: str) -> None:
    both = [{"tags": ["user:alice"], "match": "all_strict"}, {"not": {"tags": ["team"]}}]
    assert texts(client, tag_groups=both) == {ALICE}
    either = [{"or": [{"tags": ["user:bob"]}, {"and": [{"tags": ["team"]}]}]}]
    assert texts(client, tag_groups=either) == {BOB, TEAM}
    fuzzy = [{"tags": ["user:alcie"], "match": "any_strict", "resolve": "fuzzy"}]
    assert texts(client, tag_groups=fuzzy) == {ALICE, TEAM}
    assert texts(client, tag_groups=either, tags_match="exact") == set()


def test_switched_off_arm_is_not_asked(client: Hindsight, bank: str) -> None:
    client.update_bank_config(BANK, enable_text_search=False)
    trace = client.recall(BANK, QUERY, trace=True).trace
    assert "bm25" not in {arm["method_name"] for arm in trace["retrieval_results"]}


def test_types_narrow_and_old_ones_are_passed_over(client: Hindsight, bank: str) -> None:
    assert texts(client, types=["world", "opinion"]) == EVERYTHING
    assert texts(client, types=["experience"]) == set()
    assert texts(client, types=["opinion"]) == set()


def nested(layers: int) -> list[Any]:
    group: Any = {"tags": ["a"]}
    for _ in range(layers):
        group = {"not": group}
    return [group]


NAUGHTY = [
    ({"query": ""}, 422),
    ({"query": "?! …"}, 422),
    ({}, 422),
    ({"query": 5}, 422),
    ({"query": "word " * 501}, 400),
    ({"query": "x", "types": ["belief"]}, 422),
    ({"query": "x", "tags": [], "tag_groups": []}, 422),
    ({"query": "x", "tags": ["a"], "tag_groups": [{"tags": ["b"]}]}, 422),
    ({"query": "x", "tags_match": "some"}, 422),
    ({"query": "x", "tag_groups": [{"tag": ["a"]}]}, 422),
    ({"query": "x", "tag_groups": {"tags": ["a"]}}, 422),
    ({"query": "x", "tag_groups": nested(50)}, 422),
    ({"query": "x", "tag_groups": nested(900)}, 400),
    ({"query": "x", "tags": ["a" * 201]}, 422),
    ({"query": "x", "query_timestamp": "soon"}, 400),
    ({"query": "x", "temporal_window": {"start": "2024-02-01", "end": "2024-01-01"}}, 422),
    ({"query": "x", "temporal_window": {"start": "2024-02-01"}}, 422),
    ({"query": "x", "min_scores": {"semantics": 0.5}}, 422),
    ({"query": "x", "min_score": "0"}, 422),
    ({"query": "x", "min_score": True}, 422),
    ({"query": "x", "max_tokens": "80"}, 422),
    ({"query": "x", "budget": "huge"}, 422),
    ({"query": "x", "user_id": "u1"}, 422),
    ({"query": "x", "filters": {"user": "u1"}}, 422),
    ({"query": "x", "include": {"chunk": {}}}, 422),
    ([], 422),
]


@pytest.mark.parametrize(("body", "status"), NAUGHTY)
def test_fc_39_what_is_not_known_or_does_not_fit_is_refused(
    client: Hindsight, bank: str, body: Any, status: int
) -> None:
    answered = send(client, body)
    assert answered.status == status
    assert "detail" in json.loads(answered.data)


def test_bank_that_is_not_there_is_404_and_is_not_made(client: Hindsight) -> None:
    with pytest.raises(NotFoundException):
        client.recall("nowhere", QUERY)
    assert run(client.banks.list_banks()).total == 0


def test_fc_69_tags_and_keys_are_data(client: Hindsight, bank: str) -> None:
    for tag in ("x') OR 1=1 --", "area' = 'a' OR '1'='1' --", "%", "_"):
        assert texts(client, tags=[tag], tags_match="any_strict") == set()
    too_long = send(client, {"query": "x", "tags": ["x" * 10_000]})
    assert too_long.status == 422
    assert b"psycopg" not in too_long.data


def test_fc_39_memories_of_another_user_never_come(client: Hindsight) -> None:
    client.retain(BANK, "lives in Lyon", tags=["user:u1"])
    client.retain(BANK, "lives in Porto", tags=["user:u2"])
    query = "Where do I live?"
    for scope in ({"tags": ["user:u1"]}, {"tag_groups": [{"tags": ["user:u1"]}]}):
        assert texts_of(client.recall(BANK, query, **scope)) == {"lives in Lyon"}


def test_reply_of_a_busy_server_is_tried_again(
    client: Hindsight, bank: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([OperationalError("deadlock detected"), None])
    through = engine.recall_as

    def busy(*args: Any) -> Any:
        if (error := next(answers)) is not None:
            raise error
        return through(*args)

    monkeypatch.setattr(engine, "recall_as", busy)
    assert texts(client) == EVERYTHING
    monkeypatch.setattr(
        engine, "recall_as", lambda *args: (_ for _ in ()).throw(OperationalError("x"))
    )
    answered = send(client, {"query": "x"})
    assert (answered.status, answered.getheader("Retry-After")) == (503, "1")
    assert b"deadlock" not in answered.data
