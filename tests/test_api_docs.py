"""Pages over HTTP: shapes, rights, conflicts, errors."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from kb.models import Doc, Revision
from memory import tenancy
from memory.models import ApiKey, Membership
from memory.people import keys
from tests.factories import Org, make_org, make_page

pytestmark = pytest.mark.django_db


def client_of(member: Membership, *, scopes: tuple[str, ...] | None = None) -> APIClient:
    with tenancy.scope(member.tenant_id):
        key = keys.create_key(member, scopes=scopes)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {key}")
    return client


def post_page(client: APIClient, **fields: Any) -> Any:
    return client.post("/v1/kb/docs", {"title": "Fees", "source": "# Fees\n\n20 euros."} | fields)


@pytest.fixture
def org() -> Org:
    return make_org()


def test_created_page_has_the_documented_shape_and_defaults(org: Org) -> None:
    reply = post_page(client_of(org.editor))
    assert reply.status_code == 201
    body = reply.json()
    assert body | {"id": 0, "updated_at": 0, "html": 0, "language": 0} == {
        "id": 0,
        "updated_at": 0,
        "html": 0,
        "language": 0,
        "title": "Fees",
        "slug": "fees",
        "status": "draft",
        "visibility": "org_only",
        "index_state": "pending",
        "text": "Fees\n20 euros.",
        "source": "# Fees\n\n20 euros.",
        "source_format": "markdown",
        "revision": 1,
        "links": [],
        "backlinks": [],
        "allowed_groups": [],
        "category": "",
        "owner": org.editor.user.username,
    }
    with tenancy.scope(org.tenant.pk):
        assert Doc.objects.get().owner_id == org.editor.user_id


def test_list_pages_filters_and_counts(org: Org) -> None:
    make_page(org, "One.", title="Overtime policy")
    make_page(org, "Two.", title="Travel")
    body = client_of(org.reader).get("/v1/kb/docs?q=overtime").json()
    assert (body["count"], body["next"], body["previous"]) == (1, None, None)
    assert set(body["results"][0]) == {
        "id",
        "title",
        "slug",
        "status",
        "visibility",
        "language",
        "category",
        "index_state",
        "updated_at",
    }


def test_patch_without_status_publishes_a_published_page_again(org: Org) -> None:
    doc = make_page(org, "Old words.")
    body = client_of(org.editor).patch(f"/v1/kb/docs/{doc.pk}", {"source": "New words."}).json()
    assert (body["status"], body["revision"], body["text"]) == ("published", 2, "New words.")
    assert client_of(org.reader).get(f"/v1/kb/docs/{doc.pk}").json()["text"] == "New words."


def test_stale_base_revision_is_a_conflict_and_saves_nothing(org: Org) -> None:
    doc = make_page(org, "One.")
    client = client_of(org.editor)
    client.patch(f"/v1/kb/docs/{doc.pk}", {"source": "Two.", "base_revision": 1})
    reply = client.patch(f"/v1/kb/docs/{doc.pk}", {"source": "Three.", "base_revision": 1})
    assert reply.status_code == 409
    assert reply.json()["current_revision"] == 2
    with tenancy.scope(org.tenant.pk):
        assert Revision.objects.count() == 2


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"title": ""}, "title"),
        ({"title": "x" * 301}, "title"),
        ({"source": ""}, "source"),
        ({"source": "x" * 500_001}, "source"),
        ({"visibility": "role_restricted"}, "allowed_groups"),
        ({"visibility": "secret"}, "visibility"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_bad_field_is_named_and_nothing_is_saved(
    org: Org, fields: dict[str, str], field: str
) -> None:
    reply = post_page(client_of(org.editor), **fields)
    assert reply.status_code == 400
    assert field in str(reply.json())
    with tenancy.scope(org.tenant.pk):
        assert not Doc.objects.exists()


def test_longest_source_is_saved(org: Org) -> None:
    assert post_page(client_of(org.editor), source="word " * 99_999 + "words").status_code == 201


def test_deleted_page_is_not_found(org: Org) -> None:
    doc = make_page(org, "One.")
    client = client_of(org.editor)
    assert client.delete(f"/v1/kb/docs/{doc.pk}").status_code == 204
    assert client.get(f"/v1/kb/docs/{doc.pk}").status_code == 404


def test_other_tenant_s_page_is_not_found(org: Org) -> None:
    doc = make_page(make_org(), "Theirs.")
    client = client_of(org.admin)
    for reply in (
        client.get(f"/v1/kb/docs/{doc.pk}"),
        client.patch(f"/v1/kb/docs/{doc.pk}", {"title": "Ours"}),
        client.delete(f"/v1/kb/docs/{doc.pk}"),
        client.post(f"/v1/kb/docs/{doc.pk}/ask", {"question": "What?"}),
    ):
        assert reply.status_code == 404
        assert reply.json() == {"detail": "Not found."}


def test_reader_may_not_write(org: Org) -> None:
    doc = make_page(org, "One.")
    client = client_of(org.reader)
    assert post_page(client).status_code == 403
    assert client.patch(f"/v1/kb/docs/{doc.pk}", {"title": "Mine"}).status_code == 403


def test_no_identity_is_401_with_a_hint(org: Org) -> None:
    for client in (APIClient(), APIClient(HTTP_AUTHORIZATION="Bearer fn_nonsense")):
        reply = client.get("/v1/kb/docs")
        assert reply.status_code == 401
        assert reply["WWW-Authenticate"] == "Bearer"
        assert set(reply.json()) == {"detail"}


def test_key_without_the_scope_is_refused(org: Org) -> None:
    client = client_of(org.editor, scopes=("kb:read",))
    assert client.get("/v1/kb/docs").status_code == 200
    assert post_page(client).status_code == 403


def test_key_stops_working_when_revoked_expired_or_its_owner_leaves(org: Org) -> None:
    client = client_of(org.reader)
    assert client.get("/v1/kb/docs").status_code == 200
    with tenancy.scope(org.tenant.pk):
        ApiKey.objects.update(revoked_at="2020-01-01T00:00:00Z")
    assert client.get("/v1/kb/docs").status_code == 401
    with tenancy.scope(org.tenant.pk):
        ApiKey.objects.update(revoked_at=None, expires_at="2020-01-01T00:00:00Z")
    assert client.get("/v1/kb/docs").status_code == 401
    with tenancy.scope(org.tenant.pk):
        ApiKey.objects.update(expires_at=None)
    Membership.objects.filter(pk=org.reader.pk).update(is_active=False)
    assert client.get("/v1/kb/docs").status_code == 401


def test_key_is_stored_as_a_digest_only(org: Org) -> None:
    with tenancy.scope(org.tenant.pk):
        key = keys.create_key(org.editor)
        row = ApiKey.objects.get()
    assert key not in str(vars(row))
    assert row.digest != key


@pytest.mark.parametrize("title", ["half \udc8f pair", "NUL \x00 byte", "pair \U0001f600"])
def test_fc_59_odd_characters_in_a_title_never_break_a_save(org: Org, title: str) -> None:
    body = f'{{"title": {ascii_json(title)}, "source": "Text."}}'
    reply = client_of(org.editor).post("/v1/kb/docs", body, content_type="application/json")
    assert reply.status_code in (201, 400)
    if reply.status_code == 201:
        assert "\x00" not in reply.json()["title"]
        reply.json()["title"].encode()  # no half of a pair is stored


def ascii_json(text: str) -> str:
    import json

    return json.dumps(text)


def test_list_costs_the_same_queries_for_more_pages(
    org: Org, django_assert_max_num_queries: Any
) -> None:
    for number in range(12):
        make_page(org, "Words.", title=f"Page {number}")
    client = client_of(org.reader)
    with django_assert_max_num_queries(13):
        assert client.get("/v1/kb/docs").json()["count"] == 12


def test_category_and_owner_are_set_and_narrow_the_list(org: Org) -> None:
    client = client_of(org.editor)
    made = post_page(client, category="policy").json()
    post_page(client, category="runbook")
    assert (made["category"], made["owner"]) == ("policy", org.editor.user.username)
    body = client.get("/v1/kb/docs?category=policy").json()
    assert [one["id"] for one in body["results"]] == [made["id"]]
    cleared = client.patch(f"/v1/kb/docs/{made['id']}", {"category": ""}).json()
    assert cleared["category"] == ""


def test_page_handed_over_by_its_last_reader_is_still_returned(org: Org) -> None:
    client = client_of(org.editor)
    fields = {"visibility": "role_restricted", "allowed_groups": ["hr"], "status": "published"}
    made = post_page(client, **fields).json()
    reply = client.patch(f"/v1/kb/docs/{made['id']}", {"owner": org.admin.user.username})
    assert (reply.status_code, reply.json()["owner"]) == (200, org.admin.user.username)
    assert client.get(f"/v1/kb/docs/{made['id']}").status_code == 404
