"""A page that one may not see: no surface tells more of it than the words of the pages that one may.

HIDDEN is the last part of its address. Its name is in the source of a page that everybody reads, in
every way that a link can be written, and nowhere in what that page shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from kb import intake, sharing
from kb.intake import PageFields
from kb.models import Doc, DocLink, Visibility
from memory import tenancy
from memory.models import Membership
from memory.people import keys
from tests.asks import ask_page, models
from tests.factories import Org, edit_page, make_page
from tests.web.conftest import SignedIn

HIDDEN = "grimfolder"
SOURCE = """# Overview

Overtime is capped at 12 hours.

See [one](../{at}.md), [[{at}|two]], [[{name}|three]], [four](/{tenant}/p/{at}),
[five](https://testserver/{tenant}/p/{at}), [six](//testserver/{tenant}/p/{at}?cite=0-4&rev=1#cite),
<a href="/{tenant}/p/{at}#{at}">seven</a>, [eight][ref] and [nine](/{tenant}/p/former-{at}).

[ref]: https://testserver:443/{tenant}/p/{at}#part

<!-- see {at} -->
"""
LINKS = 9


@pytest.fixture
def hidden(org: Org) -> Doc:
    doc = make_page(
        org,
        f"The {HIDDEN} bonus is 90000.",
        title=f"The {HIDDEN}",
        slug=f"former-hr/{HIDDEN}",
        visibility=Visibility.ROLE_RESTRICTED,
        allowed_groups=["vault"],
    )
    with tenancy.scope(org.tenant.pk):
        return intake.update_page(org.editor, doc, PageFields(slug=f"hr/{HIDDEN}"))


@pytest.fixture
def page(org: Org, hidden: Doc) -> Doc:
    source = SOURCE.format(at=f"hr/{HIDDEN}", name=hidden.title, tenant=org.tenant.slug)
    return make_page(org, source, title="Overview", slug="overview/here")


def api(member: Membership) -> APIClient:
    with tenancy.scope(member.tenant_id):
        key = keys.create_key(member)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {key}")
    return client


def body(response: Any) -> str:
    content = b"".join(response) if response.streaming else response.content
    return str(content, "utf-8")


def surfaces(org: Org, page: Doc, web: Client, api: APIClient) -> Iterator[tuple[str, str]]:
    """Every screen and endpoint of a reader, with what it says."""
    at = f"/{org.tenant.slug}"
    with models({"answer": "No.", "confidence_score": 0.1, "citations": []}):
        asked = ask_page(org.reader, page, "Where is the overview?").question_id
        yield "ask", body(api.post(f"/v1/kb/docs/{page.pk}/ask", {"question": "What else?"}))
        yield "ask all", body(api.post("/v1/kb/ask", {"question": "What is the overview?"}))
    for path in (
        *(f"{at}/", f"{at}/?q=hr", f"{at}/p/{page.slug}", f"{at}/p/{page.slug}?asked={asked}"),
        *(f"{at}/search?q=overview", f"{at}/search?q=hr+bonus", f"{at}/questions", f"{at}/ask"),
        *(f"{at}/search/suggestions?q=overview", f"{at}/search/suggestions?q=hr"),
        *(f"{at}/questions/export?format={kind}" for kind in ("csv", "json")),
    ):
        response = web.get(path)
        assert response.status_code == 200, path
        yield path, body(response)
    for path in (
        *("docs", "docs?q=hr", f"docs/{page.pk}", "search?q=overview", "search?q=hr"),
        *("qa/history", "qa/export?format=csv", "qa/export?format=json"),
    ):
        response = api.get(f"/v1/kb/{path}")
        assert response.status_code == 200, path
        yield path, body(response)


def test_reader_learns_no_address_from_any_surface(
    org: Org, page: Doc, signed_in: SignedIn
) -> None:
    told = dict(surfaces(org, page, signed_in(org.reader), api(org.reader)))
    assert "one" in told[f"docs/{page.pk}"], "the words of the links are there"
    assert [path for path, text in told.items() if HIDDEN in text] == []


def test_guest_with_a_share_link_learns_no_address(org: Org, page: Doc, visitor: Client) -> None:
    with tenancy.scope(org.tenant.pk):
        link = sharing.create_link(
            org.editor, page, expires_at=timezone.now() + timedelta(days=1), max_uses=0
        )
        token = sharing.token_of(link)
    text = body(visitor.get(f"/s/{token}"))
    assert text.count('<span class="wanted">') == LINKS
    assert HIDDEN not in text


def test_hidden_page_reads_like_one_that_was_never_written(
    org: Org, page: Doc, signed_in: SignedIn
) -> None:
    never = SOURCE.format(at="hr/never", name="The never", tenant=org.tenant.slug)
    other = make_page(org, never, title="Overview", slug="overview/there")

    def shown(doc: Doc) -> str:
        text = body(signed_in(org.reader).get(f"/{org.tenant.slug}/p/{doc.slug}"))
        return text[text.index("<article") : text.index("</article>")]

    assert shown(page) == shown(other)
    assert shown(page).count('<span class="wanted">') == LINKS


def test_those_who_may_see_it_follow_every_link(
    org: Org, page: Doc, hidden: Doc, signed_in: SignedIn
) -> None:
    text = body(signed_in(org.admin).get(f"/{org.tenant.slug}/p/{page.slug}"))
    article = text[text.index("<article") : text.index("</article>")]
    assert article.count(f'href="/{org.tenant.slug}/p/hr/{HIDDEN}') == LINKS
    assert "nofollow" not in article
    assert f'href="/{org.tenant.slug}/p/hr/{HIDDEN}?cite=0-4&amp;rev=1#cite"' in article


def test_links_by_full_address_are_links_between_pages(org: Org, page: Doc, hidden: Doc) -> None:
    plain = make_page(
        org,
        f"https://testserver/{org.tenant.slug}/p/hr/{HIDDEN} and https://example.org/x/p/hr",
        title="Plain",
    )
    with tenancy.scope(org.tenant.pk):
        links = DocLink.objects.filter(source=plain)
        assert list(links.values_list("target_id", "href")) == [
            (hidden.pk, f"/{org.tenant.slug}/p/hr/{HIDDEN}")
        ]


def test_host_of_the_request_decides_nothing(
    org: Org, hidden: Doc, signed_in: SignedIn, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    address = f"https://evil.example/{org.tenant.slug}/p/hr/{HIDDEN}"
    page = make_page(org, f"See [it]({address}).", title="Other", slug="other")
    client = signed_in(org.admin)
    text = body(client.get(f"/{org.tenant.slug}/p/other", headers={"Host": "evil.example"}))
    assert f'<a href="{address}" rel="nofollow noopener">it</a>' in text
    with tenancy.scope(org.tenant.pk):
        assert not DocLink.objects.filter(source=page).exists()


def test_page_of_another_organisation_on_the_same_host_stays_elsewhere(
    org: Org, signed_in: SignedIn
) -> None:
    make_page(org, "Ours.", title="Pay", slug="pay")
    make_page(org, "See [pay](https://testserver/other-house/p/pay).", title="A", slug="a")
    text = body(signed_in(org.reader).get(f"/{org.tenant.slug}/p/a"))
    assert '<a href="https://testserver/other-house/p/pay" rel="nofollow noopener">' in text


def test_link_that_was_saved_before_its_host_was_known_is_followed(
    org: Org, hidden: Doc, signed_in: SignedIn, settings: Any
) -> None:
    known, settings.ALLOWED_HOSTS = settings.ALLOWED_HOSTS, ["elsewhere.example"]
    address = f"https://testserver/{org.tenant.slug}/p/hr/{HIDDEN}"
    make_page(org, f"See [it]({address}).", title="Other", slug="other")
    settings.ALLOWED_HOSTS = known
    path = f"/{org.tenant.slug}/p/other"
    assert f'<a href="/{org.tenant.slug}/p/hr/{HIDDEN}">it</a>' in body(
        signed_in(org.admin).get(path)
    )
    assert '<span class="wanted">it</span>' in body(signed_in(org.reader).get(path))


def test_source_that_names_a_hidden_page_is_for_those_who_may_edit(org: Org, page: Doc) -> None:
    of_editor, of_reader = (
        api(member).get(f"/v1/kb/docs/{page.pk}").json() for member in (org.editor, org.reader)
    )
    assert of_editor["source_format"] == "markdown"
    assert f"[[hr/{HIDDEN}|two]]" in of_editor["source"]
    assert (of_reader["source"], of_reader["source_format"]) == (of_reader["html"], "html")
    assert of_reader["text"] == of_editor["text"]


def test_source_that_names_none_is_for_every_reader(org: Org) -> None:
    make_page(org, "Words.", title="Pay", slug="pay")
    page = make_page(org, "See [[pay]] and *this*.", title="A", slug="a")
    of_reader = api(org.reader).get(f"/v1/kb/docs/{page.pk}").json()
    assert (of_reader["source"], of_reader["source_format"]) == (
        "See [[pay]] and *this*.",
        "markdown",
    )


def test_former_address_of_a_link_is_not_told(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, "Words.", title="Pay", slug="old-pay", visibility="public")
    make_page(org, "See [pay](old-pay.md).", title="A", slug="a")
    edit_page(
        org, doc, slug=HIDDEN, visibility=Visibility.ROLE_RESTRICTED, allowed_groups=["vault"]
    )
    client = signed_in(org.reader)
    assert HIDDEN not in body(client.get(f"/{org.tenant.slug}/p/a"))
    moved = client.get(f"/{org.tenant.slug}/p/old-pay")
    assert (moved.status_code, "Location" in moved) == (404, False)
