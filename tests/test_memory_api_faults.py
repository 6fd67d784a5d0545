"""What a caller is told when something of ours fails: to try again, and nothing of its insides."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import InterfaceError, OperationalError

from memory import bank_settings, banks, trying
from memory.errors import ExtractionFailed, InvalidBank
from memory.models import Bank
from memory.recall import engine as recalling
from memory.reflecting import engine as reflecting
from memory.retain import engine as retaining
from memory.retain.writing import Overtaken
from tests.factories import make_org
from tests.memory_api import BANKS, client_of

pytestmark = pytest.mark.django_db
ITEMS = {"items": [{"content": "The tide is high."}]}


@pytest.mark.parametrize(
    ("where", "name", "path", "body", "error"),
    [
        (recalling, "recall_as", "recall", {"query": "x"}, OperationalError("deadlock detected")),
        (recalling, "recall_as", "recall", {"query": "x"}, InterfaceError("connection closed")),
        (retaining, "retain", "", ITEMS, OperationalError("server closed the connection")),
        (retaining, "retain", "", ITEMS, Overtaken("a document")),
        (trying, "try_extraction", "dry-run-extract", {"content": "x"}, ExtractionFailed("secret")),
    ],
)
def test_fault_that_passes_says_when_to_try_again(
    monkeypatch: pytest.MonkeyPatch, where: Any, name: str, path: str, body: Any, error: Exception
) -> None:
    client = client_of(make_org().editor)
    client.put(f"{BANKS}/x", {})

    def fail(*args: Any, **more: Any) -> Any:
        raise error

    monkeypatch.setattr(where, name, fail)
    refused = client.post(f"{BANKS}/x/memories/{path}".rstrip("/"), body)
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1")
    assert str(error) not in refused.json()["detail"]


def test_bank_that_somebody_else_removed_meanwhile_is_not_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    org = make_org()
    client = client_of(org.admin)
    client.put(f"{BANKS}/x", {})
    delete = banks.delete

    def second(bank: Bank) -> int:
        delete(bank)
        return delete(bank)

    monkeypatch.setattr(banks, "delete", second)
    assert client.delete(f"{BANKS}/x").status_code == 404


def test_refusal_takes_back_what_the_request_wrote(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bank that a request makes is not there when the request is refused afterwards."""
    client = client_of(make_org().editor)

    def refuse(*args: Any) -> None:
        raise InvalidBank("This cannot be.")

    monkeypatch.setattr(bank_settings, "change", refuse)
    refused = client.put(f"{BANKS}/x", {"name": "One"})
    assert (refused.status_code, refused.json()) == (422, {"detail": "This cannot be."})
    assert client.get(BANKS).json()["total"] == 0


def test_burst_of_reflections_is_slowed_down(settings: Any) -> None:
    settings.FOOTNOTE = settings.FOOTNOTE | {"ASK_BURST": "2/m"}
    org = make_org()
    client, other = client_of(org.editor), client_of(org.reader)
    client.post(f"{BANKS}/x/memories", ITEMS)
    asked = [client.post(f"{BANKS}/x/reflect", {"query": "tide?"}) for _ in range(3)]
    assert [reply.status_code for reply in asked] == [200, 200, 429]
    assert asked[-1].headers["Retry-After"] == "60"
    assert other.post(f"{BANKS}/x/reflect", {"query": "tide?"}).status_code == 200


def test_reflect_that_cannot_read_is_a_fault_not_a_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    client = client_of(make_org().editor)
    client.post(f"{BANKS}/x/memories", ITEMS)

    def fail(*args: Any) -> Any:
        raise OperationalError("x")

    monkeypatch.setattr(reflecting, "reflect", fail)
    assert client.post(f"{BANKS}/x/reflect", {"query": "tide?"}).status_code == 503
