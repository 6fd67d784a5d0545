"""What a call may change, and what it tells: refused where it makes no sense, done once."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from rest_framework.test import APIClient

from memory import tasks, tenancy
from memory.api.recall_requests import MAX_QUERY_TOKENS
from memory.models import MemoryChange, MentalModel, Operation
from tests.factories import Org, make_org
from tests.memory_api import BANKS, client_of

pytestmark = pytest.mark.django_db

BANK = f"{BANKS}/x"
CODE = "The gate code is 4711."
MODELS = f"{BANK}/mental-models"
REFRESH = f"{MODELS}/gate/refresh"
ASKED = {"name": "Gate", "source_query": "What is the gate code?", "id": "gate"}


@pytest.fixture
def org(monkeypatch: pytest.MonkeyPatch) -> Org:
    monkeypatch.setattr(tasks.run_operation, "delay", lambda *_: None)
    return make_org()


@pytest.fixture
def client(org: Org) -> APIClient:
    made = client_of(org.editor)
    made.post(f"{BANK}/memories", {"items": [{"content": CODE, "document_id": "a"}]})
    return made


def memory_id(client: APIClient) -> str:
    return str(client.get(f"{BANK}/memories/list").json()["items"][0]["id"])


# -- refused -------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["?!", " \u200b", "⠀"])
def test_memory_is_not_changed_to_no_words(client: APIClient, text: str) -> None:
    address = f"{BANK}/memories/{memory_id(client)}"
    assert client.patch(address, {"text": text}).status_code == 422
    assert client.get(address).json()["text"] == CODE


@pytest.mark.parametrize("content", ["   ", "\u200b", "\n\t"])
def test_directive_of_blanks_is_refused(client: APIClient, content: str) -> None:
    refused = client.post(f"{BANK}/directives", {"name": "Tone", "content": content})
    assert refused.status_code == 422
    assert client.get(f"{BANK}/directives").json()["items"] == []


def test_mental_model_asks_no_more_than_reflect_takes(client: APIClient) -> None:
    question = "gate " * (MAX_QUERY_TOKENS + 1)
    refused = client.post(MODELS, ASKED | {"source_query": question})
    assert (refused.status_code, "longer than 500 tokens" in refused.json()["detail"]) == (
        400,
        True,
    )
    client.post(MODELS, ASKED)
    assert client.patch(f"{MODELS}/gate", {"source_query": question}).status_code == 400
    assert client.get(f"{MODELS}/gate").json()["source_query"] == ASKED["source_query"]


@pytest.mark.parametrize(
    "updates",
    [{"recall_budget_min": 50, "recall_budget_max": 10}, {"recall_budget_max": 10}],
)
def test_least_above_most_is_refused(client: APIClient, updates: dict[str, int]) -> None:
    refused = client.patch(f"{BANK}/config", {"updates": updates})
    assert refused.status_code == 422
    assert "must not be above recall_budget_max (10)" in refused.json()["detail"]
    assert client.get(f"{BANK}/config").json()["overrides"] == {}


def test_memory_that_lost_is_not_said_to_be_valid(client: APIClient, org: Org) -> None:
    later = {"content": "The gate code is 4712.", "document_id": "b"}
    client.post(f"{BANK}/memories", {"items": [later]})
    [lost] = client.get(f"{BANK}/memories/list?state=invalidated").json()["items"]
    refused = client.patch(f"{BANK}/memories/{lost['id']}", {"state": "valid"})
    assert refused.status_code == 422
    assert later["content"] in refused.json()["detail"]
    assert client.get(f"{BANK}/memories/{lost['id']}/history").json()["history"] == []
    with tenancy.scope(org.tenant.pk):
        assert not MemoryChange.objects.exists()


# -- keys ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("memories/{memory}", {}),
        ("memories/{memory}", {"context": "x"}),
        ("mental-models/gate", {}),
        ("mental-models/gate", {"max_tokens": 512}),
        ("config", {"updates": {}}),
    ],
)
def test_key_that_may_only_write_reads_nothing_by_a_change(
    client: APIClient, org: Org, path: str, body: dict[str, Any]
) -> None:
    client.post(MODELS, ASKED)
    writer = client_of(org.editor, scopes=["memory:write"])
    refused = writer.patch(f"{BANK}/{path.format(memory=memory_id(client))}", body)
    assert (refused.status_code, "memory:read" in refused.json()["detail"]) == (403, True)


def test_key_that_may_only_write_retains(client: APIClient, org: Org) -> None:
    writer = client_of(org.editor, scopes=["memory:write"])
    given = {"items": [{"content": "Ana has the key."}]}
    assert writer.post(f"{BANK}/memories", given).status_code == 200


# -- once ----------------------------------------------------------------------------------------


def test_refresh_that_waits_is_not_asked_for_twice(client: APIClient, org: Org) -> None:
    made = client.post(MODELS, ASKED).json()["operation_id"]
    asked = {client.post(REFRESH).json()["operation_id"] for _ in range(5)}
    assert asked == {made}
    with tenancy.scope(org.tenant.pk):
        Operation.objects.update(status="processing")
    assert client.post(REFRESH).json()["operation_id"] != made


def test_refresh_of_another_model_is_its_own(client: APIClient) -> None:
    made = client.post(MODELS, ASKED).json()["operation_id"]
    other = client.post(MODELS, ASKED | {"id": "door"}).json()["operation_id"]
    assert made != other


def test_burst_of_refreshes_is_slowed_down(client: APIClient, org: Org, settings: Any) -> None:
    client.post(MODELS, ASKED)
    settings.FOOTNOTE = settings.FOOTNOTE | {"ASK_BURST": "2/m"}
    asked = [client.post(REFRESH) for _ in range(3)]
    assert [reply.status_code for reply in asked] == [200, 200, 429]
    assert asked[-1].headers["Retry-After"] == "60"


# -- deleting ------------------------------------------------------------------------------------


def test_model_that_follows_is_asked_again_when_a_document_goes(
    client: APIClient, org: Org
) -> None:
    client.post(MODELS, ASKED | {"trigger": {"refresh_after_consolidation": True}})
    with tenancy.scope(org.tenant.pk):
        Operation.objects.all().delete()
        MentalModel.objects.update(content=CODE, based_on={"memories": [memory_id(client)]})
    client.delete(f"{BANK}/documents/a")
    assert client.get(f"{MODELS}/gate").json()["content"] is None
    with tenancy.scope(org.tenant.pk):
        assert Operation.objects.get().payload == {"mental_model": "gate"}


# -- windows -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("end", "until"),
    [
        ("2024-03-02", datetime(2024, 3, 2, 23, 59, 59, 999_999, tzinfo=UTC)),
        ("2024-03-02T00:00:00Z", datetime(2024, 3, 2, tzinfo=UTC)),
        ("9999-12-31", datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)),
    ],
)
def test_window_that_ends_on_a_day_holds_all_of_it(
    client: APIClient, end: str, until: datetime
) -> None:
    window = {"start": "2024-03-02", "end": end}
    asked = {"query": "gate code", "temporal_window": window, "trace": True}
    trace = client.post(f"{BANK}/memories/recall", asked).json()["trace"]
    assert datetime.fromisoformat(trace["query"]["temporal_constraint"]["end"]) == until
