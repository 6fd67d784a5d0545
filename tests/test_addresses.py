"""A page that moves stays reachable from where it was, until another page stands there."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError
from unittest.mock import patch

import pytest
from django.db import connections
from django.test import Client

from kb import addresses, intake
from kb.errors import InvalidPage
from kb.models import Doc, DocLink, SlugRedirect
from memory import tenancy
from tests.factories import Org, edit_page, make_member, make_org, make_page


@pytest.fixture
def org(db: None) -> Org:
    return make_org()


def moved_to(org: Org, slug: str, member: object = "reader") -> str | None:
    with tenancy.scope(org.tenant.pk):
        return addresses.moved_to(getattr(org, str(member), None), slug)


def targets(org: Org, source: Doc) -> list[str | None]:
    with tenancy.scope(org.tenant.pk):
        links = DocLink.objects.filter(source=source).order_by("href")
        return list(links.values_list("target__slug", flat=True))


def test_renamed_page_is_found_by_every_address_it_had(org: Org) -> None:
    doc = make_page(org, "Words.", slug="one")
    for slug in ("two", "three"):
        edit_page(org, doc, slug=slug)
    assert [moved_to(org, slug) for slug in ("one", "two", "three")] == ["three", "three", None]


def test_page_that_takes_a_former_address_wins_and_keeps_it(org: Org) -> None:
    doc = make_page(org, "Words.", slug="one")
    edit_page(org, doc, slug="two")
    new = make_page(org, "Other words.", slug="one")
    assert moved_to(org, "one") is None
    with tenancy.scope(org.tenant.pk):
        intake.delete_page(org.editor, new)
    assert moved_to(org, "one") is None


def test_page_that_goes_back_ends_its_own_redirect(org: Org) -> None:
    doc = make_page(org, "Words.", slug="one")
    edit_page(org, doc, slug="two")
    edit_page(org, doc, slug="one")
    assert (moved_to(org, "one"), moved_to(org, "two")) == (None, "one")


def test_address_written_in_another_way_is_no_move(org: Org) -> None:
    doc = make_page(org, "Words.", slug="hr/overtime")
    assert edit_page(org, doc, slug="HR/Overtime").slug == "hr/overtime"
    with tenancy.scope(org.tenant.pk):
        assert SlugRedirect.objects.count() == 0


def test_address_of_another_page_is_refused(org: Org) -> None:
    make_page(org, "Words.", slug="taken")
    doc = make_page(org, "Words.", slug="mine")
    with pytest.raises(InvalidPage, match="Another page"):
        edit_page(org, doc, slug="taken")


def test_links_to_the_old_address_keep_leading_to_the_page(org: Org) -> None:
    doc = make_page(org, "Words.", slug="old-name")
    source = make_page(org, "See [[old-name]] and [it](/kb/old-name).", title="Source")
    edit_page(org, doc, slug="new-name")
    assert targets(org, source) == ["new-name", "new-name"]
    edit_page(org, source, source="Still see [[old-name]] and [it](/kb/old-name).")
    assert targets(org, source) == ["new-name", "new-name"]


def test_links_follow_the_page_that_takes_the_address(org: Org) -> None:
    doc = make_page(org, "Words.", slug="old-name")
    source = make_page(org, "See [[old-name]].", title="Source")
    edit_page(org, doc, slug="new-name")
    make_page(org, "Other words.", slug="old-name", title="Another")
    assert targets(org, source) == ["old-name"]


def test_restored_page_takes_its_address_back_from_a_redirect(org: Org) -> None:
    binned = make_page(org, "Words.", slug="one")
    with tenancy.scope(org.tenant.pk):
        intake.delete_page(org.editor, binned)
    other = make_page(org, "Other words.", slug="one")
    edit_page(org, other, slug="two")
    with tenancy.scope(org.tenant.pk):
        restored = intake.restore_page(org.editor, binned)
    assert (restored.slug, moved_to(org, "one")) == ("one", None)


def test_browser_is_sent_on_with_its_query_and_told_to_ask_again(org: Org) -> None:
    doc = make_page(org, "Words.", slug="one")
    edit_page(org, doc, slug="hr/two")
    client = Client()
    client.force_login(org.reader.user)
    response = client.get(f"/{org.tenant.slug}/p/one?cite=0-5&rev=1")
    assert response.status_code == 301
    assert response["Location"] == f"/{org.tenant.slug}/p/hr/two?cite=0-5&rev=1"
    assert response["Cache-Control"] == "private, no-cache"
    assert client.get(f"/{org.tenant.slug}/edit/one", follow=True).status_code == 404


def test_former_address_of_a_hidden_page_is_like_any_that_never_was(org: Org) -> None:
    doc = make_page(org, "x", slug="one", visibility="role_restricted", allowed_groups=["hr"])
    with tenancy.scope(org.tenant.pk):
        intake.update_page(org.editor, doc, intake.PageFields(slug="two"))
    clients = [(Client(), 302), (Client(), 404), (Client(), 404), (Client(), 301)]
    members = [None, org.reader, make_org().reader, make_member(org, "reader", "hr")]
    for (client, code), member in zip(clients, members, strict=True):
        if member is not None:
            client.force_login(member.user)
        found, never = (client.get(f"/{org.tenant.slug}/p/{slug}") for slug in ("one", "never"))
        assert found.status_code == code
        if code != 301:
            assert never.status_code == code
            assert never.get("Location", "").replace("never", "one") == found.get("Location", "")


@pytest.mark.usefixtures("committed_db")
def test_two_who_take_an_address_at_once_get_one_each_or_a_sentence() -> None:
    org = make_org()
    doc = make_page(org, "Words.", title="First", slug="first")
    at_once = Barrier(2)
    free_slug = addresses._free_slug

    def look_up_together(doc: Doc, wanted: str, *, chosen: bool) -> str:
        found = free_slug(doc, wanted, chosen=chosen)
        with suppress(BrokenBarrierError):
            at_once.wait(timeout=5)
            at_once.abort()  # only the first look-ups meet
        return found

    def create() -> str:
        return make_page(org, "Words.", title="Fees").slug

    def rename() -> str:
        try:
            return edit_page(org, doc, slug="fees").slug
        except InvalidPage as error:
            return str(error)
        finally:
            connections.close_all()

    with (
        patch.object(addresses, "_free_slug", look_up_together),
        ThreadPoolExecutor(1) as other,
    ):
        renamed = other.submit(rename)
        outcome = {create(), renamed.result()}
    assert outcome in ({"fees", "Another page has this address."}, {"fees-2", "fees"})
