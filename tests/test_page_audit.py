"""Every change of a page leaves who, before and after; one entry for each kind of change."""

from __future__ import annotations

from typing import Any

import pytest

from kb import auditing, intake
from memory import tenancy
from memory.models import AuditEntry
from tests.factories import Org, edit_page, make_org, make_page

pytestmark = pytest.mark.django_db


def entries(org: Org) -> list[tuple[str, Any, Any]]:
    with tenancy.scope(org.tenant.pk):
        rows = AuditEntry.objects.order_by("seq")
        assert {row.body["actor"] for row in rows} == {str(org.editor.user_id)}
        return [(row.kind, row.body["before"], row.body["after"]) for row in rows]


def test_new_page_is_audited_without_its_text() -> None:
    org = make_org()
    make_page(org, "The secret recipe.", title="Recipes")
    [(kind, before, after)] = entries(org)
    assert (kind, before) == ("kb.document_created", None)
    assert after == {
        "owner": str(org.editor.user_id),
        "title": "Recipes",
        "slug": "recipes",
        "status": "published",
        "visibility": "org_only",
        "allowed_groups": [],
        "language": "en",
        "category": "",
        "revision": 1,
        "published_revision": 1,
    }


def test_one_save_that_changes_words_and_rights_leaves_both_entries() -> None:
    org = make_org()
    doc = make_page(org, "One.")
    edit_page(org, doc, source="Two.", visibility="role_restricted", allowed_groups=["hr"])
    assert entries(org)[1:] == [
        (
            "kb.document_versioned",
            {"title": "Page", "revision": 1},
            {"title": "Page", "revision": 2},
        ),
        (
            "kb.permission_set",
            {"visibility": "org_only", "allowed_groups": []},
            {"visibility": "role_restricted", "allowed_groups": ["hr"]},
        ),
    ]


def test_archive_delete_and_restore_are_named() -> None:
    org = make_org()
    doc = make_page(org, "One.")
    edit_page(org, doc, status="archived")
    with tenancy.scope(org.tenant.pk):
        intake.delete_page(org.editor, doc)
        intake.restore_page(org.editor, doc)
    assert [kind for kind, _, _ in entries(org)[1:]] == [
        "kb.document_archived",
        "kb.document_deleted",
        "kb.document_restored",
    ]


def test_restored_text_names_the_revision_that_it_comes_from() -> None:
    org = make_org()
    doc = make_page(org, "One.")
    edit_page(org, doc, source="Two.")
    with tenancy.scope(org.tenant.pk):
        intake.restore_revision(org.editor, doc, 1, base_revision=2)
    assert entries(org)[-1] == (
        "kb.document_versioned",
        {"title": "Page", "revision": 2, "restores": None},
        {"title": "Page", "revision": 3, "restores": 1},
    )


def test_new_owner_and_former_owner_are_named() -> None:
    org = make_org()
    doc = make_page(org, "One.")
    edit_page(org, doc, owner=org.admin.user.username)
    assert entries(org)[-1] == (
        "kb.document_changed",
        {"owner": str(org.editor.user_id)},
        {"owner": str(org.admin.user_id)},
    )


def test_save_that_changes_nothing_leaves_nothing() -> None:
    org = make_org()
    doc = make_page(org, "One.")
    edit_page(org, doc, source="One.")
    assert len(entries(org)) == 1
    assert auditing.verify(org.tenant.pk).broken == ""
