"""Unsaved words are kept for their writer, offered once, and never become a revision by themselves."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from kb.models import Autosave, Doc, Revision
from memory import tenancy
from memory.models import Role
from tests.factories import Org, edit_page, make_member, make_org, make_page
from tests.web.conftest import SignedIn

OFFER = "You left words here"


@pytest.fixture
def doc(org: Org) -> Doc:
    return make_page(org, "Old words.", title="Page", slug="page")


def keep(client: Client, org: Org, slug: str = "/page", **fields: Any) -> Any:
    words = {"title": "Page", "source": "Half a sen", "source_format": "markdown"}
    return client.post(f"/{org.tenant.slug}/autosave{slug}", words | fields)


def editor(client: Client, org: Org, query: str = "") -> str:
    return str(client.get(f"/{org.tenant.slug}/edit/page{query}").content, "utf-8")


def save(client: Client, org: Org, **fields: Any) -> Any:
    form = {
        "title": "Page",
        "source": "Whole sentence.",
        "source_format": "markdown",
        "status": "published",
        "visibility": "org_only",
        "base_revision": "1",
    }
    return client.post(f"/{org.tenant.slug}/edit/page", form | fields)


def test_kept_words_are_written_over_and_make_no_revision(
    org: Org, doc: Doc, signed_in: SignedIn
) -> None:
    client = signed_in(org.editor)
    for source in ("Half", "Half a sen"):
        assert "saved_at" in keep(client, org, source=source, base_revision="1").json()
    with tenancy.scope(org.tenant.pk):
        kept = Autosave.objects.get()
        assert (kept.source, kept.doc_id, kept.base_revision) == ("Half a sen", doc.pk, 1)
        assert Revision.objects.count() == 1


def test_words_are_offered_on_return_and_come_back_when_wanted(
    org: Org, doc: Doc, signed_in: SignedIn
) -> None:
    client = signed_in(org.editor)
    assert OFFER not in editor(client, org)
    keep(client, org, base_revision="1")
    assert OFFER in editor(client, org)
    assert "Old words." in editor(client, org), "nothing is put in place of the page unasked"
    resumed = editor(client, org, "?kept=1")
    assert "Half a sen" in resumed
    assert "data-unsaved" in resumed


def test_words_begun_on_an_older_revision_meet_the_conflict_when_saved(
    org: Org, doc: Doc, signed_in: SignedIn
) -> None:
    client = signed_in(org.editor)
    keep(client, org, base_revision="1")
    edit_page(org, doc, source="Theirs.")
    assert 'name="base_revision" value="1"' in editor(client, org, "?kept=1")
    assert save(client, org, source="Half a sen").status_code == 409
    assert OFFER in editor(client, org), "what met a conflict is still kept"


def test_saving_forgets_and_so_does_throwing_away(org: Org, doc: Doc, signed_in: SignedIn) -> None:
    client = signed_in(org.editor)
    keep(client, org)
    assert save(client, org).status_code == 302
    assert OFFER not in editor(client, org)
    keep(client, org, source="More")
    assert client.post(f"/{org.tenant.slug}/autosave/page", {"discard": "1"}).status_code == 302
    assert OFFER not in editor(client, org)


def test_words_that_were_saved_elsewhere_are_not_offered(
    org: Org, doc: Doc, signed_in: SignedIn
) -> None:
    client = signed_in(org.editor)
    keep(client, org, source="Old words.\r\n")
    assert OFFER not in editor(client, org)


def test_new_page_has_kept_words_of_its_own(org: Org, doc: Doc, signed_in: SignedIn) -> None:
    client = signed_in(org.editor)
    keep(client, org, slug="", title="Idea")
    assert OFFER not in editor(client, org)
    new = str(client.get(f"/{org.tenant.slug}/new?kept=1").content, "utf-8")
    assert "Half a sen" in new
    assert 'value="Idea"' in new


def test_nobody_sees_what_another_person_writes(org: Org, doc: Doc, signed_in: SignedIn) -> None:
    keep(signed_in(org.editor), org)
    for member in (org.admin, make_member(org, Role.EDITOR)):
        assert OFFER not in editor(signed_in(member), org, "?kept=1")


def test_nothing_is_kept_where_one_cannot_edit(org: Org, doc: Doc, signed_in: SignedIn) -> None:
    for member in (org.reader, make_org().editor):
        assert keep(signed_in(member), org).status_code == 404
        assert keep(signed_in(member), org, slug="").status_code == 404
    assert keep(signed_in(org.editor), org, slug="/never").status_code == 404


def test_words_past_the_limit_are_refused(org: Org, doc: Doc, signed_in: SignedIn) -> None:
    assert keep(signed_in(org.editor), org, source="x" * 500_001).status_code == 400
