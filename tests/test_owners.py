"""A page is handed over by its owner or an admin, to somebody who may write."""

from __future__ import annotations

import pytest

from kb import intake
from kb.errors import InvalidPage
from kb.intake import PageFields
from memory import tenancy
from memory.models import Membership, Role
from tests.factories import Org, make_member, make_org, make_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def org() -> Org:
    return make_org()


def hand_over(org: Org, actor: Membership, to: Membership) -> Membership:
    doc = make_page(org, "Words.")
    with tenancy.scope(org.tenant.pk):
        saved = intake.update_page(actor, doc, PageFields(owner=to.user.username))
    assert saved.owner_id == to.user_id
    return to


@pytest.mark.parametrize("actor", ["editor", "admin"])
def test_owner_and_admin_hand_a_page_over(org: Org, actor: str) -> None:
    hand_over(org, getattr(org, actor), make_member(org, Role.EDITOR))


def test_another_editor_cannot_take_a_page(org: Org) -> None:
    other = make_member(org, Role.EDITOR)
    with pytest.raises(InvalidPage, match="Only its owner"):
        hand_over(org, other, other)


def test_reader_outsider_and_nobody_cannot_own_a_page(org: Org) -> None:
    doc = make_page(org, "Words.")
    for name in (org.reader.user.username, make_org().editor.user.username, "nobody"):
        with (
            tenancy.scope(org.tenant.pk),
            pytest.raises(InvalidPage, match="an editor or an admin"),
        ):
            intake.update_page(org.editor, doc, PageFields(owner=name))


def test_saving_with_the_same_owner_is_everybodys_right(org: Org) -> None:
    doc = make_page(org, "Words.")
    other = make_member(org, Role.EDITOR)
    with tenancy.scope(org.tenant.pk):
        fields = PageFields(source="More words.", owner=org.editor.user.username)
        assert intake.update_page(other, doc, fields).owner_id == org.editor.user_id
