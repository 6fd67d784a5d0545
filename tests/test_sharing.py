"""Share links: what opens a page, how often, and for whom it stays closed."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.core import signing
from django.db import connection
from django.utils import timezone

from kb import auditing, intake, sharing
from kb.errors import InvalidLink, LinkEnded, PageNotFound
from kb.models import Doc, ShareLink, Status, Visibility
from memory import tenancy
from memory.models import AuditEntry, Membership, Role
from tests.factories import Org, edit_page, make_member, make_org, make_page

GROUPS = {"visibility": Visibility.ROLE_RESTRICTED, "allowed_groups": ["hr"]}


def share(org: Org, doc: Doc, actor: Membership | None = None, **fields: object) -> ShareLink:
    with tenancy.scope(org.tenant.pk):
        return sharing.create_link(actor or org.editor, doc, **fields)  # type: ignore[arg-type]


def change(org: Org, link: ShareLink, **fields: object) -> None:
    with tenancy.scope(org.tenant.pk):
        ShareLink.objects.filter(pk=link.pk).update(**fields)


def ended(link: ShareLink) -> str:
    with pytest.raises(LinkEnded) as refused:
        sharing.open_link(sharing.token_of(link))
    return refused.value.state


def entries(org: Org, kind: str) -> list[AuditEntry]:
    with tenancy.scope(org.tenant.pk):
        return list(AuditEntry.objects.filter(kind=kind).order_by("seq"))


@pytest.mark.django_db
def test_link_opens_the_published_revision_and_counts_the_use() -> None:
    org = make_org()
    doc = make_page(org, "The fee is 20.")
    link = share(org, doc)
    edit_page(org, doc, source="The fee is 35.", status=Status.DRAFT)
    page = sharing.open_link(sharing.token_of(link))
    assert (page.doc.pk, page.revision.text) == (doc.pk, "The fee is 20.")
    with tenancy.scope(org.tenant.pk):
        assert ShareLink.objects.get().used_count == 1


@pytest.mark.django_db
def test_link_lives_a_day_without_a_word_about_it() -> None:
    org = make_org()
    link = share(org, make_page(org, "Words."))
    assert link.expires_at - link.created_at < timedelta(hours=24, seconds=1)
    assert link.expires_at - link.created_at > timedelta(hours=23, minutes=59)


@pytest.mark.django_db
def test_expired_used_up_and_revoked_links_say_which() -> None:
    org = make_org()
    doc = make_page(org, "Words.")
    expired, used_up, revoked = share(org, doc), share(org, doc, max_uses=1), share(org, doc)
    change(org, expired, expires_at=timezone.now())
    sharing.open_link(sharing.token_of(used_up))
    with tenancy.scope(org.tenant.pk):
        sharing.revoke_link(org.editor, revoked)
    assert [ended(link) for link in (expired, used_up, revoked)] == [
        "expired",
        "used_up",
        "revoked",
    ]


@pytest.mark.django_db
def test_token_that_we_did_not_sign_names_no_page() -> None:
    org = make_org()
    token = sharing.token_of(share(org, make_page(org, "Words.")))
    ids = token.partition(".")[0]
    forged = [
        ids,
        f"{ids}.",
        f"{ids}.{'A' * 43}",
        f"{'0' * 64}.{token.partition('.')[2]}",
        signing.Signer(sep=".", salt="another").sign(ids),
        signing.Signer(sep=".", key="another").sign(ids),
        "",
        ".",
        "\x00",
    ]
    for wrong in forged:
        with pytest.raises(PageNotFound):
            sharing.open_link(wrong)


@pytest.mark.parametrize("gone", ["deleted", "archived"])
@pytest.mark.django_db
def test_link_to_a_page_that_is_gone_finds_nothing_and_counts_nothing(gone: str) -> None:
    org = make_org()
    doc = make_page(org, "Words.")
    link = share(org, doc)
    with tenancy.scope(org.tenant.pk):
        if gone == "deleted":
            intake.delete_page(org.editor, doc)
        else:
            intake.update_page(org.editor, doc, intake.PageFields(status=Status.ARCHIVED))
    with pytest.raises(PageNotFound):
        sharing.open_link(sharing.token_of(link))
    with tenancy.scope(org.tenant.pk):
        assert ShareLink.objects.get().used_count == 0


@pytest.mark.django_db
def test_page_that_never_was_published_cannot_be_shared() -> None:
    org = make_org()
    with pytest.raises(InvalidLink):
        share(org, make_page(org, "Words.", status=Status.DRAFT))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("expires_at", timezone.now() - timedelta(seconds=1)),
        ("expires_at", timezone.now() + timedelta(days=366)),
        ("max_uses", -1),
        ("max_uses", sharing.MAX_USES + 1),
    ],
)
@pytest.mark.django_db
def test_link_out_of_bounds_is_refused(field: str, value: object) -> None:
    org = make_org()
    with pytest.raises(InvalidLink) as refused:
        share(org, make_page(org, "Words."), **{field: value})
    assert refused.value.field == field


@pytest.mark.django_db
def test_reader_can_neither_make_nor_see_nor_end_links() -> None:
    org = make_org()
    doc = make_page(org, "Words.")
    link = share(org, doc)
    with tenancy.scope(org.tenant.pk):
        for attempt in (
            lambda: sharing.create_link(org.reader, doc),
            lambda: sharing.links_of(org.reader, doc),
            lambda: sharing.get_link(org.reader, link.pk),
            lambda: sharing.revoke_link(org.reader, link),
        ):
            with pytest.raises(PageNotFound):
                attempt()


@pytest.mark.django_db
def test_editor_outside_the_groups_does_not_find_the_link() -> None:
    org = make_org()
    link = share(org, make_page(org, "Words.", **GROUPS))
    outside, inside = make_member(org, Role.EDITOR), make_member(org, Role.EDITOR, "hr")
    with tenancy.scope(org.tenant.pk):
        with pytest.raises(PageNotFound):
            sharing.get_link(outside, link.pk)
        assert sharing.get_link(inside, link.pk) == link


@pytest.mark.django_db
def test_narrowing_the_audience_ends_what_was_shared_before() -> None:
    org = make_org()
    doc = make_page(org, "Words.")
    link = share(org, doc)
    edit_page(org, doc, **GROUPS)
    assert ended(link) == "revoked"
    again = share(org, doc)
    edit_page(org, doc, allowed_groups=["hr", "legal"])
    sharing.open_link(sharing.token_of(again))
    edit_page(org, doc, allowed_groups=["legal"])
    assert ended(again) == "revoked"


@pytest.mark.django_db
def test_every_act_is_audited_without_the_token() -> None:
    org = make_org()
    doc = make_page(org, "Words.")
    link = share(org, doc, max_uses=3)
    sharing.open_link(sharing.token_of(link))
    with tenancy.scope(org.tenant.pk):
        sharing.revoke_link(org.admin, link)
        sharing.revoke_link(org.admin, link)
    (created,) = entries(org, "kb.share_link_created")
    (used,) = entries(org, "kb.share_link_used")
    (revoked,) = entries(org, "kb.share_link_revoked")
    assert created.body["actor"] == str(org.editor.user_id)
    assert created.body["before"] is None
    assert created.body["after"]["max_uses"] == 3
    assert used.body == {"doc_id": str(doc.pk), "link_id": str(link.pk)}
    assert revoked.body["actor"] == str(org.admin.user_id)
    assert revoked.body["before"]["revoked_at"] is None
    assert revoked.body["before"]["used_count"] == 1
    assert revoked.body["after"]["revoked_at"] is not None
    signature = sharing.token_of(link).partition(".")[2]
    assert not any(signature in str(entry.body) for entry in (created, used, revoked))


@pytest.mark.django_db
def test_images_of_a_used_up_link_still_come_and_those_of_a_revoked_one_do_not() -> None:
    org = make_org()
    doc = make_page(org, "Words.")
    link = share(org, doc, max_uses=1)
    with pytest.raises(LinkEnded):  # not before the page itself was opened
        sharing.open_part(sharing.token_of(link))
    sharing.open_link(sharing.token_of(link))
    assert sharing.open_part(sharing.token_of(link)).doc.pk == doc.pk
    with tenancy.scope(org.tenant.pk):
        assert ShareLink.objects.get().used_count == 1
        sharing.revoke_link(org.editor, link)
    with pytest.raises(LinkEnded):
        sharing.open_part(sharing.token_of(link))


def test_of_six_who_come_at_once_exactly_as_many_get_in_as_may(committed_db: None) -> None:
    org = make_org()
    link = share(org, make_page(org, "Words."), max_uses=2)
    barrier = threading.Barrier(6)

    def come(_: int) -> bool:
        barrier.wait()
        try:
            sharing.open_link(sharing.token_of(link))
        except LinkEnded:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(max_workers=6) as pool:
        opened = list(pool.map(come, range(6)))
    assert sum(opened) == 2
    with tenancy.scope(org.tenant.pk):
        assert ShareLink.objects.get().used_count == 2
    assert len(entries(org, "kb.share_link_used")) == 2
    assert auditing.verify(org.tenant.pk).broken == ""
