"""Ids with slashes in addresses, with and without the address as it was sent."""

from __future__ import annotations

from typing import Any

import pytest

from memory import banks, tenancy
from memory.retain import engine
from memory.retain.items import RetainItem
from tests.factories import make_org
from tests.memory_api import BANKS, client_of

pytestmark = pytest.mark.django_db
DOCUMENTS = f"{BANKS}/x/documents"


@pytest.mark.parametrize(
    ("address", "sent", "answers"),
    [
        ("a/chunks", f"{DOCUMENTS}/a%2Fchunks", "document"),
        ("a/chunks", f"{DOCUMENTS}/a%2fchunks?x=1", "document"),
        ("a/chunks", f"{DOCUMENTS}/a/chunks", "chunks"),
        ("a/chunks", "", "chunks"),
        ("a/chunks/chunks", f"{DOCUMENTS}/a%2Fchunks/chunks", "chunks of a/chunks"),
    ],
)
def test_id_that_ends_like_a_part_is_told_from_the_part(
    address: str, sent: str, answers: str
) -> None:
    org = make_org()
    with tenancy.scope(org.tenant.pk):
        bank = banks.open_or_create(org.editor, "x")
        for name in ("a", "a/chunks"):
            engine.retain(bank.pk, [RetainItem(content=f"This is {name}.", document_name=name)])
    client = client_of(org.editor)
    extra: dict[str, Any] = {"RAW_URI": sent} if sent else {}
    found = client.get(f"{DOCUMENTS}/{address}", **extra).json()
    if answers == "document":
        assert found["id"] == "a/chunks"
    else:
        named = "a/chunks" if answers.endswith("a/chunks") else "a"
        assert [chunk["document_id"] for chunk in found["items"]] == [named]
