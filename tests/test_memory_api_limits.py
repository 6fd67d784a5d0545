"""How much a call may cost, and what a body may weigh."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import banks, mental_models, tenancy
from memory.retain import engine
from memory.retain.items import RetainItem
from tests.factories import Org, make_org
from tests.memory_api import BANKS, client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def org() -> Org:
    """A bank of 40 memories in 20 documents, with 10 mental models."""
    org = make_org()
    with tenancy.scope(org.tenant.pk):
        bank = banks.open_or_create(org.editor, "x")
        items = [
            RetainItem(
                content=f"Mira saw {name} in Lyon. Jo saw {name} in Porto.",
                document_name=f"d{name}",
                tags=("a",),
            )
            for name in range(20)
        ]
        engine.retain(bank.pk, items)
        for number in range(10):
            values = {"title": f"m{number}", "query": "Who saw what?", "tags": ["a"]}
            mental_models.create(bank, values)
    return org


@pytest.mark.parametrize(
    ("method", "path", "body", "most"),
    [
        ("get", "", None, 12),
        ("get", "/x/memories/list", None, 14),
        ("get", "/x/documents", None, 13),
        ("get", "/x/graph", None, 16),
        ("get", "/x/entities", None, 12),
        ("get", "/x/entities/graph", None, 12),
        ("get", "/x/tags", None, 12),
        ("get", "/x/mental-models", None, 12),
        ("get", "/x/stats", None, 14),
        ("post", "/x/memories/recall", {"query": "Who saw 7 in Lyon?"}, 34),
    ],
)
def test_number_of_queries_does_not_follow_the_number_of_rows(
    org: Org, method: str, path: str, body: Any, most: int
) -> None:
    client = client_of(org.editor)
    getattr(client, method)(f"{BANKS}{path}", body)  # what a process looks up once
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert getattr(client, method)(f"{BANKS}{path}", body).status_code == 200
    counted = [one["sql"] for one in queries if "SAVEPOINT" not in one["sql"]]
    assert len(counted) <= most


def test_body_that_is_too_long_is_refused(org: Org) -> None:
    content = "x" * (9 * 2**20)
    refused = client_of(org.editor).post(f"{BANKS}/x/memories", {"items": [{"content": content}]})
    assert refused.status_code == 413
    assert refused.json() == {"detail": "The body of this request is too long."}


@pytest.mark.parametrize("body", ["{", "[" * 100_000, "\xff", '{"query": NaN}', "null", "5", '""'])
def test_body_that_is_no_object_is_refused(org: Org, body: str) -> None:
    refused = client_of(org.editor).generic(
        "POST", f"{BANKS}/x/memories/recall", body, content_type="application/json"
    )
    assert refused.status_code in (400, 422)
    assert refused.json()["detail"]


def test_absent_body_is_an_empty_one_and_null_is_none(org: Org) -> None:
    client, address = client_of(org.editor), f"{BANKS}/x/consolidate"
    assert client.generic("POST", address).status_code == 200
    absent = client.generic("POST", address, "", content_type="application/json")
    null = client.generic("POST", address, "null", content_type="application/json")
    assert (absent.status_code, null.status_code) == (200, 422)
