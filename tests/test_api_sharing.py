"""Share links over HTTP."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from kb.models import ShareLink, Visibility
from memory import tenancy
from memory.models import Role
from tests.factories import Org, make_member, make_org, make_page
from tests.test_api_docs import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def org() -> Org:
    return make_org()


def test_made_link_opens_the_page_for_a_guest(org: Org) -> None:
    doc = make_page(org, "The fee is 20.")
    reply = client_of(org.editor).post(f"/v1/kb/docs/{doc.pk}/share-links", {"max_uses": 2})
    assert reply.status_code == 201
    body = reply.json()
    assert set(body) == {
        "id",
        "url",
        "state",
        "created_by",
        "created_at",
        "expires_at",
        "revoked_at",
        "max_uses",
        "used_count",
    }
    assert (body["state"], body["max_uses"], body["used_count"]) == ("open", 2, 0)
    assert body["created_by"] == org.editor.user.username
    guest = Client().get(body["url"].removeprefix("http://testserver"))
    assert "The fee is 20." in str(guest.content, "utf-8")


def test_list_tells_of_every_link_newest_first(org: Org) -> None:
    doc = make_page(org, "Words.")
    client = client_of(org.editor)
    made = [client.post(f"/v1/kb/docs/{doc.pk}/share-links").json()["id"] for _ in range(2)]
    client.delete(f"/v1/kb/share-links/{made[0]}")
    body = client.get(f"/v1/kb/docs/{doc.pk}/share-links").json()
    assert body["count"] == 2
    assert [(one["id"], one["state"]) for one in body["results"]] == [
        (made[1], "open"),
        (made[0], "revoked"),
    ]


def test_deleting_revokes_and_may_be_repeated(org: Org) -> None:
    doc = make_page(org, "Words.")
    client = client_of(org.editor)
    body = client.post(f"/v1/kb/docs/{doc.pk}/share-links").json()
    for _ in range(2):
        assert client.delete(f"/v1/kb/share-links/{body['id']}").status_code == 204
    assert Client().get(body["url"].removeprefix("http://testserver")).status_code == 410


@pytest.mark.parametrize(
    "fields",
    [
        {"max_uses": -1},
        {"max_uses": 10**9},
        {"max_uses": "many"},
        {"expires_at": "yesterday"},
        {"expires_at": (timezone.now() - timedelta(minutes=1)).isoformat()},
        {"expires_at": "9999-12-31T23:59:59Z"},
        {"expires": "2030-01-01T00:00:00Z"},
    ],
)
def test_link_out_of_bounds_is_refused(org: Org, fields: dict[str, object]) -> None:
    doc = make_page(org, "Words.")
    reply = client_of(org.editor).post(f"/v1/kb/docs/{doc.pk}/share-links", fields)
    assert reply.status_code == 400
    with tenancy.scope(org.tenant.pk):
        assert not ShareLink.objects.exists()


def test_reader_and_read_only_key_are_refused(org: Org) -> None:
    doc = make_page(org, "Words.")
    url = f"/v1/kb/docs/{doc.pk}/share-links"
    for client in (client_of(org.reader), client_of(org.editor, scopes=("kb:read",))):
        assert [client.get(url).status_code, client.post(url).status_code] == [403, 403]


def test_page_and_link_that_one_may_not_see_are_not_there(org: Org) -> None:
    doc = make_page(org, "Words.", visibility=Visibility.ROLE_RESTRICTED, allowed_groups=["hr"])
    link = client_of(org.editor).post(f"/v1/kb/docs/{doc.pk}/share-links").json()
    for client in (client_of(make_member(org, Role.EDITOR)), client_of(make_org().admin)):
        for doc_id, link_id in ((doc.pk, link["id"]), (uuid.uuid4(), uuid.uuid4())):
            replies = [
                client.get(f"/v1/kb/docs/{doc_id}/share-links"),
                client.post(f"/v1/kb/docs/{doc_id}/share-links"),
                client.delete(f"/v1/kb/share-links/{link_id}"),
            ]
            assert [(one.status_code, one.json()) for one in replies] == [
                (404, {"detail": "Not found."})
            ] * 3
