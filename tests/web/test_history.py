"""Any two revisions compared, and an earlier one brought back."""

from __future__ import annotations

from typing import Any

import pytest

from kb.models import Doc
from memory import tenancy
from tests.factories import Org, edit_page, make_page
from tests.web.conftest import SignedIn


@pytest.fixture
def doc(org: Org) -> Doc:
    doc = make_page(org, "At most 12 hours.", title="Overtime", slug="hr/overtime")
    doc = edit_page(org, doc, source="At most 10 hours.")
    return edit_page(org, doc, source="At most 8 hours.", title="Overtime rules")


def body(response: Any) -> str:
    return str(response.content, "utf-8")


def head(doc: Doc) -> tuple[int, str, str]:
    with tenancy.scope(doc.tenant_id):
        found = Doc.objects.select_related("head_revision").get(pk=doc.pk).head_revision
        assert found is not None
        return found.number, found.title, found.source


@pytest.mark.parametrize("query", ["from=1&to=3", "from=3&to=1"])
def test_any_two_revisions_are_compared_from_the_older_to_the_newer(
    org: Org, doc: Doc, signed_in: SignedIn, query: str
) -> None:
    shown = body(signed_in(org.editor).get(f"/{org.tenant.slug}/compare/hr/overtime?{query}"))
    assert "<del>At most <b>12</b> hours.</del>" in shown
    assert "<ins>At most <b>8</b> hours.</ins>" in shown
    assert "<del>Overtime</del> <ins>Overtime rules</ins>" in shown


@pytest.mark.parametrize("query", ["", "from=1", "from=1&to=9", "from=x&to=1", "from=1&to=²"])
def test_revisions_that_are_not_there_cannot_be_compared(
    org: Org, doc: Doc, signed_in: SignedIn, query: str
) -> None:
    client = signed_in(org.editor)
    assert client.get(f"/{org.tenant.slug}/compare/hr/overtime?{query}").status_code == 404


def test_restored_text_is_a_new_revision_and_history_keeps_all(
    org: Org, doc: Doc, signed_in: SignedIn
) -> None:
    client = signed_in(org.editor)
    assert "Restore revision 1" in body(client.get(f"/{org.tenant.slug}/revisions/1/hr/overtime"))
    assert "Restore" not in body(client.get(f"/{org.tenant.slug}/revisions/3/hr/overtime"))
    response = client.post(f"/{org.tenant.slug}/restore/1/hr/overtime", {"base_revision": "3"})
    assert response["Location"] == f"/{org.tenant.slug}/p/hr/overtime"
    assert head(doc) == (4, "Overtime", "At most 12 hours.")


def test_restoring_over_somebodys_newer_text_is_refused(
    org: Org, doc: Doc, signed_in: SignedIn
) -> None:
    client = signed_in(org.editor)
    edit_page(org, doc, source="At most 6 hours.")
    response = client.post(
        f"/{org.tenant.slug}/restore/1/hr/overtime", {"base_revision": "3"}, follow=True
    )
    assert "Somebody saved revision 4 meanwhile" in body(response)
    assert head(doc)[0] == 4


def test_reader_neither_compares_nor_restores(org: Org, doc: Doc, signed_in: SignedIn) -> None:
    client = signed_in(org.reader)
    assert client.get(f"/{org.tenant.slug}/compare/hr/overtime?from=1&to=2").status_code == 404
    posted = client.post(f"/{org.tenant.slug}/restore/1/hr/overtime", {"base_revision": "3"})
    assert posted.status_code == 404
    assert head(doc)[0] == 3
