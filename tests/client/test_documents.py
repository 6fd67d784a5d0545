"""Documents, their passages, tags and entities, through the client."""

from __future__ import annotations

from typing import Any

import pytest
from hindsight_client import Hindsight
from hindsight_client_api.exceptions import ApiException, NotFoundException
from hindsight_client_api.models.update_document_observation_scopes import (
    UpdateDocumentObservationScopes,
)
from hindsight_client_api.models.update_document_request import UpdateDocumentRequest

from tests.client.conftest import BANK
from tests.client.sending import run, send

TEXT = "Mira runs the depot in Lyon. Jo drives the van to Porto."
AWKWARD = ["notes/2024/a", "100%_sure", "a b", "naïve/ü", "x') OR 1=1 --", "a/chunks", "q?x=1#y"]


@pytest.fixture
def bank(client: Hindsight) -> str:
    client.retain(
        BANK, TEXT, document_id="notes/1", tags=["a"], metadata={"k": "v"}, context="chat"
    )
    client.retain(BANK, "Bo sells bread in Lyon.", document_id="bo", tags=["a", "b"])
    return BANK


def names(client: Hindsight, **more: Any) -> list[str]:
    return [item.id for item in run(client.documents.list_documents(BANK, **more)).items]


def test_document_is_read_back_with_its_text(client: Hindsight, bank: str) -> None:
    document = run(client.documents.get_document(BANK, "notes/1"))
    assert (document.original_text, document.bank_id) == (TEXT, BANK)
    assert (document.memory_unit_count, document.nodes_by_fact_type) == (2, {"world": 2})
    assert (document.tags, document.document_metadata) == (["a"], {"k": "v"})
    assert document.retain_params["context"] == "chat"
    assert document.observation_scopes.actual_instance == "combined"


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, {"bo", "notes/1"}),
        ({"q": "NOTES"}, {"notes/1"}),
        ({"q": "bread"}, {"bo"}),
        ({"q": "nothing"}, set()),
        ({"tags": ["b"], "tags_match": "any_strict"}, {"bo"}),
        ({"tags": ["a"], "tags_match": "exact"}, {"notes/1"}),
        ({"time_field": "created_at", "end_date": "2001-01-01"}, set()),
        ({"time_field": "created_at", "start_date": "2001-01-01"}, {"bo", "notes/1"}),
    ],
)
def test_list_is_narrowed(client: Hindsight, bank: str, wanted: Any, expected: set[str]) -> None:
    assert set(names(client, **wanted)) == expected


def test_list_says_what_matched_and_is_paged(client: Hindsight, bank: str) -> None:
    [item] = run(client.documents.list_documents(BANK, q="bread")).items
    assert (item.matched_fields, item.text_length) == (["original_text"], 23)
    [item] = run(client.documents.list_documents(BANK, q="notes")).items
    assert item.matched_fields == ["id"]
    page = run(client.documents.list_documents(BANK, limit=1, offset=1))
    assert (len(page.items), page.total, page.total_is_estimate) == (1, 2, False)


@pytest.mark.parametrize("name", AWKWARD)
def test_ids_may_hold_anything(client: Hindsight, name: str) -> None:
    client.retain(BANK, "Bo sells bread.", document_id=name)
    assert run(client.documents.get_document(BANK, name)).id == name
    [chunk] = run(client.documents.list_document_chunks(BANK, name)).items
    assert (chunk.document_id, chunk.chunk_index, chunk.chunk_text) == (name, 0, "Bo sells bread.")
    assert run(client.documents.get_chunk(chunk.chunk_id)).chunk_text == "Bo sells bread."
    [memory] = client.list_memories(BANK, document_id=name).items
    assert memory.chunk_id == chunk.chunk_id
    assert run(client.documents.delete_document(BANK, name)).memory_units_deleted == 1


def test_other_tags_reach_the_memories(client: Hindsight, bank: str) -> None:
    run(client.documents.update_document(BANK, "bo", UpdateDocumentRequest(tags=["new"])))
    assert run(client.documents.get_document(BANK, "bo")).tags == ["new"]
    found = client.recall(BANK, "bread", tags=["new"], tags_match="exact").results
    assert [result.text for result in found] == ["Bo sells bread in Lyon."]
    with pytest.raises(ApiException) as refused:
        run(client.documents.update_document(BANK, "bo", UpdateDocumentRequest(tags=[""])))
    assert refused.value.status == 422


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("shared", [[]]),
        ("per_tag", [["a"], ["b"]]),
        ([["a"]], [["a"]]),
        ("combined", [["a", "b"]]),
    ],
)
def test_other_scopes_reach_the_observations(client: Hindsight, rule: Any, expected: Any) -> None:
    for name in ("d1", "d2"):
        client.retain(BANK, "The depot opens at 8.", document_id=name, tags=["a", "b"])
    for name in ("d1", "d2"):
        scopes = UpdateDocumentRequest(observation_scopes=UpdateDocumentObservationScopes(rule))
        assert run(client.documents.update_document(BANK, name, scopes)).success
    document = run(client.documents.get_document(BANK, "d1"))
    assert document.observation_scopes.actual_instance == rule
    assert document.tags == ["a", "b"]
    found = run(client.memory.list_observation_scopes(BANK)).scopes
    assert sorted(scope.tags for scope in found) == expected


def test_facts_whose_scopes_part_have_no_observation(client: Hindsight) -> None:
    for name in ("d1", "d2"):
        client.retain(BANK, "The depot opens at 8.", document_id=name, tags=["a"])
    shared = UpdateDocumentRequest(observation_scopes=UpdateDocumentObservationScopes("shared"))
    run(client.documents.update_document(BANK, "d1", shared))
    assert run(client.memory.list_observation_scopes(BANK)).total == 0


@pytest.mark.parametrize("body", [{}, {"observation_scopes": "mine"}, {"tags": "a"}])
def test_change_of_a_document_that_says_nothing_is_refused(
    client: Hindsight, bank: str, body: Any
) -> None:
    refused = send(client, body, to=f"{BANK}/documents/bo", method="PATCH")
    assert refused.status == 422


def test_empty_tags_clear_them(client: Hindsight, bank: str) -> None:
    run(client.documents.update_document(BANK, "bo", UpdateDocumentRequest(tags=[])))
    assert run(client.documents.get_document(BANK, "bo")).tags == []


def test_deleted_document_takes_its_memories_along(client: Hindsight, bank: str) -> None:
    gone = run(client.documents.delete_document(BANK, "notes/1"))
    assert (gone.success, gone.document_id, gone.memory_units_deleted) == (True, "notes/1", 2)
    assert {memory.document_id for memory in client.list_memories(BANK).items} == {"bo"}
    for call in (client.documents.get_document, client.documents.delete_document):
        with pytest.raises(NotFoundException):
            run(call(BANK, "notes/1"))
    with pytest.raises(NotFoundException):
        run(client.documents.get_chunk("support_notes/1_0"))


@pytest.mark.usefixtures("eager_tasks")
def test_document_is_processed_again(client: Hindsight, bank: str) -> None:
    done = run(client.documents.reprocess_document(BANK, "notes/1"))
    status = run(client.operations.get_operation_status(BANK, done.operation_id))
    assert (status.status, status.operation_type) == ("completed", "reprocess_document")
    assert run(client.documents.get_document(BANK, "notes/1")).memory_unit_count == 2


def test_tags_are_counted_and_looked_for(client: Hindsight, bank: str) -> None:
    counts = {item.tag: item.count for item in run(client.memory.list_tags(BANK)).items}
    assert counts == {"a": 3, "b": 1}
    assert [item.tag for item in run(client.memory.list_tags(BANK, limit=1)).items] == ["a"]
    assert run(client.memory.list_tags(BANK, q="B*")).total == 1
    assert run(client.memory.list_tags(BANK, q="x')--*")).total == 0
    assert run(client.memory.list_tags(BANK, source="mental_models")).items == []


def test_entities_and_who_is_mentioned_together(client: Hindsight, bank: str) -> None:
    named = [{"text": "Mira"}, {"text": "Lyon"}]
    client.retain(BANK, "She lives there.", document_id="home", entities=named)
    listed = run(client.entities.list_entities(BANK))
    mentions = {entity.canonical_name: entity.mention_count for entity in listed.items}
    assert mentions["Lyon"] == 3
    assert listed.items[0].canonical_name == "Lyon"
    narrowed = run(client.entities.list_entities(BANK, tags=["b"], tags_match="any_strict"))
    assert {entity.canonical_name: entity.mention_count for entity in narrowed.items}["Lyon"] == 1
    grouped = run(client.entities.list_entities(BANK, tag_groups='[{"tags": ["b"]}]'))
    assert grouped.items == narrowed.items
    lyon = run(client.entities.get_entity(BANK, listed.items[0].id))
    assert (lyon.canonical_name, lyon.observations) == ("Lyon", [])
    with pytest.raises(NotFoundException):
        run(client.entities.get_entity(BANK, lyon.id, tags=["none"], tags_match="any_strict"))
    graph = run(client.entities.get_entity_graph(BANK))
    labels = {node.data.id: node.data.label for node in graph.nodes}
    pairs = {frozenset((labels[one.data.source], labels[one.data.target])) for one in graph.edges}
    assert frozenset(("Mira", "Lyon")) in pairs
    assert graph.total_edges == len(graph.edges)
    assert run(client.entities.get_entity_graph(BANK, min_count=3)).edges == []


def test_scopes_of_observations(client: Hindsight) -> None:
    for number in (1, 2):
        client.retain(BANK, "The depot opens at 8.", document_id=f"d{number}", tags=["b", "a"])
    scopes = run(client.memory.list_observation_scopes(BANK))
    assert [(scope.tags, scope.count) for scope in scopes.scopes] == [(["a", "b"], 1)]
    found = client.recall(BANK, "depot", types=["observation"], tags=["a", "b"], tags_match="exact")
    assert len(found.results) == 1
