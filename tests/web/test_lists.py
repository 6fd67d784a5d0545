"""The list of pages, narrowed and sorted."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.factories import Org, make_page
from tests.web.conftest import SignedIn


@pytest.fixture
def pages(org: Org) -> None:
    make_page(org, "Words.", title="Travel", category="policy")
    make_page(org, "Words.", title="badges", category="how_to")
    make_page(org, "Lời.", title="Đi lại", language="vi", category="policy", status="draft")


def titles(client: Client, org: Org, query: str = "") -> list[str]:
    text = str(client.get(f"/{org.tenant.slug}/{query}").content, "utf-8")
    return re.findall(r'<a class="title"[^>]*>([^<]*)</a>', text)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["Đi lại", "badges", "Travel"]),
        ("?sort=oldest", ["Travel", "badges", "Đi lại"]),
        ("?sort=title", ["badges", "Travel", "Đi lại"]),
        ("?category=policy", ["Đi lại", "Travel"]),
        ("?category=policy&language=en", ["Travel"]),
        ("?language=vi", ["Đi lại"]),
        ("?category=policy&status=draft&q=lại", ["Đi lại"]),
        ("?category=nonsense&language=xx&sort=1&status=x", ["Đi lại", "badges", "Travel"]),
    ],
)
def test_list_is_narrowed_and_sorted(
    org: Org, pages: None, signed_in: SignedIn, query: str, found: list[str]
) -> None:
    assert titles(signed_in(org.editor), org, query) == found


def test_languages_to_choose_from_are_those_of_visible_pages(
    org: Org, pages: None, signed_in: SignedIn
) -> None:
    editor = str(signed_in(org.editor).get(f"/{org.tenant.slug}/").content, "utf-8")
    reader = str(signed_in(org.reader).get(f"/{org.tenant.slug}/").content, "utf-8")
    assert "Tiếng Việt" in editor
    assert "Tiếng Việt" not in reader


def test_status_link_keeps_the_other_filters(org: Org, pages: None, signed_in: SignedIn) -> None:
    text = str(signed_in(org.editor).get(f"/{org.tenant.slug}/?category=policy").content, "utf-8")
    assert 'href="?category=policy&amp;status=draft"' in text


def test_search_without_a_hit_offers_to_write_the_page(org: Org, signed_in: SignedIn) -> None:
    text = str(signed_in(org.editor).get(f"/{org.tenant.slug}/?q=Sick+leave").content, "utf-8")
    assert f'href="/{org.tenant.slug}/new?title=Sick%20leave"' in text
    text = str(signed_in(org.reader).get(f"/{org.tenant.slug}/?q=Sick+leave").content, "utf-8")
    assert "/new?" not in text


@pytest.mark.parametrize("query", ["", "?q=x", "?category=policy"])
def test_organisation_without_public_pages_is_none_to_a_visitor(
    org: Org, pages: None, visitor: Client, query: str
) -> None:
    for slug in (org.tenant.slug, "never-was"):
        response = visitor.get(f"/{slug}/{query}")
        assert response.status_code == 302
        assert response["Location"].startswith("/sign-in")
