"""What editors look after, and that it tells them nothing of pages that they may not see."""

from __future__ import annotations

from typing import Any

import pytest

from kb import intake, upkeep
from kb.models import Doc
from memory import tenancy
from memory.models import Membership, Role
from memory.types import Reason
from tests.factories import Org, edit_page, make_member, make_org, make_page
from tests.finished_asks import make_question
from tests.web.conftest import SignedIn


def body(response: Any) -> str:
    return str(response.content, "utf-8")


def delete(org: Org, doc: Doc) -> None:
    with tenancy.scope(org.tenant.pk):
        intake.delete_page(org.admin, doc)


def dead(org: Org, member: Membership) -> tuple[list[str], list[str]]:
    """Titles of broken and of wanted links."""
    with tenancy.scope(org.tenant.pk):
        found = upkeep.dead_links(member)
    return [link.title for link in found.broken], [link.title for link in found.wanted]


def test_wanted_pages_are_named_with_who_wants_them_most_wanted_first(org: Org) -> None:
    make_page(org, "See [[Travel]] and [[Badges]].", title="One")
    make_page(org, "See [[Badges]] or [the badges](badges.md).", title="Two")
    with tenancy.scope(org.tenant.pk):
        first, second = upkeep.dead_links(org.editor).wanted
    assert (first.title, [doc.title for doc in first.wanted_by]) == ("Badges", ["One", "Two"])
    assert (second.title, [doc.title for doc in second.wanted_by]) == ("Travel", ["One"])


def test_link_to_a_deleted_page_is_broken_and_mended_from_the_bin(
    org: Org, signed_in: SignedIn
) -> None:
    doc = make_page(org, "Words.", title="Travel", slug="travel")
    make_page(org, "See [[Travel]].", title="One")
    delete(org, doc)
    assert dead(org, org.editor) == (["Travel"], [])
    client = signed_in(org.editor)
    shown = body(client.get(f"/{org.tenant.slug}/links"))
    assert f'name="doc" value="{doc.pk}"' in shown
    response = client.post(f"/{org.tenant.slug}/bin", {"doc": str(doc.pk)})
    assert response["Location"] == f"/{org.tenant.slug}/p/travel"
    assert dead(org, org.editor) == ([], [])


def test_link_by_an_id_that_no_page_has_is_broken(org: Org) -> None:
    make_page(org, f"See [it](/kb/{org.tenant.pk}).", title="One")
    assert dead(org, org.editor) == (["it"], [])


def test_wanted_page_is_begun_with_its_title(org: Org, signed_in: SignedIn) -> None:
    make_page(org, "See [[Travel & hotels]].", title="One")
    client = signed_in(org.editor)
    shown = body(client.get(f"/{org.tenant.slug}/links"))
    assert f"/{org.tenant.slug}/new?title=Travel%20%26%20hotels" in shown
    begun = body(client.get(f"/{org.tenant.slug}/new?title=Travel%20%26%20hotels"))
    assert 'value="Travel &amp; hotels"' in begun


def test_hidden_page_is_wanted_like_one_that_is_not_there(org: Org) -> None:
    editor = make_member(org, Role.EDITOR)
    make_page(org, "x", title="Secret", visibility="role_restricted", allowed_groups=["hr"])
    gone = make_page(org, "x", title="Gone", visibility="role_restricted", allowed_groups=["hr"])
    make_page(org, "See [[Secret]], [[Gone]], [[Never]].", title="One")
    make_page(
        org, "See [[Plan]].", title="Two", visibility="role_restricted", allowed_groups=["hr"]
    )
    delete(org, gone)
    assert dead(org, editor) == ([], ["Gone", "Never", "Secret"])
    assert dead(org, org.admin) == (["Gone"], ["Never", "Plan"])


def test_orphans_are_pages_that_no_visible_page_links_to(org: Org) -> None:
    make_page(org, "Words. See [[One]].", title="One")
    make_page(org, "See [[Three]].", title="Two")
    make_page(org, "Words.", title="Three")
    make_page(org, "Words.", title="Old", status="archived")
    with tenancy.scope(org.tenant.pk):
        assert [doc.title for doc in upkeep.orphans(org.editor)] == ["One", "Two"]


def test_page_is_deleted_and_restored_in_the_browser(org: Org, signed_in: SignedIn) -> None:
    make_page(org, "Words.", title="Travel", slug="travel")
    client = signed_in(org.editor)
    deleted = client.post(f"/{org.tenant.slug}/delete/travel", follow=True)
    assert "“Travel” is in the bin." in body(deleted)
    assert client.get(f"/{org.tenant.slug}/p/travel").status_code == 404


def test_bin_holds_no_page_that_was_hidden(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, "x", title="Secret", visibility="role_restricted", allowed_groups=["hr"])
    delete(org, doc)
    client = signed_in(make_member(org, Role.EDITOR))
    assert "Secret" not in body(client.get(f"/{org.tenant.slug}/bin"))
    assert client.post(f"/{org.tenant.slug}/bin", {"doc": str(doc.pk)}).status_code == 404


@pytest.mark.parametrize("path", ["links", "unanswered", "bin"])
def test_reader_outsider_and_visitor_look_after_nothing(
    org: Org, signed_in: SignedIn, visitor: Any, path: str
) -> None:
    make_page(org, "Words.")
    for member in (org.reader, make_org().admin):
        assert signed_in(member).get(f"/{org.tenant.slug}/{path}").status_code == 404
    assert visitor.get(f"/{org.tenant.slug}/{path}").status_code == 302
    assert visitor.post(f"/{org.tenant.slug}/delete/page").status_code == 404
    assert signed_in(org.reader).post(f"/{org.tenant.slug}/delete/page").status_code == 404


@pytest.mark.parametrize("path", ["links", "unanswered", "bin"])
def test_empty_screens_teach(org: Org, signed_in: SignedIn, path: str) -> None:
    response = signed_in(org.editor).get(f"/{org.tenant.slug}/{path}")
    assert response.status_code == 200
    assert any(
        said in body(response) for said in ("None.", "Nothing left unanswered", "The bin is empty")
    )


def test_declined_questions_are_shown_without_the_asker(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, "Words.", title="Travel")
    for text in ("Who pays hotels?", "who pays hotels?"):
        make_question(org, doc, text, quote="")
    shown = body(signed_in(org.editor).get(f"/{org.tenant.slug}/unanswered"))
    assert shown.casefold().count("who pays hotels?") == 1
    assert "asked 2 times" in shown
    assert org.reader.user.username not in shown
    assert org.reader.user.username in body(
        signed_in(org.admin).get(f"/{org.tenant.slug}/unanswered")
    )


def test_questions_of_hidden_pages_and_answered_ones_are_not_shown(org: Org) -> None:
    hidden = make_page(
        org, "x", title="Hidden", visibility="role_restricted", allowed_groups=["hr"]
    )
    answered = make_page(org, "The fee is 20 euros.", title="Fees")
    make_question(org, hidden, "A secret?", quote="")
    make_question(org, answered, "What is the fee?")
    with tenancy.scope(org.tenant.pk):
        assert upkeep.unanswered(make_member(org, Role.EDITOR)) == []
        [one] = upkeep.unanswered(org.editor)
    assert (one.question, one.reason, one.is_older) == ("A secret?", Reason.NOT_COVERED, False)


def test_page_that_was_saved_since_is_worth_asking_again(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, "Words.", title="Travel", slug="travel")
    make_question(org, doc, "Who pays?", quote="")
    edit_page(org, doc, source="The company pays.")
    with tenancy.scope(org.tenant.pk):
        assert [one.is_older for one in upkeep.unanswered(org.editor)] == [True]
    client = signed_in(org.editor)
    page = body(client.get(f"/{org.tenant.slug}/p/travel?question=Who%20pays%3F"))
    assert ">Who pays?</textarea>" in page
