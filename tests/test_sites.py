"""Which full addresses are a site's own, and which only look like it."""

from __future__ import annotations

import pytest

from kb.links import LinkTarget, TargetKind, parse_target, resolve_links, safe_href
from kb.sites import Site

HOSTS = ("kb.example.org", ".wiki.example", "xn--kln-sna.example", "localhost", "[::1]")
SITE = Site("demo", HOSTS, ("https://kb.example.org:8443", "https://other.example:9000"))


def local(href: str) -> str:
    cleaned = safe_href(href)
    assert cleaned is not None
    return SITE.local(cleaned)


@pytest.mark.parametrize(
    "start",
    [
        "https://kb.example.org",
        "http://kb.example.org",
        "HTTPS://KB.Example.ORG",
        "//kb.example.org",
        "https:///kb.example.org",
        "https://kb.example.org.",
        "https://kb.example.org:443",
        "http://kb.example.org:80",
        "https://kb.example.org:",
        "https://kb.example.org:8443",
        "https://kb%2Eexample%2Eorg",
        "https://kb.exa\tmple.org",
        "https://ｋｂ.example。org",
        "https://wiki.example",
        "https://eu.wiki.example",
        "https://köln.example",
        "https://KÖLN.example",
        "https://xn--kln-sna.example",
        "http://localhost:8821",
        "http://[::1]:8821",
    ],
)
@pytest.mark.parametrize("rest", ["/demo/p/hr/overtime", "/demo/p/hr/overtime?cite=1-5&rev=2#cite"])
def test_own_address_becomes_a_path(start: str, rest: str) -> None:
    assert local(start + rest) == rest


@pytest.mark.parametrize(
    "start",
    [
        "https://kb.example.org.evil.com",
        "https://evil.com/kb.example.org",
        "https://evilkb.example.org",
        "https://sub.kb.example.org",
        "https://evilwiki.example",
        "https://example.org",
        "https://kb.example.org@evil.com",
        "https://kb.example.org:443@evil.com",
        "https://evil.com@kb.example.org",
        "https://kb.example.org%2Fevil.com",
        "https://kb.example.org%00.evil.com",
        "https://evil.com\\@kb.example.org",
        "https:\\\\kb.example.org",
        "https://evil.com#@kb.example.org",
        "https://evil.com?@kb.example.org",
        "https://kb.example.org:8444",
        "https://kb.example.org:80",
        "http://kb.example.org:443",
        "https://kb.example.org:99999999999999999999",
        "https://kb.example.org:8443:443",
        "https://other.example:9000",
        "https://",
        "https://.",
        "https://[kb.example.org]",
        "https://127.1",
        "ftp:kb.example.org",
        "https:kb.example.org",
    ],
)
def test_address_that_only_looks_like_it_stays_as_it_is(start: str) -> None:
    cleaned = safe_href(f"{start}/demo/p/hr/overtime")
    assert cleaned is None or SITE.local(cleaned) == cleaned


@pytest.mark.parametrize(
    "path",
    [
        *("", "/", "/demo", "/demo/", "/demo/p", "/demo/p/", "/admin/", "/s/token"),
        *("/demo/search?q=/demo/p/x", "/demo/files/1/p/x.png", "/other/p/hr/overtime"),
        *("/demo2/p/hr", "//demo/p/hr", "/Demo/p/hr", "/x/../demo/p/hr", "#/demo/p/hr"),
    ],
)
def test_other_places_of_the_site_are_no_pages(path: str) -> None:
    assert local(f"https://kb.example.org{path}") == f"https://kb.example.org{path}"


@pytest.mark.parametrize("hosts", [("*",), (), ("",), (".",)])
def test_site_that_does_not_know_its_name_has_no_address_of_its_own(hosts: tuple[str, ...]) -> None:
    href = "https://kb.example.org/demo/p/x"
    assert Site("demo", hosts).local(href) == href


def test_place_on_the_page_comes_along() -> None:
    known = {"/hr/pay": "/demo/p/hr/pay"}
    page = (
        '<a href="https://kb.example.org/demo/p/hr/pay#Who%20pays" rel="nofollow noopener">a</a>'
        '<a href="https://kb.example.org/demo/p/hr/pay?cite=1-5&amp;rev=2#cite">b</a>'
        '<a href="https://kb.example.org/demo/p/hr/pay?asked=1">c</a>'
        '<a href="https://kb.example.org/demo/p/secret">d</a>'
        '<a href="https://kb.example.org/demo/" rel="nofollow noopener">e</a>'
    )
    assert resolve_links(page, lambda target: known.get(target.value), site=SITE) == (
        '<a href="/demo/p/hr/pay#hd-who-pays">a</a>'
        '<a href="/demo/p/hr/pay?cite=1-5&amp;rev=2#cite">b</a>'
        '<a href="/demo/p/hr/pay">c</a>'
        '<span class="wanted">d</span>'
        '<a href="https://kb.example.org/demo/" rel="nofollow noopener">e</a>'
    )


def test_cited_words_are_part_of_a_target() -> None:
    assert parse_target("pay?cite=1-5&rev=2#cite") == LinkTarget(
        TargetKind.PAGE, "pay", "cite", "cite=1-5&rev=2"
    )
