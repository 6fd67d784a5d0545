"""Who may see which page. Every surface builds on the querysets that are tried here."""

from __future__ import annotations

import pytest

from kb import access, selectors
from kb.errors import PageNotFound
from kb.models import Doc, Status, Visibility
from memory import tenancy
from memory.models import Membership, Role
from tests.factories import Org, edit_page, make_member, make_org, make_page

PUBLISHED, DRAFT, ARCHIVED = Status.PUBLISHED, Status.DRAFT, Status.ARCHIVED
PUBLIC, ORG, GROUPS = Visibility.PUBLIC, Visibility.ORG_ONLY, Visibility.ROLE_RESTRICTED

#   status, visibility → who sees it: anonymous, reader, in group, editor, owner, admin
MATRIX = [
    (PUBLISHED, PUBLIC, "anonymous reader grouped editor owner admin"),
    (PUBLISHED, ORG, "reader grouped editor owner admin"),
    (PUBLISHED, GROUPS, "grouped owner admin"),
    (DRAFT, PUBLIC, "editor owner admin"),
    (DRAFT, ORG, "editor owner admin"),
    (DRAFT, GROUPS, "owner admin"),
    (ARCHIVED, PUBLIC, "editor owner admin"),
    (ARCHIVED, ORG, "editor owner admin"),
    (ARCHIVED, GROUPS, "owner admin"),
]


def actors(org: Org) -> dict[str, Membership | None]:
    return {
        "anonymous": None,
        "reader": org.reader,
        "grouped": make_member(org, Role.READER, "hr"),
        "editor": make_member(org, Role.EDITOR),  # not the owner, not in the group
        "owner": org.editor,
        "admin": org.admin,
    }


@pytest.mark.parametrize(("status", "visibility", "seen_by"), MATRIX)
@pytest.mark.django_db
def test_page_is_seen_by_exactly_its_audience(status: str, visibility: str, seen_by: str) -> None:
    org = make_org()
    doc = make_page(
        org,
        "Words.",
        visibility=visibility,
        allowed_groups=["hr"] if visibility == GROUPS else [],
        status=PUBLISHED if status == ARCHIVED else status,
    )
    if status == ARCHIVED:
        edit_page(org, doc, status=ARCHIVED)
    with tenancy.scope(org.tenant.pk):
        seeing = {
            name
            for name, member in actors(org).items()
            if access.visible_docs(member).filter(pk=doc.pk).exists()
        }
    assert seeing == set(seen_by.split())


@pytest.mark.django_db
def test_readable_pages_are_live_for_everybody() -> None:
    org = make_org()
    draft = make_page(org, "Draft.", status=DRAFT)
    archived = make_page(org, "Old.")
    edit_page(org, archived, status=ARCHIVED)
    live = make_page(org, "Live.")
    with tenancy.scope(org.tenant.pk):
        assert list(access.readable_docs(org.admin)) == [live]
        assert set(access.askable_docs(org.editor)) == {live, draft}
        assert list(access.askable_docs(org.reader)) == [live]


@pytest.mark.django_db
def test_page_one_may_not_see_is_not_there() -> None:
    org = make_org()
    doc = make_page(org, "Secret.", visibility=GROUPS, allowed_groups=["hr"])
    with tenancy.scope(org.tenant.pk):
        with pytest.raises(PageNotFound) as hidden:
            selectors.get_doc(org.reader, doc.pk)
        with pytest.raises(PageNotFound) as missing:
            selectors.get_doc(org.reader, org.tenant.pk)
    assert str(hidden.value) == str(missing.value)


@pytest.mark.django_db
def test_links_count_at_both_ends_only_where_both_can_be_read() -> None:
    org = make_org()
    home = make_page(org, "[[Open]] [[Secret]]", title="Home", slug="home")
    opened = make_page(org, "Open.", title="Open")
    secret = make_page(org, "Secret.", title="Secret", visibility=GROUPS, allowed_groups=["hr"])
    inbound = make_page(org, "[[Home]]", title="Inbound")
    hidden_inbound = make_page(
        org, "[[Home]]", title="Hidden", visibility=GROUPS, allowed_groups=["hr"]
    )
    grouped = make_member(org, Role.READER, "hr")
    with tenancy.scope(org.tenant.pk):
        home = Doc.objects.get(pk=home.pk)
        assert set(selectors.linked_docs(org.reader, home)) == {opened, inbound}
        assert set(selectors.linked_docs(grouped, home)) == {
            opened,
            inbound,
            secret,
            hidden_inbound,
        }
        assert [link.target for link in selectors.links_from(org.reader, home)] == [opened]
        assert [link.source for link in selectors.links_to(org.reader, home)] == [inbound]


@pytest.mark.django_db
def test_reader_sees_the_published_revision_and_an_editor_the_head() -> None:
    org = make_org()
    doc = make_page(org, "The fee is 20 euros.")
    edit_page(org, doc, source="The fee is 35 euros.", status=DRAFT)
    with tenancy.scope(org.tenant.pk):
        doc = selectors.get_doc(org.reader, doc.pk)
        assert selectors.shown_revision(org.reader, doc).text == "The fee is 20 euros."
        assert selectors.shown_revision(org.editor, doc).text == "The fee is 35 euros."
