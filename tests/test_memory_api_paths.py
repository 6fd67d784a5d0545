"""Ids with slashes in addresses, with and without the address as it was sent."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from memory import banks, tenancy
from memory.retain import engine
from memory.retain.items import RetainItem
from tests.factories import Org, make_org
from tests.memory_api import BANKS, client_of

pytestmark = pytest.mark.django_db
DOCUMENTS = f"{BANKS}/x/documents"


@pytest.fixture
def org() -> Org:
    return make_org()


@pytest.fixture
def client(org: Org) -> APIClient:
    return client_of(org.editor)


def sent(uri: str, *, by: str = "RAW_URI") -> dict[str, Any]:
    """What a server says of the address that was sent."""
    return {by: uri}


@pytest.mark.parametrize(
    ("address", "uri", "answers"),
    [
        ("a/chunks", f"{DOCUMENTS}/a%2Fchunks", "document"),
        ("a/chunks", f"{DOCUMENTS}/a%2fchunks?x=1", "document"),
        ("a/chunks", f"http://host{DOCUMENTS}/a%2Fchunks", "document"),
        ("a/chunks", f"{DOCUMENTS}/a/chunks", "chunks"),
        ("a/chunks", "", "chunks"),
        ("a/chunks/chunks", f"{DOCUMENTS}/a%2Fchunks/chunks", "chunks of a/chunks"),
    ],
)
def test_id_that_ends_like_a_part_is_told_from_the_part(
    client: APIClient, org: Org, address: str, uri: str, answers: str
) -> None:
    with tenancy.scope(org.tenant.pk):
        bank = banks.open_or_create(org.editor, "x")
        for name in ("a", "a/chunks"):
            engine.retain(bank.pk, [RetainItem(content=f"This is {name}.", document_name=name)])
    found = client.get(f"{DOCUMENTS}/{address}", **sent(uri)).json()
    if answers == "document":
        assert found["id"] == "a/chunks"
    else:
        named = "a/chunks" if answers.endswith("a/chunks") else "a"
        assert [chunk["document_id"] for chunk in found["items"]] == [named]


@pytest.mark.parametrize("by", ["RAW_URI", "REQUEST_URI", ""])
@pytest.mark.parametrize(
    ("name", "encoded"),
    [
        ("hr/alice", "hr%2Falice"),
        ("/", "%2F"),
        ("a//b/", "a%2F%2Fb%2F"),
        ("a%2Fb", "a%252Fb"),
        ("5% of é", "5%25%20of%20%C3%A9"),
    ],
)
def test_id_of_a_bank_may_hold_slashes(client: APIClient, by: str, name: str, encoded: str) -> None:
    extra = sent(f"{BANKS}/{encoded}", by=by) if by else {}
    assert client.put(f"{BANKS}/{encoded}", {}, **extra).json()["bank_id"] == name
    extra = sent(f"{BANKS}/{encoded}/stats?refresh=true", by=by) if by else {}
    assert client.get(f"{BANKS}/{encoded}/stats", **extra).json()["bank_id"] == name


def test_bytes_that_were_sent_as_they_are_are_utf_8(client: APIClient) -> None:
    """WSGI passes every byte as the character of its number."""
    uri = f"{BANKS}/é%2Fb".encode().decode("latin-1")
    assert client.put(f"{BANKS}/é%2Fb", {}, **sent(uri)).json()["bank_id"] == "é/b"


def test_id_that_ends_like_an_address_of_another_bank_is_its_own(client: APIClient) -> None:
    """Where the address is known as it was sent; a decoded one means the shorter id."""
    for name in ("a", "a%2Fstats"):
        client.put(f"{BANKS}/{name}", {}, **sent(f"{BANKS}/{name}"))
    assert {bank["bank_id"] for bank in client.get(BANKS).json()["banks"]} == {"a", "a/stats"}
    as_sent = client.patch(f"{BANKS}/a%2Fstats", {}, **sent(f"{BANKS}/a%2Fstats"))
    assert as_sent.json()["bank_id"] == "a/stats"
    assert client.get(f"{BANKS}/a%2Fstats").json()["bank_id"] == "a"


def test_misspelt_address_makes_no_bank_of_a_longer_name(client: APIClient) -> None:
    address = f"{BANKS}/a/memorys"
    assert client.put(address, {}, **sent(address)).status_code == 404
    assert client.get(BANKS).json()["total"] == 0


def test_very_long_decoded_address_is_looked_up_only_so_far(client: APIClient) -> None:
    assert client.get(f"{BANKS}/{'a/' * 3_000}stats").status_code == 404


@pytest.mark.parametrize("step", ["%2E", "%2E%2E"])
@pytest.mark.parametrize(
    ("method", "rest", "body"),
    [
        ("put", "", {}),
        ("post", "/memories", {"items": [{"content": "The tide is high."}]}),
        ("post", "/memories", {"items": [{"content": "The tide is high."}], "async": True}),
    ],
)
def test_id_that_addresses_drop_is_no_bank(
    client: APIClient, step: str, method: str, rest: str, body: Any
) -> None:
    address = f"{BANKS}/{step}{rest}"
    refused = getattr(client, method)(address, body, **sent(address))
    assert refused.status_code == 422
    assert "neither “.” nor “..”" in refused.json()["detail"]
    assert client.get(BANKS).json()["total"] == 0


def test_id_that_addresses_drop_is_no_document_and_no_mental_model(client: APIClient) -> None:
    for mode in ({}, {"async": True}):
        items = [{"content": "The tide is high.", "document_id": ".."}]
        refused = client.post(f"{BANKS}/x/memories", {"items": items} | mode)
        assert (refused.status_code, "neither" in refused.json()["detail"]) == (422, True)
    client.put(f"{BANKS}/x", {})
    model = {"id": ".", "name": "Tides", "source_query": "When is high tide?"}
    refused = client.post(f"{BANKS}/x/mental-models", model)
    assert (refused.status_code, "neither" in refused.json()["detail"]) == (422, True)
