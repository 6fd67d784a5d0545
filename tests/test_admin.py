"""The administration: who enters, that it ends at the tenant's edge, and that history is only read."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import escape

from kb import intake
from kb.models import Doc, IndexState, QaQuestion
from memory import audit, events, tenancy
from memory.admin_site import site
from memory.events import EventName
from memory.models import ApiKey, AuditEntry, Event, Membership, Role, Tenant, User
from memory.people import keys, members
from tests.factories import Org, edit_page, make_member, make_org, make_page
from tests.finished_asks import QUOTE, make_question

pytestmark = pytest.mark.django_db

HOSTILE = '"><script>window.__hit=1</script><img src=x onerror=window.__hit=1>'


def sign_in(member: Membership) -> Client:
    client = Client()
    client.force_login(member.user)
    return client


@pytest.fixture
def org() -> Org:
    return make_org()


@pytest.fixture
def admin(org: Org) -> Client:
    return sign_in(org.admin)


@contextmanager
def scope(org: Org) -> Iterator[None]:
    with tenancy.scope(org.tenant.pk):
        yield


def changelists() -> list[str]:
    return [
        reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        for model in site._registry
    ]


def change_url(row: Any) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


def text_of(response: Any) -> str:
    return str(response.content.decode())


# --- Who enters -------------------------------------------------------------------------------


def test_stranger_is_sent_to_the_products_own_sign_in_page() -> None:
    for url in [reverse("admin:index"), *changelists()]:
        response = Client().get(url)
        assert response.status_code == 302
        assert response.url == f"{reverse('login')}?next={url}"


def test_admin_member_reaches_every_list_and_form_and_the_overview(org: Org, admin: Client) -> None:
    for url in [
        reverse("admin:index"),
        *changelists(),
        reverse("admin:memory_membership_add"),
        reverse("admin:memory_apikey_add"),
        reverse("admin:app_list", args=["kb"]),
        reverse("admin:password_change"),
    ]:
        assert admin.get(url, follow=True).status_code == 200, url


@pytest.mark.parametrize("role", [Role.READER, Role.EDITOR])
@pytest.mark.parametrize(
    "flags", [{}, {"is_staff": True}, {"is_staff": True, "is_superuser": True}]
)
def test_flags_of_a_user_open_nothing_without_an_admins_membership(
    org: Org, role: Role, flags: dict[str, bool]
) -> None:
    member = make_member(org, role)
    User.objects.filter(pk=member.user_id).update(**flags)
    client = sign_in(member)
    for url in [reverse("admin:index"), *changelists(), reverse("admin:memory_apikey_add")]:
        assert client.get(url).status_code == 404, url


def test_superuser_without_membership_is_refused() -> None:
    client = Client()
    client.force_login(User.objects.create(username="root", is_staff=True, is_superuser=True))
    for url in [reverse("admin:index"), *changelists()]:
        assert client.get(url).status_code == 404, url


def test_inactive_membership_and_demotion_close_the_door_at_once(org: Org, admin: Client) -> None:
    assert admin.get(reverse("admin:index")).status_code == 200
    Membership.objects.filter(pk=org.admin.pk).update(role=Role.EDITOR)
    assert admin.get(reverse("admin:index")).status_code == 404
    Membership.objects.filter(pk=org.admin.pk).update(role=Role.ADMIN, is_active=False)
    assert admin.get(reverse("admin:index")).status_code == 404


def test_api_key_of_an_admin_does_not_open_the_administration(org: Org, admin: Client) -> None:
    with scope(org):
        key = keys.create_key(org.admin)
    bearer = {"Authorization": f"Bearer {key}"}
    for client in (Client(), admin):  # a session beside a key counts for nothing
        assert client.get(reverse("admin:index"), headers=bearer).status_code == 302


def test_admin_of_two_organisations_sees_the_chosen_one(org: Org, admin: Client) -> None:
    other = make_org()
    members.add(other.tenant, org.admin.user.username, Role.READER)
    make_page(other, "Text.", title="Of the other")
    session = admin.session
    session["tenant"] = str(other.tenant.pk)
    session.save()
    assert admin.get(reverse("admin:index")).status_code == 404  # only a reader there
    Membership.objects.filter(tenant=other.tenant, user=org.admin.user).update(role=Role.ADMIN)
    assert "Of the other" in text_of(admin.get(reverse("admin:kb_doc_changelist")))


def test_views_that_reach_across_tenants_are_not_there(org: Org, admin: Client) -> None:
    assert admin.get("/admin/search/?s=page&extended=1").status_code == 404
    assert admin.get(f"/admin/r/1/{org.tenant.pk}/").status_code == 404
    assert admin.get(f"/admin/memory/user/{org.admin.user_id}/history/").status_code == 404
    assert admin.get("/admin/login/").status_code == 404


def test_signing_out_from_the_administration_ends_the_session(org: Org, admin: Client) -> None:
    assert admin.post(reverse("admin:logout")).status_code == 302
    assert admin.get(reverse("admin:index")).status_code == 302


# --- The tenant's edge ------------------------------------------------------------------------


@pytest.fixture
def theirs() -> Org:
    """Another organisation whose every row carries the word SECRET."""
    other = make_org("secret-rival")
    Tenant.objects.filter(pk=other.tenant.pk).update(name="SECRET Ltd")
    for member in (other.admin, other.editor, other.reader):
        User.objects.filter(pk=member.user_id).update(
            first_name="SECRET", email=f"SECRET-{member.role}@example.org"
        )
    doc = make_page(other, f"SECRET. {QUOTE}", title="SECRET page", language="xx")
    make_question(other, doc, "SECRET question?")
    with scope(other):
        keys.create_key(other.admin, name="SECRET key")
        events.record(EventName.ASK_FAULT, trace_id="5ec2e7" + "0" * 26, note="SECRET")
    return other


def rows_of(org: Org) -> list[Any]:
    with scope(org):
        return [
            org.tenant,
            org.admin,
            org.reader,
            org.reader.user,
            Doc.objects.get(),
            QaQuestion.objects.get(),
            ApiKey.objects.get(),
            AuditEntry.objects.first(),
            Event.objects.get(),
        ]


def test_no_list_filter_or_overview_shows_another_tenant(admin: Client, theirs: Org) -> None:
    for url in [reverse("admin:index"), *changelists()]:
        for query in ("", "?q=secret", f"?q={theirs.admin.user_id}"):
            shown = text_of(admin.get(url + query, follow=True))
            assert "SECRET" not in shown, url + query
            assert "-secret-rival" not in shown, url + query  # of their names
            assert 'value="xx"' not in shown, url + query  # their page's language


def test_rows_of_another_tenant_are_404_or_a_way_back(admin: Client, theirs: Org) -> None:
    for row in rows_of(theirs):
        for suffix in ("", "delete/", "history/"):
            url = change_url(row).replace("change/", suffix or "change/")
            response = admin.get(url)
            assert response.status_code in (302, 403, 404), url
            if response.status_code == 302:  # Django's way of saying that there is no such row
                assert response.url == reverse("admin:index")
            assert "SECRET" not in text_of(response)
            assert "SECRET" not in text_of(admin.get(reverse("admin:index")))


def test_rows_of_another_tenant_cannot_be_changed(admin: Client, theirs: Org) -> None:
    admin.post(change_url(theirs.tenant), {"name": "Taken"})
    admin.post(change_url(theirs.reader), {"role": "admin", "groups": "", "is_active": "on"})
    admin.post(change_url(theirs.reader.user), {"email": "taken@example.org"})
    assert Tenant.objects.get(pk=theirs.tenant.pk).name == "SECRET Ltd"
    assert Membership.objects.get(pk=theirs.reader.pk).role == Role.READER
    assert User.objects.get(pk=theirs.reader.user_id).email == "SECRET-reader@example.org"


def test_autocomplete_offers_own_members_only(org: Org, admin: Client, theirs: Org) -> None:
    where = {"app_label": "memory", "model_name": "apikey", "field_name": "user"}
    found = admin.get(reverse("admin:autocomplete"), where | {"term": ""}).json()["results"]
    own = {org.admin, org.editor, org.reader}
    assert {one["id"] for one in found} == {str(member.user_id) for member in own}
    found = admin.get(reverse("admin:autocomplete"), where | {"term": "SECRET"}).json()["results"]
    assert found == []


def test_key_for_somebody_elses_member_is_refused(admin: Client, theirs: Org) -> None:
    response = admin.post(
        reverse("admin:memory_apikey_add"),
        {"user": str(theirs.admin.user_id), "name": "x", "lifetime": "30"},
    )
    assert response.status_code == 200
    assert "Select a valid choice" in text_of(response)


def test_actions_do_not_reach_rows_of_another_tenant(admin: Client, theirs: Org) -> None:
    with scope(theirs):
        key, doc = ApiKey.objects.get(), Doc.objects.get()
    assert admin.post(reverse("admin:memory_apikey_revoke", args=[key.pk])).status_code == 404
    assert admin.post(reverse("admin:kb_doc_index", args=[doc.pk])).status_code == 404
    admin.post(
        reverse("admin:memory_apikey_changelist"),
        {"action": "revoke_chosen", "_selected_action": [str(key.pk)]},
    )
    with scope(theirs):
        assert ApiKey.objects.get().revoked_at is None


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("memory_user", "password__startswith=pbkdf2"),
        ("memory_user", "memberships__tenant__name__startswith=S"),
        ("memory_membership", "user__password__startswith=p"),
        ("memory_membership", "tenant__name__startswith=S"),
        ("memory_apikey", "digest__startswith=a"),
        ("memory_apikey", "user__email__startswith=a"),
        ("kb_doc", "owner__password__startswith=p"),
        ("kb_doc", "title__startswith=S"),
        ("kb_qaquestion", "question_text__startswith=S"),
    ],
)
def test_columns_that_are_no_filter_cannot_be_guessed_in_the_address(
    admin: Client, name: str, query: str
) -> None:
    response = admin.get(f"{reverse(f'admin:{name}_changelist')}?{query}")
    assert response.status_code == 400


# --- People -----------------------------------------------------------------------------------


def test_members_are_not_added_but_invited(org: Org, admin: Client) -> None:
    User.objects.create_user("known-elsewhere")
    url = reverse("admin:memory_membership_add")
    for answer in (admin.get(url), admin.post(url, {"username": "known-elsewhere"})):
        assert answer["Location"] == reverse("admin:memory_invitation_add")
    assert not Membership.objects.filter(user__username="known-elsewhere").exists()


def test_role_groups_and_activity_of_a_member_are_changed(org: Org, admin: Client) -> None:
    admin.post(change_url(org.reader), {"role": "editor", "groups": "hr"})
    changed = Membership.objects.get(pk=org.reader.pk)
    assert (changed.role, changed.groups, changed.is_active) == ("editor", ["hr"], False)


@pytest.mark.parametrize("data", [{"role": "reader", "is_active": "on"}, {"role": "admin"}])
def test_last_admin_stays(org: Org, admin: Client, data: dict[str, str]) -> None:
    response = admin.post(change_url(org.admin), data | {"groups": ""})
    assert "needs an admin" in text_of(response)
    unchanged = Membership.objects.get(pk=org.admin.pk)
    assert (unchanged.role, unchanged.is_active) == (Role.ADMIN, True)
    make_member(org, Role.ADMIN)
    assert admin.post(change_url(org.admin), data | {"groups": ""}).status_code == 302


def test_account_form_has_names_and_address_but_no_rights(org: Org, admin: Client) -> None:
    url = change_url(org.reader.user)
    shown = text_of(admin.get(url))
    for field in ("is_superuser", "is_staff", "user_permissions", "password"):
        assert f'name="{field}"' not in shown
    data = {"first_name": "Ada", "last_name": "L", "email": "ada@example.org", "is_active": "on"}
    admin.post(url, data | {"is_superuser": "on", "is_staff": "on", "username": "taken"})
    user = User.objects.get(pk=org.reader.user_id)
    assert (user.first_name, user.email) == ("Ada", "ada@example.org")
    assert (user.username, user.is_staff, user.is_superuser) == (
        org.reader.user.username,
        False,
        False,
    )


def test_account_that_also_belongs_elsewhere_is_not_one_organisations_to_change(
    org: Org, admin: Client
) -> None:
    shared = org.reader.user
    members.add(make_org().tenant, shared.username, Role.READER)
    assert admin.get(change_url(shared)).status_code == 200
    assert admin.post(change_url(shared), {"email": "taken@example.org"}).status_code == 403
    assert User.objects.get(pk=shared.pk).email == ""


def test_admin_cannot_lock_themselves_out(org: Org, admin: Client) -> None:
    response = admin.post(change_url(org.admin.user), {"email": "a@example.org"})
    assert "cannot lock yourself out" in text_of(response)
    assert User.objects.get(pk=org.admin.user_id).is_active


def test_name_of_the_organisation_is_changed_and_its_address_is_not(
    org: Org, admin: Client
) -> None:
    admin.post(change_url(org.tenant), {"name": "New name", "slug": "new-slug"})
    tenant = Tenant.objects.get(pk=org.tenant.pk)
    assert (tenant.name, tenant.slug) == ("New name", org.tenant.slug)


def test_django_keeps_no_log_of_the_administration(org: Org, admin: Client) -> None:
    admin.post(change_url(org.tenant), {"name": "New name"})
    admin.post(
        reverse("admin:memory_apikey_add"), {"user": str(org.reader.user_id), "lifetime": "0"}
    )
    with scope(org):
        assert ApiKey.objects.exists()
    assert not LogEntry.objects.exists()


# --- Keys -------------------------------------------------------------------------------------


def test_new_key_is_shown_exactly_once_and_works(org: Org, admin: Client) -> None:
    url = reverse("admin:memory_apikey_add")
    data = {
        "user": str(org.reader.user_id),
        "name": "nightly",
        "scopes": ["kb:ask"],
        "lifetime": "30",
    }
    shown = text_of(admin.post(url, data, follow=True))
    key = shown.split("shown only now: ")[1].split()[0].split("<")[0]
    authenticated = keys.authenticate(key)
    assert authenticated is not None
    assert authenticated.member == org.reader
    assert authenticated.scopes == {"kb:ask"}
    with scope(org):
        row = ApiKey.objects.get()
    assert (row.expires_at - row.created_at).days in (29, 30)
    for again in (reverse("admin:memory_apikey_changelist"), change_url(row)):
        shown = text_of(admin.get(again))
        assert "nightly" in shown
        assert key not in shown
        assert row.digest not in shown


def test_key_without_chosen_scopes_gets_all_of_the_role_and_no_end(org: Org, admin: Client) -> None:
    admin.post(
        reverse("admin:memory_apikey_add"), {"user": str(org.reader.user_id), "lifetime": "0"}
    )
    with scope(org):
        row = ApiKey.objects.get()
    assert tuple(row.scopes) == keys.allowed_scopes(org.reader)
    assert row.expires_at is None


def test_key_is_refused_beyond_the_role_and_for_an_inactive_member(org: Org, admin: Client) -> None:
    url = reverse("admin:memory_apikey_add")
    data = {"user": str(org.reader.user_id), "lifetime": "30"}
    assert "Not allowed for" in text_of(admin.post(url, data | {"scopes": ["kb:write"]}))
    Membership.objects.filter(pk=org.reader.pk).update(is_active=False)
    assert "needs an active member" in text_of(admin.post(url, data))
    with scope(org):
        assert not ApiKey.objects.exists()


@pytest.mark.parametrize("way", ["from the list", "from its page"])
def test_revoked_key_no_longer_works(org: Org, admin: Client, way: str) -> None:
    with scope(org):
        key = keys.create_key(org.reader)
        row = ApiKey.objects.get()
    if way == "from the list":
        admin.post(
            reverse("admin:memory_apikey_changelist"),
            {"action": "revoke_chosen", "_selected_action": [str(row.pk)]},
        )
    else:
        admin.post(reverse("admin:memory_apikey_revoke", args=[row.pk]))
    assert keys.authenticate(key) is None
    assert "Revoked" in text_of(admin.get(change_url(row)))


def test_what_changes_something_needs_a_post_and_a_token(org: Org) -> None:
    with scope(org):
        keys.create_key(org.reader)
        row = ApiKey.objects.get()
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(org.admin.user)
    url = reverse("admin:memory_apikey_revoke", args=[row.pk])
    assert careful.get(url).status_code == 405
    assert careful.post(url).status_code == 403
    with scope(org):
        assert ApiKey.objects.get().revoked_at is None


def test_keys_are_filtered_by_their_state(org: Org, admin: Client) -> None:
    with scope(org):
        keys.create_key(org.reader, name="live-one")
        keys.create_key(org.reader, name="old-one", expires_at=org.tenant.created_at)
        keys.create_key(org.reader, name="ended-one")
        keys.revoke(ApiKey.objects.filter(name="ended-one"), actor=org.admin)
    url = reverse("admin:memory_apikey_changelist")
    names = {"live-one": "active", "old-one": "expired", "ended-one": "revoked"}
    for state in names.values():
        shown = text_of(admin.get(url, {"state": state}))
        assert [name for name in names if name in shown] == [
            name for name, its in names.items() if its == state
        ]


def test_changes_of_people_and_keys_are_in_the_audit_chain(org: Org, admin: Client) -> None:
    nova = members.add(org.tenant, "nova", Role.READER, actor=org.admin)
    admin.post(change_url(nova), {"role": "editor", "groups": "", "is_active": "on"})
    admin.post(change_url(nova), {"role": "editor", "groups": "", "is_active": "on"})
    admin.post(reverse("admin:memory_apikey_add"), {"user": str(nova.user_id), "lifetime": "30"})
    with scope(org):
        key = ApiKey.objects.get()
    admin.post(reverse("admin:memory_apikey_revoke", args=[key.pk]))
    admin.post(reverse("admin:memory_apikey_revoke", args=[key.pk]))
    with scope(org):
        entries = list(AuditEntry.objects.order_by("seq"))
        assert not any(isinstance(one, audit.Break) for one in audit.verify_chain())
    assert [entry.kind for entry in entries] == [
        "memory.member_added",
        "memory.member_changed",
        "memory.key_created",
        "memory.key_revoked",
    ]
    assert {entry.body["actor"] for entry in entries} == {str(org.admin.user_id)}
    assert {entry.body["user_id"] for entry in entries} == {str(nova.user_id)}
    changed = entries[1].body
    assert (changed["before"]["role"], changed["after"]["role"]) == ("reader", "editor")
    assert key.digest not in str([entry.body for entry in entries])


# --- Pages ------------------------------------------------------------------------------------


def test_page_shows_its_index_links_and_revisions(org: Org, admin: Client) -> None:
    target = make_page(org, "Target text.", title="Target")
    doc = make_page(org, f"# Fees\n\n{QUOTE} See [[Target]].", title="Fees")
    edit_page(org, doc, source=f"# Fees\n\n{QUOTE} Once more, see [[Target]].")
    shown = text_of(admin.get(change_url(doc)))
    assert change_url(target) in shown
    assert "published" in shown
    assert shown.count("<td dir=") == 2  # revisions
    assert reverse("page", args=[org.tenant.slug, doc.slug]) in shown
    assert change_url(doc) in text_of(admin.get(change_url(target)))


def test_index_again_repairs_a_failed_page(org: Org, admin: Client) -> None:
    doc = make_page(org, QUOTE)
    with scope(org):
        Doc.objects.filter(pk=doc.pk).update(index_state=IndexState.FAILED, index_error="Broken")
    assert "Broken" in text_of(admin.get(reverse("admin:index")))
    response = admin.post(reverse("admin:kb_doc_index", args=[doc.pk]), follow=True)
    assert "1 page is being indexed again" in text_of(response)
    with scope(org):
        assert Doc.objects.get(pk=doc.pk).index_state != IndexState.FAILED


def test_index_again_leaves_archived_pages_withdrawn(org: Org, admin: Client) -> None:
    live, archived = make_page(org, QUOTE, title="Live"), make_page(org, "Old.", title="Old")
    edit_page(org, archived, status="archived")
    response = admin.post(
        reverse("admin:kb_doc_changelist"),
        {"action": "index_chosen_again", "_selected_action": [str(live.pk), str(archived.pk)]},
        follow=True,
    )
    assert "1 page is being indexed again" in text_of(response)
    assert "1 archived or deleted page has no index" in text_of(response)
    with scope(org):
        assert Doc.objects.get(pk=archived.pk).indexed_revision_id is None


def test_deleted_page_is_listed_in_the_bin_alone(org: Org, admin: Client) -> None:
    doc = make_page(org, QUOTE, title="Thrown away")
    with scope(org):
        intake.delete_page(org.editor, doc)
    url = reverse("admin:kb_doc_changelist")
    assert "Thrown away" not in text_of(admin.get(url))
    assert "Thrown away" in text_of(admin.get(url, {"place": "bin"}))
    assert "in the bin" in text_of(admin.get(change_url(doc)))


@pytest.mark.parametrize("suffix", ["add", "change", "delete"])
def test_pages_are_not_written_here(org: Org, admin: Client, suffix: str) -> None:
    doc = make_page(org, QUOTE)
    url = reverse(f"admin:kb_doc_{suffix}", args=[] if suffix == "add" else [doc.pk])
    assert admin.post(url, {"title": "Changed", "post": "yes"}).status_code == 403
    with scope(org):
        assert Doc.objects.get().title == "Page"


# --- History ----------------------------------------------------------------------------------


def test_question_shows_answer_marked_quote_checks_trace_and_audit_rows(
    org: Org, admin: Client
) -> None:
    doc = make_page(org, f"# Fees\n\n{QUOTE}", title="Fees")
    question = make_question(org, doc)
    with scope(org):
        rows = list(AuditEntry.objects.filter(trace_id=question.trace_id).order_by("seq"))
        events.record(EventName.CONTEXT_TRUNCATED, trace_id=question.trace_id or "", chunks=3)
    shown = text_of(admin.get(change_url(question)))
    assert "What is the fee?" in shown
    assert f"<span>Just before. </span><mark>{QUOTE}</mark><span> Just after.</span>" in shown
    assert f'<span>{QUOTE}</span><sup><a href="#cited-1">1</a></sup>' in shown
    assert "as cited" in shown
    assert "figures: borne out" in shown
    assert "12.5 ms" in shown
    assert "context_truncated" in shown
    assert [row.kind for row in rows] == ["kb.qa_asked", "kb.qa_answered"]
    for row in rows:
        assert row.hash in shown
        assert change_url(row) in shown
    assert shown.count("holds") == 2
    assert f"cite={question.citations[0]['char_start']}-" in shown


def test_question_says_when_the_cited_page_changed_or_went(org: Org, admin: Client) -> None:
    doc = make_page(org, f"# Fees\n\n{QUOTE}", title="Fees")
    question = make_question(org, doc)
    edit_page(org, doc, source="# Fees\n\nThere is no fee any more.")
    shown = text_of(admin.get(change_url(question)))
    assert "page has changed" in shown
    assert f"<mark>{QUOTE}</mark>" in shown
    with scope(org):
        intake.delete_page(org.editor, Doc.objects.get(pk=doc.pk))
    shown = text_of(admin.get(change_url(question)))
    assert "page removed" in shown
    assert f"<mark>{QUOTE}</mark>" in shown  # an old row keeps its text
    assert "?cite=" not in shown


def test_decline_shows_its_reason_and_no_confidence(org: Org, admin: Client) -> None:
    question = make_question(org, make_page(org, QUOTE), quote="")
    shown = text_of(admin.get(change_url(question)))
    assert "not_covered" in shown
    assert "These pages do not cover this." in shown
    assert "<b>–</b>" in shown


def test_question_of_an_erased_user_and_page_is_still_shown(org: Org, admin: Client) -> None:
    with scope(org):
        question = QaQuestion.objects.create(
            tenant=org.tenant,
            doc_id=uuid.uuid4(),
            question_text="Who was it?",
            answer_kind="decline_no_evidence",
            asked_by=uuid.uuid4(),
        )
    assert "an erased user" in text_of(admin.get(reverse("admin:kb_qaquestion_changelist")))
    shown = text_of(admin.get(change_url(question)))
    assert "a page that is gone" in shown
    assert "No audit row carries this trace" in shown


@pytest.mark.parametrize("name", ["kb_qaquestion", "memory_auditentry", "memory_event"])
def test_history_is_read_only(org: Org, admin: Client, name: str) -> None:
    question = make_question(org, make_page(org, QUOTE))
    with scope(org):
        events.record(EventName.ASK_FAULT)
        row = {
            "kb_qaquestion": question,
            "memory_auditentry": AuditEntry.objects.first(),
            "memory_event": Event.objects.get(),
        }[name]
    before = text_of(admin.get(change_url(row)))
    assert 'type="submit" name="_save"' not in before
    data = {"question_text": "Changed?", "kind": "changed", "name": "changed", "post": "yes"}
    assert admin.post(reverse(f"admin:{name}_add"), data).status_code == 403
    assert admin.post(change_url(row), data).status_code == 403
    assert admin.post(reverse(f"admin:{name}_delete", args=[row.pk]), data).status_code == 403
    admin.post(
        reverse(f"admin:{name}_changelist"),
        {"action": "delete_selected", "_selected_action": [str(row.pk)], "post": "yes"},
    )
    with scope(org):
        assert type(row).objects.filter(pk=row.pk).exists()
    assert "Changed?" not in text_of(admin.get(change_url(row)))


def test_history_is_filtered_and_searched(org: Org, admin: Client) -> None:
    fees = make_page(org, QUOTE, title="Fees 100%")
    rules = make_page(org, f"Rules. {QUOTE}", title="Rules")
    sure = make_question(org, fees, "alpha question", confidence=0.95)
    unsure = make_question(org, rules, "beta question", confidence=0.72)
    declined = make_question(org, rules, "gamma question", quote="")
    url = reverse("admin:kb_qaquestion_changelist")

    def found(**query: Any) -> set[QaQuestion]:
        shown = text_of(admin.get(url, query))
        return {one for one in (sure, unsure, declined) if change_url(one) in shown}

    assert found() == {sure, unsure, declined}
    assert found(answer_kind="confident") == {sure, unsure}
    assert found(answer_kind=["decline_no_evidence", "partial"]) == {declined}
    assert found(page="100%") == {sure}
    assert found(page=str(rules.pk)) == {unsure, declined}
    assert found(user=org.reader.user.username) == {sure, unsure, declined}
    assert found(user=org.admin.user.username) == set()
    assert found(confidence_score_from="0.72", confidence_score_to="0.9") == {unsure}
    assert found(created_at_from="2000-01-01", created_at_to="2000-12-31") == set()
    day = sure.created_at.date().isoformat()
    assert found(created_at_from=day, created_at_to=day) == {sure, unsure, declined}
    assert found(q=sure.trace_id) == {sure}
    assert found(q=str(unsure.question_id)) == {unsure}
    assert found(q="GAMMA question") == {declined}


@pytest.mark.parametrize(
    "query",
    [
        {"confidence_score_from": "NaN", "confidence_score_to": "1e999999"},
        {"confidence_score_from": "abc", "created_at_from": "2026-02-31"},
        {"created_at_to": "never"},
        {"created_at_to": "9999-12-31", "created_at_from": "0001-01-01"},
        {"answer_kind": "' OR 1=1"},
        {"page": "\x00", "user": "\x00", "q": "\x00"},
        {"q": '" onmouseover=alert(1) x="'},
        {"o": "99", "p": "99"},
    ],
)
def test_nonsense_in_the_address_breaks_nothing(
    org: Org, admin: Client, query: dict[str, str]
) -> None:
    make_question(org, make_page(org, QUOTE))
    for name in ("kb_qaquestion", "memory_auditentry", "memory_event", "kb_doc"):
        response = admin.get(reverse(f"admin:{name}_changelist"), query, follow=True)
        assert response.status_code in (200, 400), (name, query)


def test_audit_chain_is_searched_by_trace_and_filtered_by_kind(org: Org, admin: Client) -> None:
    doc = make_page(org, QUOTE)
    first, second = make_question(org, doc), make_question(org, doc, quote="")
    url = reverse("admin:memory_auditentry_changelist")
    shown = text_of(admin.get(url, {"q": first.trace_id}))
    assert first.trace_id in shown
    assert second.trace_id not in shown
    shown = text_of(admin.get(url, {"kind": "kb.qa_declined"}))
    assert second.trace_id in shown
    assert first.trace_id not in shown


def test_audit_entry_shows_body_and_whether_it_holds(org: Org, admin: Client) -> None:
    question = make_question(org, make_page(org, QUOTE))
    with scope(org):
        entry = AuditEntry.objects.get(trace_id=question.trace_id, kind="kb.qa_answered")
    shown = text_of(admin.get(change_url(entry)))
    assert entry.prev_hash in shown
    assert escape(f'"question_id": "{question.pk}"') in shown
    assert "is what was hashed" in shown


# --- Text stays text, and lists stay cheap ----------------------------------------------------


def test_fc_66_script_in_names_titles_and_questions_is_text_on_every_screen(
    org: Org, admin: Client
) -> None:
    Tenant.objects.filter(pk=org.tenant.pk).update(name=HOSTILE)
    User.objects.filter(pk=org.reader.user_id).update(first_name=HOSTILE[:100], last_name="x")
    Membership.objects.filter(pk=org.reader.pk).update(groups=[HOSTILE[:60]])
    doc = make_page(org, f"{HOSTILE} {QUOTE}", title=HOSTILE)
    make_page(org, f"See [{HOSTILE}]({doc.slug})", title="Linking")
    question = make_question(org, doc, f"{HOSTILE}?")
    with scope(org):
        keys.create_key(org.reader, name=HOSTILE[:100])
        events.record(EventName.ASK_FAULT, trace_id=question.trace_id or "", note=HOSTILE)
        Doc.objects.filter(pk=doc.pk).update(index_state="failed", index_error=HOSTILE)
        rows: list[Any] = [
            org.tenant,
            org.reader,
            org.reader.user,
            doc,
            question,
            ApiKey.objects.get(),
            Event.objects.get(),
            AuditEntry.objects.first(),
        ]
    seen = 0
    for url in [reverse("admin:index"), *changelists(), *map(change_url, rows)]:
        shown = text_of(admin.get(url, follow=True))
        assert "<script>window" not in shown, url
        assert "<img src=x" not in shown, url
        seen += "&lt;script&gt;window.__hit=1" in shown
    assert seen >= 12


@pytest.mark.parametrize(
    ("name", "most"),
    [("kb_qaquestion", 12), ("kb_doc", 12), ("memory_membership", 10), ("memory_apikey", 10)],
)
def test_lists_cost_the_same_however_long_they_are(
    org: Org, admin: Client, name: str, most: int
) -> None:
    url = reverse(f"admin:{name}_changelist")

    def grow() -> None:
        member = make_member(org)
        doc = make_page(org, QUOTE, title=f"Page {uuid.uuid4().hex}")
        make_question(org, doc)
        with scope(org):
            keys.create_key(member)

    def cost() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert admin.get(url).status_code == 200
        return len(captured)

    grow()
    cost()  # fills caches of content types and sessions
    few = cost()
    for _ in range(6):
        grow()
    assert cost() == few
    assert few <= most


def test_details_and_overview_cap_their_queries(org: Org, admin: Client) -> None:
    doc = make_page(org, f"# Fees\n\n{QUOTE}", title="Fees")
    for n in range(5):
        edit_page(org, doc, source=f"# Fees\n\n{QUOTE} Edition {n}.")
        make_page(org, "See [[Fees]].", title=f"Linking {n}")
    with scope(org):
        doc = Doc.objects.get(pk=doc.pk)
    question = make_question(org, doc)
    for url, most in (
        (change_url(question), 17),
        (change_url(doc), 22),
        (reverse("admin:index"), 28),
    ):
        admin.get(url)
        with CaptureQueriesContext(connection) as captured:
            assert admin.get(url).status_code == 200
        assert len(captured) <= most, (url, [one["sql"][:90] for one in captured])


def test_every_registered_model_is_under_row_security_or_narrowed_by_its_admin(org: Org) -> None:
    narrowed = {Tenant, Membership, User}
    for model, admin_class in site._registry.items():
        assert model._meta.db_table in tenancy.tenant_tables() or model in narrowed
        if model in narrowed:
            assert "get_queryset" in vars(type(admin_class))
