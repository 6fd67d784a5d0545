"""Retain through the client: every option, at once and in the background."""

from __future__ import annotations

import asyncio
import json
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hindsight_client import Hindsight
from hindsight_client_api.exceptions import ApiException
from hindsight_client_api.models.content import Content
from hindsight_client_api.models.dry_run_extract_request import DryRunExtractRequest

from tests.client.conftest import BANK
from tests.client.sending import run, send

pytestmark = pytest.mark.usefixtures("eager_tasks")
FACT = "Mira runs the depot in Lyon."


def memories(client: Hindsight, **more: Any) -> list[Any]:
    return client.list_memories(BANK, **more).items


def test_everything_that_is_said_with_a_memory_is_kept(client: Hindsight) -> None:
    done = client.retain(
        BANK,
        FACT,
        timestamp=datetime(2025, 9, 21, 10, tzinfo=UTC),
        context="handover",
        document_id="notes/1",
        metadata={"shift": "early"},
        entities=[{"text": "Mira", "type": "person"}],
        tags=["depot"],
        observation_scopes="per_tag",
        update_mode="replace",
        resolve_entities=False,
    )
    assert (done.success, done.bank_id, done.items_count, done.var_async) == (True, BANK, 1, False)
    assert done.usage.total_tokens == 0
    [memory] = memories(client)
    assert (memory.text, memory.context, memory.document_id) == (FACT, "handover", "notes/1")
    assert (memory.metadata, memory.tags, memory.fact_type) == (
        {"shift": "early"},
        ["depot"],
        "world",
    )
    assert memory.mentioned_at == "2025-09-21T10:00:00+00:00"
    assert "Mira" in memory.entities.split(", ")
    assert (memory.state, memory.chunk_id) == ("valid", f"{BANK}_notes/1_0")


def test_same_document_takes_the_place_of_the_old_one_or_is_added_to(client: Hindsight) -> None:
    client.retain(BANK, "The gate is green.", document_id="a")
    client.retain(BANK, "The gate is blue.", document_id="a")
    assert {memory.text for memory in memories(client)} == {"The gate is blue."}
    client.retain(BANK, "The roof is red.", document_id="a", update_mode="append")
    assert {memory.text for memory in memories(client)} == {"The gate is blue.", "The roof is red."}


def test_fc_49_same_content_twice_is_one_memory(client: Hindsight) -> None:
    for _ in range(2):
        client.retain(BANK, "Coffee break is at 10.")
    assert len(memories(client)) == 1


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("2025-09-21T10:00:00", "2025-09-21T10:00:00+00:00"),
        ("2025-09-21T10:00:00+02:00", "2025-09-21T08:00:00+00:00"),
        ("2025-09-21", "2025-09-21T00:00:00+00:00"),
        ("unset", None),
    ],
)
def test_fc_54_time_with_and_without_a_zone(client: Hindsight, given: str, kept: Any) -> None:
    client.retain(BANK, FACT, timestamp=given)
    assert memories(client)[0].mentioned_at == kept


def test_tags_of_the_batch_and_of_the_item_are_joined(client: Hindsight) -> None:
    client.retain_batch(
        BANK,
        [{"content": FACT, "tags": ["a"]}, {"content": "Jo drives the van.", "document_id": "own"}],
        document_id="shared",
        document_tags=["b"],
    )
    tags = {memory.document_id: memory.tags for memory in memories(client)}
    assert tags == {"shared": ["a", "b"], "own": ["b"]}


def test_blocks_of_text_are_read_and_images_refused(client: Hindsight) -> None:
    client.retain(BANK, [{"type": "text", "text": FACT}, {"type": "text", "text": "Jo drives."}])
    assert {memory.text for memory in memories(client)} == {FACT, "Jo drives."}
    image = {"type": "base64", "media_type": "image/png", "data": "AAAA"}
    with pytest.raises(ApiException) as refused:
        client.retain(BANK, [{"type": "image", "source": image}])
    assert refused.value.status == 422


CHAT = [
    {"role": "user", "content": [{"type": "text", "text": "I moved to Lyon."}]},
    {
        "type": "message",
        "role": "assistant",
        "content": [
            {"type": "text", "text": "I booked the blue van."},
            {"type": "text", "text": "The office closes at six."},
        ],
    },
]


@pytest.mark.parametrize("runs", [{}, {"async": True}])
def test_turns_of_nested_blocks_are_read_as_turns(client: Hindsight, runs: Any) -> None:
    """As chats with language models are kept. The client sends no such content, but others do."""
    assert send(client, {"items": [{"content": CHAT}]} | runs, to=f"{BANK}/memories").status == 200
    assert {memory.text: memory.fact_type for memory in memories(client)} == {
        "I moved to Lyon.": "world",
        "I booked the blue van.\nThe office closes at six.": "experience",
    }
    tried = send(client, {"content": CHAT}, to=f"{BANK}/memories/dry-run-extract")
    assert json.loads(tried.data)["facts"][0]["text"] == "I moved to Lyon."


@pytest.mark.parametrize(
    "part",
    [
        {"type": "image_url", "image_url": {"url": "x"}},
        {"type": "tool_use", "input": {}},
        None,
        {"type": "text", "text": 5},
    ],
)
def test_turn_with_more_than_texts_is_refused(client: Hindsight, part: Any) -> None:
    turn = {"role": "user", "content": [{"type": "text", "text": FACT}, part]}
    refused = send(client, {"items": [{"content": [turn]}]}, to=f"{BANK}/memories")
    assert refused.status == 422
    assert "only texts are read" in json.loads(refused.data)["detail"]


@pytest.mark.parametrize(
    "too_long",
    [
        {"document_id": "d" * 501},
        {"tags": ["t" * 201]},
        {"context": "c" * 2_001},
        {"metadata": {"k" * 201: "v"}},
        {"entities": [{"text": "e" * 201}]},
    ],
)
def test_what_is_too_long_to_be_kept_is_refused(
    client: Hindsight, too_long: dict[str, Any]
) -> None:
    with pytest.raises(ApiException) as refused:
        client.retain_batch(BANK, [{"content": FACT, **too_long}])
    assert refused.value.status == 422


def test_in_the_background_it_can_be_watched(client: Hindsight) -> None:
    done = client.retain(BANK, FACT, retain_async=True)
    assert done.var_async
    assert done.operation_ids == [done.operation_id]
    status = run(client.operations.get_operation_status(BANK, done.operation_id))
    assert (status.status, status.operation_type) == ("completed", "retain")
    assert [memory.text for memory in memories(client)] == [FACT]
    listed = run(client.operations.list_operations(BANK, status="completed", type="retain"))
    assert [one.id for one in listed.operations] == [done.operation_id]
    assert listed.operations[0].items_count == 1


def test_same_operation_id_is_the_same_work(client: Hindsight) -> None:
    operation_id = str(uuid.uuid4())
    for _ in range(2):
        done = client.retain(BANK, FACT, retain_async=True, operation_id=operation_id)
        assert done.operation_id == operation_id
    assert run(client.operations.list_operations(BANK)).total == 1
    with pytest.raises(ApiException) as taken:
        client.retain("another", FACT, retain_async=True, operation_id=operation_id)
    assert taken.value.status == 409


def test_files_become_documents(client: Hindsight, tmp_path: Path) -> None:
    page, note = tmp_path / "page.md", tmp_path / "note.txt"
    page.write_text("# Depot\n\nThe depot opens at 8.\n")
    note.write_text("Jo drives the van.")
    done = client.retain_files(
        BANK, [page, note], files_metadata=[{"tags": ["md"]}, {"document_id": "jo", "context": "c"}]
    )
    assert len(done.operation_ids) == 2
    found = {memory.document_id: memory for memory in memories(client)}
    assert found["page.md"].tags == ["md"]
    assert found["jo"].context == "c"
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(ApiException) as refused:
        client.retain_files(BANK, [picture])
    assert refused.value.status == 422


def test_fc_60_table_and_code_of_a_file_are_known_as_such(
    client: Hindsight, tmp_path: Path
) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Depots\n\n| City | Lead |\n|---|---|\n| Lyon | Paul Roux |\n\n```sh\nmake all\nmake run\n```\n"
    )
    client.retain_files(BANK, [page])
    assert {memory.text for memory in memories(client)} == {
        "City Lyon — Lead Paul Roux",
        "make all\nmake run",
    }


def test_bank_says_which_scopes_hold_where_an_item_names_none(client: Hindsight) -> None:
    client.create_bank(BANK)
    client.update_bank_config(BANK, default_observation_scopes="shared")
    client.retain(BANK, FACT, document_id="a", tags=["t"])
    client.retain(BANK, FACT, document_id="b", tags=["t"], observation_scopes="combined")
    scopes = {
        name: run(client.documents.get_document(BANK, name)).observation_scopes.actual_instance
        for name in ("a", "b")
    }
    assert scopes == {"a": "shared", "b": "combined"}


def test_fc_58_nul_is_removed_wherever_it_stands(client: Hindsight) -> None:
    client.retain(
        BANK,
        "Mira\x00 runs it.",
        metadata={"a\x00": "b\x00c"},
        tags=["t\x00ag"],
        document_id="d\x00",
    )
    [memory] = memories(client)
    assert (memory.text, memory.metadata, memory.tags) == ("Mira runs it.", {"a": "bc"}, ["tag"])
    document = run(client.documents.get_document(BANK, "d"))
    assert document.original_text == "Mira runs it."
    assert len(client.recall(BANK, "runs", tags=["t\x00ag"], tags_match="exact").results) == 1


def test_suspended_client_sends_nothing(client: Hindsight) -> None:
    with client.suspend_retains():
        assert client.retain(BANK, FACT).items_count == 0
    assert run(client.banks.list_banks()).total == 0


def test_dry_run_stores_nothing(client: Hindsight) -> None:
    client.create_bank(BANK)
    request = DryRunExtractRequest(content=Content(actual_instance=FACT))
    tried = run(client.memory.dry_run_extract_memories(BANK, request))
    assert [(fact.text, fact.fact_type, fact.chunk_index) for fact in tried.facts] == [
        (FACT, "world", 0)
    ]
    assert [chunk.fact_count for chunk in tried.chunks] == [1]
    assert client.list_memories(BANK).total == 0


def test_fc_48_writes_at_once_are_all_found(client: Hindsight, live_server: Any) -> None:
    words = [f"marker{number}" for number in range(8)]

    async def write() -> Any:
        return await asyncio.gather(
            *(client.aretain(BANK, f"The {word} is here.", document_id=word) for word in words),
            return_exceptions=True,
        )

    said_ok = [done for done in run(write()) if not isinstance(done, Exception)]
    kept = {memory.document_id for memory in memories(client)}
    assert len(said_ok) == len(words) == len(kept)


@pytest.mark.parametrize(
    "item",
    [
        {"content": ""},
        {"content": "   "},
        {"content": FACT, "colour": "red"},
        {"content": FACT, "timestamp": "yesterday"},
        {"content": FACT, "metadata": {"a": 1}},
        {"content": FACT, "tags": [""]},
        {"content": FACT, "update_mode": "merge"},
        {"content": FACT, "observation_scopes": "all"},
        {"content": 5},
        {},
    ],
    ids=lambda item: json.dumps(item)[:40],
)
def test_item_that_does_not_fit_is_refused_and_nothing_kept(
    client: Hindsight, live_server: Any, item: dict[str, Any]
) -> None:
    async def send() -> int:
        session = client._api_client.rest_client
        response = await session.request(
            "POST",
            f"{live_server.url}/v1/default/banks/{BANK}/memories",
            headers=client._api_client.default_headers | {"Content-Type": "application/json"},
            body={"items": [item]},
        )
        return int(response.status)

    assert run(send()) == 422
    assert run(client.banks.list_banks()).total == 0
