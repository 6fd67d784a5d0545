"""Typed text is data: no address, query or form field breaks a statement, widens it, or says why not."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from tests.sweep.asking import seen, send
from tests.sweep.test_routes import EXPECTED, OPEN, ROUTES, by_key
from tests.sweep.world import World

HOSTILE = [
    "x') OR 1=1 --",
    "area' = 'a' OR '1'='1' --",
    "id; select 1",
    "%' OR '%'='",
    "\x00",
    "a\x00b",
    "\ud83d\ude00'\"\\",
    "{{7*7}}${7*7}%s%(x)s",
    "x" * 10_000,
    "9" * 40,
    "-1",
    "../../../../etc/passwd",
]
_HISTORY = ("q", "kind", "doc_id", "user", "from", "to", "format", "page")
QUERIES = {
    "pages": ("q", "page", "status", "language", "category", "order"),
    "questions": ("page",),
    "questions-export": _HISTORY,
    "links": ("page",),
    "unanswered": ("page",),
    "bin": ("page",),
    "page": ("asked", "cite", "rev", "question"),
    "page-compare": ("from", "to"),
    "page-history": ("page",),
    "page-new": ("title", "slug", "kept"),
    "login": ("next",),
    "switch": ("to",),
    "api-docs": ("q", "page", "status", "language", "category"),
    "api-history": _HISTORY,
    "api-export": _HISTORY,
    "api-share-links": ("page",),
    "memory-banks": ("q", "limit", "offset"),
    "memory-list": (
        *("q", "type", "state", "consolidation_state", "document_id", "entity_id", "tags"),
        *("tags_match", "time_field", "start_date", "end_date", "limit", "offset"),
    ),
    "memory-documents": ("q", "tags", "tags_match", "time_field", "start_date", "limit"),
    "memory-chunks": ("limit", "offset"),
    "memory-entities": ("tags", "tags_match", "tag_groups", "limit"),
    "memory-entity-graph": ("tags", "tag_groups", "min_count", "limit"),
    "memory-graph": ("type", "q", "tags", "document_id", "chunk_id", "limit"),
    "memory-tags": ("q", "source", "limit"),
    "memory-scopes": ("limit", "offset"),
    "memory-directives": ("tags", "tags_match", "active_only"),
    "memory-models": ("tags", "tags_match", "detail"),
    "memory-model": ("detail",),
    "memory-operations": ("status", "type", "limit"),
    "memory-operation": ("include_payload",),
    "memory-growth": ("period", "time_field"),
    "memory-memories": ("type",),
}
FIELDS = {
    "page-new": ("title", "source", "slug", "allowed_groups", "language", "base_revision"),
    "page-edit": ("title", "source", "slug", "allowed_groups", "language", "base_revision"),
    "page-preview": ("source", "source_format", "language"),
    "autosave": ("title", "source", "source_format", "base_revision"),
    "page-ask": ("question", "client_token"),
    "page-share": ("hours", "max_uses"),
    "page-restore": ("base_revision",),
    "question-feedback": ("vote", "comment"),
    "bin": ("doc",),
    "switch": ("tenant",),
    "login": ("username", "password", "next"),
    "password-reset": ("account",),
    "join": ("username", "first_name", "password1"),
}
IN_ADDRESSES = (
    *("tenant_slug", "slug", "name", "token", "uidb64", "rest"),
    *("bank_id", "document_id", "chunk_id", "model_id"),
)
TELLTALE = ("psycopg", "syntax error", "traceback", "operationalerror", "programmingerror")


def actor_of(name: str) -> str:
    return "key of admin" if by_key(name) else "admin"


def check(response: Any) -> None:
    assert response.status_code < 500
    shown = seen(response, {}).text
    assert not any(word in shown for word in TELLTALE)


@pytest.mark.parametrize("name", sorted(QUERIES))
def test_fc_69_text_in_the_query_is_data(world: World, name: str) -> None:
    address = ROUTES[name].address(world.page.values)
    actor = "anonymous" if name == "login" else actor_of(name)
    for parameter in QUERIES[name]:
        for hostile in HOSTILE:
            typed = quote(hostile[:2000], errors="surrogatepass")
            check(send(world.clients[actor], "GET", f"{address}?{parameter}={typed}"))


@pytest.mark.parametrize("name", sorted(set(EXPECTED) - OPEN))
def test_fc_69_text_in_the_address_is_data(world: World, name: str) -> None:
    """It is there for nobody, and finding nothing looks as it always does."""
    for parameter in IN_ADDRESSES:
        if parameter not in ROUTES[name].parameters:
            continue
        plain = ROUTES[name].address(world.page.values | {parameter: "placeholder"})
        for hostile in HOSTILE:
            typed = quote(hostile, safe="", errors="surrogatepass")
            for method in () if name.startswith("memory-not-offered") else EXPECTED[name]:
                address = plain.replace("placeholder", typed)
                check(send(world.clients[actor_of(name)], method, address))


@pytest.mark.parametrize("name", sorted(FIELDS))
def test_fc_69_text_in_a_form_is_data(world: World, name: str) -> None:
    actor = "anonymous" if name in ("login", "password-reset", "join") else "admin"
    sent = dict(EXPECTED[name]["POST"].data or {}) | {"base_revision": "2"}
    for field in FIELDS[name]:
        for hostile in HOSTILE:
            typed = hostile.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
            address = ROUTES[name].address(world.page.values)
            check(send(world.clients[actor], "POST", address, sent | {field: typed}))


@pytest.mark.parametrize("hostile", HOSTILE)
def test_fc_69_list_never_grows(world: World, hostile: str) -> None:
    key = world.clients["key of reader"]
    everything = send(key, "GET", "/v1/kb/docs").json()["count"]
    typed = quote(hostile, errors="surrogatepass")
    for parameter in ("q", "language", "status", "category"):
        reply = send(key, "GET", f"/v1/kb/docs?{parameter}={typed}")
        assert reply.status_code in (200, 400), parameter
        if reply.status_code == 200:
            assert reply.json()["count"] < everything, parameter
