"""The list of pages and the read view, for reader, editor, outsider and visitor."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from kb.models import Doc, Status, Visibility
from tests.factories import Org, edit_page, make_org, make_page
from tests.web.conftest import SignedIn

SENTENCE = "Overtime is capped at 12 hours per week."
MARK = '<mark class="cite"'


def url_of(org: Org, doc: Doc, query: str = "") -> str:
    return f"/{org.tenant.slug}/p/{doc.slug}{query}"


def body(response: Any) -> str:
    return str(response.content, "utf-8")


def test_reader_sees_page_with_its_panel(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, f"# Overtime\n\n🌙 {SENTENCE}\n", title="Overtime", slug="hr/overtime")
    response = signed_in(org.reader).get(url_of(org, doc))
    assert response.status_code == 200
    assert SENTENCE in body(response)
    assert f'action="/{org.tenant.slug}/ask/hr/overtime"' in body(response)
    shown = body(response)
    assert shown.count("<h1") == 1, "a text that opens with its title shows it once"
    assert re.search(r"</h1><div[^>]*>\s*<p[^>]*>🌙", shown), "apart, so that it can stand on top"


def test_page_without_heading_gets_its_title(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, SENTENCE, title="Overtime <b>")
    assert re.search(
        r"<h1[^>]*>Overtime &lt;b&gt;</h1>", body(signed_in(org.reader).get(url_of(org, doc)))
    )


@pytest.mark.parametrize("path", ["/p/secret", "/edit/secret", "/history/secret", "/p/nothing"])
def test_outsider_finds_nothing(org: Org, signed_in: SignedIn, path: str) -> None:
    make_page(org, SENTENCE, slug="secret")
    outsider = make_org().reader
    assert signed_in(outsider).get(f"/{org.tenant.slug}{path}").status_code == 404


@pytest.mark.parametrize("slug", ["secret", "nothing"])
@pytest.mark.parametrize("tenant", ["", "-that-is-not-there"])
def test_visitor_is_sent_to_sign_in_whether_the_page_exists_or_not(
    org: Org, visitor: Client, slug: str, tenant: str
) -> None:
    make_page(org, SENTENCE, slug="secret")
    path = f"/{org.tenant.slug}{tenant}/p/{slug}"
    response = visitor.get(path)
    assert response.status_code == 302
    assert response["Location"] == f"/sign-in?next={path}"


def test_visitor_reads_public_page_but_cannot_ask(org: Org, visitor: Client) -> None:
    doc = make_page(org, SENTENCE, visibility=Visibility.PUBLIC)
    text = body(visitor.get(url_of(org, doc)))
    assert SENTENCE in text
    assert "Sign in to ask" in text
    assert "ask-form" not in text


def test_reader_keeps_published_text_while_editor_sees_draft(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, "Old words.")
    edit_page(org, doc, source="New words.", status=Status.DRAFT)
    assert "Old words." in body(signed_in(org.reader).get(url_of(org, doc)))
    shown = body(signed_in(org.editor).get(url_of(org, doc)))
    assert "New words." in shown
    assert "Readers and answers still have the published revision" in shown


def test_link_to_words_marks_them_without_script(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, f"🌙🌙 First. {SENTENCE}")
    start = len("🌙🌙 First. ")
    query = f"?cite={start}-{start + len(SENTENCE)}&rev=1"
    text = body(signed_in(org.reader).get(url_of(org, doc, query)))
    assert f'<mark class="cite" id="cite" data-n="0">{SENTENCE}</mark>' in text


def test_link_to_words_that_moved_marks_nothing_and_says_so(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, f"First. {SENTENCE}")
    edit_page(org, doc, source=f"Something before. First. {SENTENCE}")
    text = body(signed_in(org.reader).get(url_of(org, doc, "?cite=7-47&rev=1")))
    assert MARK not in text
    assert "no longer at their place" in text


def test_link_to_words_that_stayed_marks_them_in_the_newer_revision(
    org: Org, signed_in: SignedIn
) -> None:
    doc = make_page(org, f"First. {SENTENCE}")
    edit_page(org, doc, source=f"First. {SENTENCE} And more.")
    text = body(signed_in(org.reader).get(url_of(org, doc, "?cite=7-47&rev=1")))
    assert f">{SENTENCE}</mark> And more." in text


def test_editor_comes_to_cited_words_in_the_revision_that_was_cited(
    org: Org, signed_in: SignedIn
) -> None:
    doc = make_page(org, f"First. {SENTENCE}")
    edit_page(org, doc, source="All is new.")
    text = body(signed_in(org.editor).get(url_of(org, doc, "?cite=7-47&rev=1")))
    assert f">{SENTENCE}</mark>" in text
    assert "This is an older revision" in text


@pytest.mark.parametrize("cite", ["x", "5", "9-5", "1-99999999", "1-2,3", "٣-٤"])
def test_nonsense_address_shows_the_plain_page(org: Org, signed_in: SignedIn, cite: str) -> None:
    doc = make_page(org, SENTENCE)
    response = signed_in(org.reader).get(url_of(org, doc, f"?cite={cite}"))
    assert response.status_code == 200
    assert MARK not in body(response)


def test_links_lead_where_the_reader_may_go_and_read_as_words_elsewhere(
    org: Org, signed_in: SignedIn
) -> None:
    make_page(org, "Decree.", title="Decree 145", slug="legal/decree-145")
    make_page(
        org, "Secret.", slug="secret", visibility=Visibility.ROLE_RESTRICTED, allowed_groups=["hr"]
    )
    doc = make_page(org, "See [[Decree 145]], [it](/kb/secret) and [[Not there]].")
    text = body(signed_in(org.reader).get(url_of(org, doc)))
    assert f'<a href="/{org.tenant.slug}/p/legal/decree-145">Decree 145</a>' in text
    assert '<span class="wanted">it</span>' in text
    assert '<span class="wanted">Not there</span>' in text
    assert "and 1 linked page" in text


def test_restricted_page_is_neither_linked_nor_listed(org: Org, signed_in: SignedIn) -> None:
    make_page(
        org,
        "See [[Home]].",
        title="Layoffs",
        visibility=Visibility.ROLE_RESTRICTED,
        allowed_groups=["hr"],
    )
    home = make_page(org, "Home.", title="Home", slug="home")
    client = signed_in(org.reader)
    assert "Layoffs" not in body(client.get(url_of(org, home)))
    assert "Layoffs" not in body(client.get(f"/{org.tenant.slug}/"))


def test_list_shows_newest_first_and_finds_by_title(org: Org, signed_in: SignedIn) -> None:
    for title in ("Travel", "Overtime", "Security"):
        make_page(org, "Words.", title=title)
    client = signed_in(org.reader)
    titles = re.findall(r'class="title"[^>]*>([^<]+)<', body(client.get(f"/{org.tenant.slug}/")))
    assert titles == ["Security", "Overtime", "Travel"]
    found = body(client.get(f"/{org.tenant.slug}/", {"q": "over"}))
    assert re.findall(r'class="title"[^>]*>([^<]+)<', found) == ["Overtime"]


def test_editor_filters_by_status(org: Org, signed_in: SignedIn) -> None:
    make_page(org, "Words.", title="Done")
    make_page(org, "Words.", title="Half", status=Status.DRAFT)
    text = body(signed_in(org.editor).get(f"/{org.tenant.slug}/", {"status": "draft"}))
    assert re.findall(r'class="title"[^>]*>([^<]+)<', text) == ["Half"]


@pytest.mark.parametrize(
    ("role", "taught"), [("editor", "Write the first page"), ("reader", "Nothing to read yet")]
)
def test_empty_list_teaches(org: Org, signed_in: SignedIn, role: str, taught: str) -> None:
    assert taught in body(signed_in(getattr(org, role)).get(f"/{org.tenant.slug}/"))


def test_visitor_of_an_organisation_without_public_pages_signs_in(
    org: Org, visitor: Client
) -> None:
    make_page(org, "Words.")
    assert visitor.get(f"/{org.tenant.slug}/").status_code == 302
    make_page(org, "Words.", title="Open", visibility=Visibility.PUBLIC)
    assert "Open" in body(visitor.get(f"/{org.tenant.slug}/"))


def queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200
    return len(captured)


def test_query_count_does_not_grow_with_pages_and_links(org: Org, signed_in: SignedIn) -> None:
    client = signed_in(org.reader)
    few = make_page(org, "See [[p0]].", title="Few", slug="few")
    make_page(org, "Words.", title="p0", slug="p0")
    few_links, few_pages = (
        queries(client, url_of(org, few)),
        queries(client, f"/{org.tenant.slug}/"),
    )
    for n in range(1, 12):
        make_page(org, "Words.", title=f"p{n}", slug=f"p{n}")
    many = make_page(org, " ".join(f"[[p{n}]]" for n in range(12)), title="Many", slug="many")
    assert queries(client, url_of(org, many)) == few_links <= 16
    assert queries(client, f"/{org.tenant.slug}/") == few_pages <= 9


def test_strict_policy_covers_pages(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, SENTENCE)
    response = signed_in(org.reader).get(url_of(org, doc))
    policy = response["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert " style=" not in body(response)
    assert "<script>" not in body(response)
