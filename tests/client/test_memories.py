"""Lists of memories, correcting one, its history, and the graph, through the client."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from hindsight_client import Hindsight
from hindsight_client_api.exceptions import ApiException, NotFoundException
from hindsight_client_api.models.update_memory_request import UpdateMemoryRequest

from memory import tenancy
from memory.browsing import graphs
from memory.browsing.memories import MemoryFilter
from memory.models import Bank
from tests.client.conftest import BANK
from tests.client.sending import run
from tests.factories import Org

MIRA, JO = "Mira runs the depot in Lyon.", "Jo drives the van to Porto."


@pytest.fixture
def bank(client: Hindsight) -> str:
    client.retain(BANK, MIRA, document_id="notes/mira", tags=["a"], timestamp="2024-01-01")
    client.retain(BANK, JO, document_id="jo", context="handover", timestamp="2025-01-01")
    return BANK


def texts(client: Hindsight, **more: Any) -> list[str]:
    return [memory.text for memory in client.list_memories(BANK, **more).items]


def memory_id(client: Hindsight, text: str) -> str:
    return next(one.id for one in client.list_memories(BANK).items if one.text == text)


def change(client: Hindsight, of: str, **fields: Any) -> Any:
    return run(client.memory.update_memory(BANK, of, UpdateMemoryRequest(**fields)))


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, [JO, MIRA]),
        ({"type": "experience"}, []),
        ({"search_query": "depot"}, [MIRA]),
        ({"search_query": "HANDOVER"}, [JO]),
        ({"search_query": "%"}, []),
        ({"document_id": "notes/mira"}, [MIRA]),
        ({"tags": ["a"], "tags_match": "any_strict"}, [MIRA]),
        ({"tags": ["a", "b"], "tags_match": "all_strict"}, []),
        ({"tags_match": "exact"}, [JO]),
        ({"time_field": "mentioned_at"}, [JO, MIRA]),
        ({"time_field": "mentioned_at", "end_date": "2025-01-01T00:00:00Z"}, [MIRA]),
        ({"time_field": "mentioned_at", "start_date": "2025-01-01"}, [JO]),
        ({"time_field": "occurred_start"}, []),
        ({"limit": 1, "offset": 1}, [MIRA]),
        ({"state": "invalidated"}, []),
        ({"consolidation_state": "pending"}, [JO, MIRA]),
        ({"consolidation_state": "done"}, []),
        ({"consolidation_state": "failed"}, []),
    ],
)
def test_list_is_narrowed(client: Hindsight, bank: str, wanted: Any, expected: list[str]) -> None:
    assert texts(client, **wanted) == expected


def test_list_of_what_mentions_an_entity(client: Hindsight, bank: str) -> None:
    entities = run(client.entities.list_entities(BANK)).items
    [porto] = [entity for entity in entities if entity.canonical_name == "Porto"]
    assert texts(client, entity_id=porto.id) == [JO]
    assert texts(client, entity_id=str(uuid.uuid4())) == []


def test_corrected_memory_is_found_by_its_new_words(client: Hindsight, bank: str) -> None:
    of = memory_id(client, MIRA)
    changed = change(
        client,
        of,
        text="Mira runs the quarry in Nice.",
        context="phone",
        occurred_start="2024-02-01",
        occurred_end="2024-02-02",
        fact_type="experience",
        entities=["Mira", "Nice"],
        reason="She moved.",
    )
    assert (changed["text"], changed["fact_type"]) == (
        "Mira runs the quarry in Nice.",
        "experience",
    )
    assert changed["entities"] == ["Mira", "Nice"]
    assert changed["edited_at"] is not None
    best = client.recall(BANK, "quarry").results[0]
    assert (best.id, best.text) == (of, "Mira runs the quarry in Nice.")
    assert best.scores.keyword > 0
    assert all(result.scores.keyword is None for result in client.recall(BANK, "depot").results)
    [entry] = run(client.memory.get_observation_history(BANK, of))["history"]
    assert (entry["kind"], entry["reason"]) == ("edited", "She moved.")
    assert entry["before"]["text"] == MIRA
    assert entry["by"] is not None


def test_invalidated_memory_leaves_recall_and_comes_back(client: Hindsight, bank: str) -> None:
    of = memory_id(client, MIRA)
    lost = change(client, of, state="invalidated", reason="wrong")
    assert (lost["state"], lost["invalidation_reason"]) == ("invalidated", "wrong")
    assert {result.text for result in client.recall(BANK, "Who runs the depot?").results} == {JO}
    assert texts(client, state="invalidated") == [MIRA]
    assert texts(client) == [JO]
    assert change(client, of, state="valid")["state"] == "valid"
    assert MIRA in {result.text for result in client.recall(BANK, "depot").results}
    kinds = [
        entry["kind"] for entry in run(client.memory.get_observation_history(BANK, of))["history"]
    ]
    assert kinds == ["restored", "invalidated"]


def test_change_that_does_not_fit_changes_nothing(client: Hindsight, bank: str) -> None:
    of = memory_id(client, MIRA)
    for fields in (
        {"text": "  "},
        {"fact_type": "observation"},
        {"occurred_start": "2024-02-02", "occurred_end": "2024-02-01"},
        {"state": "gone"},
    ):
        with pytest.raises(ApiException) as refused:
            change(client, of, **fields)
        assert refused.value.status == 422
    assert run(client.memory.get_memory(BANK, of))["text"] == MIRA
    assert run(client.memory.get_observation_history(BANK, of))["history"] == []


def test_memory_of_another_bank_is_not_there(client: Hindsight, bank: str) -> None:
    client.create_bank("other")
    of = memory_id(client, MIRA)
    for call in (client.memory.get_memory, client.memory.get_observation_history):
        with pytest.raises(NotFoundException):
            run(call("other", of))
    with pytest.raises(NotFoundException):
        change(client, str(uuid.uuid4()), context="x")


def test_observations_are_removed_and_their_facts_stay(client: Hindsight) -> None:
    for number in (1, 2):
        client.retain(BANK, MIRA, document_id=f"d{number}")
    client.update_bank_config(BANK, enable_auto_consolidation=False)
    [observation] = client.list_memories(BANK, type="observation").items
    assert (observation.proof_count, len(observation.source_memory_ids)) == (2, 2)
    done = client.list_memories(BANK, consolidation_state="done").items
    assert {fact.id for fact in done} == set(observation.source_memory_ids)
    assert all(fact.consolidated_at for fact in done)
    cleared = run(client.memory.clear_memory_observations(BANK, done[0].id))
    assert cleared.deleted_count == 1
    assert texts(client) == [MIRA, MIRA]
    assert run(client.banks.clear_observations(BANK)).deleted_count == 0


@pytest.mark.usefixtures("eager_tasks")
@pytest.mark.parametrize(("makes_them", "left"), [(True, 1), (False, 0)])
def test_cleared_observations_are_made_anew_where_the_bank_makes_them(
    client: Hindsight, makes_them: bool, left: int
) -> None:
    for number in (1, 2):
        client.retain(BANK, MIRA, document_id=f"d{number}")
    client.update_bank_config(BANK, enable_auto_consolidation=makes_them)
    [before] = client.list_memories(BANK, type="observation").items
    cleared = run(client.memory.clear_memory_observations(BANK, before.source_memory_ids[0]))
    after = client.list_memories(BANK, type="observation").items
    assert (cleared.deleted_count, len(after)) == (1, left)
    assert before.id not in {observation.id for observation in after}
    operations = run(client.operations.list_operations(BANK, type="consolidation"))
    assert operations.total == left


@pytest.mark.parametrize(
    "fields", [{"text": "Mira left."}, {"state": "invalidated"}, {"context": "phone"}]
)
def test_observation_is_not_changed_by_hand(client: Hindsight, fields: Any) -> None:
    for number in (1, 2):
        client.retain(BANK, MIRA, document_id=f"d{number}")
    [observation] = client.list_memories(BANK, type="observation").items
    with pytest.raises(ApiException) as refused:
        change(client, observation.id, **fields)
    assert refused.value.status == 422
    assert "correct the facts it rests on" in refused.value.body
    assert texts(client, type="observation") == [MIRA]


def test_graph_says_how_many_edges_it_leaves_out(
    client: Hindsight, org: Org, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in (1, 2):
        client.retain(BANK, MIRA, document_id=f"d{number}")
    with tenancy.scope(org.tenant.pk):
        bank = Bank.objects.get(name=BANK)
        every = graphs.graph(bank, MemoryFilter(), limit=100)
        monkeypatch.setattr(graphs, "_MOST_LINKS", 1)
        capped = graphs.graph(bank, MemoryFilter(), limit=100)
    assert (len(every.links) > 1, every.links_left_out) == (True, 0)
    assert list(capped.links) == list(every.links[:1])
    assert capped.links_left_out == len(every.links) - 1


def test_graph_shows_memories_and_what_connects_them(client: Hindsight) -> None:
    for number in (1, 2):
        client.retain(BANK, MIRA, document_id=f"d{number}", tags=["a"])
    graph = run(client.memory.get_graph(BANK))
    assert graph.total_units == len(graph.nodes) == len(graph.table_rows) == 3
    kinds = {edge.data.link_type for edge in graph.edges}
    assert {"derived_from", "entity"} <= kinds
    ids = {node.data.id for node in graph.nodes}
    assert all({edge.data.source, edge.data.target} <= ids for edge in graph.edges)
    one = run(client.memory.get_graph(BANK, limit=1, type="world", tags=["a"]))
    assert (len(one.nodes), one.total_units, one.edges) == (1, 2, [])
    chunk = next(row.chunk_id for row in graph.table_rows if row.document_id == "d1")
    assert run(client.memory.get_graph(BANK, chunk_id=chunk)).total_units == 1
    assert run(client.memory.get_graph(BANK, chunk_id="x_y_0")).total_units == 0
    assert run(client.memory.get_graph(BANK, document_id="d2", q="depot")).total_units == 1


@pytest.mark.parametrize("fields", [{}, {"reason": "because"}, {"resolve_entities": False}])
def test_change_of_nothing_is_refused(client: Hindsight, bank: str, fields: Any) -> None:
    with pytest.raises(ApiException) as refused:
        change(client, memory_id(client, MIRA), **fields)
    assert refused.value.status == 422
    assert "what shall be otherwise" in refused.value.body
