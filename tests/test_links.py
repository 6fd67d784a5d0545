from __future__ import annotations

from uuid import UUID

import pytest

from kb.links import (
    LinkTarget,
    TargetKind,
    heading_anchor,
    link_name,
    page_candidates,
    page_names,
    parse_target,
    resolve_links,
    safe_href,
)

DOC = "0d9c2a3e-6f5b-4c1d-9a8e-7b6c5d4e3f2a"


@pytest.mark.parametrize(
    ("href", "kind", "value", "fragment"),
    [
        ("/kb/decree", TargetKind.PAGE, "/decree", ""),
        ("/kb/hr/over%20time#Who%20pays", TargetKind.PAGE, "/hr/over time", "Who pays"),
        ("overtime.md", TargetKind.PAGE, "overtime", ""),
        ("./a/../overtime.html?x=1#top", TargetKind.PAGE, "overtime", "top"),
        ("../it/vpn.md", TargetKind.PAGE, "../it/vpn", ""),
        ("../it/vpn/", TargetKind.PAGE, "../it/vpn/", ""),
        (f"/kb/docs/{DOC.upper()}", TargetKind.DOC, DOC, ""),
        (DOC, TargetKind.DOC, DOC, ""),
        ("#setup", TargetKind.ANCHOR, "", "setup"),
        ("wiki:Finance/2024/Invoice", TargetKind.WIKI, "Finance/2024/Invoice", ""),
        ("wiki:Over%20time#pay", TargetKind.WIKI, "Over time", "pay"),
        ("https://example.org/a?b", TargetKind.EXTERNAL, "https://example.org/a?b", ""),
        ("//example.org/a", TargetKind.EXTERNAL, "//example.org/a", ""),
    ],
)
def test_address_names_its_target(href: str, kind: TargetKind, value: str, fragment: str) -> None:
    assert parse_target(href) == LinkTarget(kind, value, fragment)


@pytest.mark.parametrize(
    "href", ["", "#", "mailto:a@b.c", "wiki:", "/", "javascript:alert(1)", "http://[x"]
)
def test_address_of_no_page_names_nothing(href: str) -> None:
    target = parse_target(href)
    assert target is None or target.kind is TargetKind.EXTERNAL


def test_doc_target_carries_its_id() -> None:
    target = parse_target(f"/kb/docs/{DOC}")
    assert target is not None
    assert str(target.doc_id) == DOC


@pytest.mark.parametrize(
    "href",
    [
        "javascript:alert(1)",
        " JaVaScRiPt:alert(1)",
        "java\tscript:alert(1)",
        "\x01javascript:alert(1)",
        "java\u200bscript:alert(1)",
        "data:text/html,<script>",
        "vbscript:x",
        "file:///etc/passwd",
    ],
)
def test_address_that_may_do_harm_is_refused(href: str) -> None:
    assert safe_href(href) is None


def test_backslash_cannot_leave_the_site() -> None:
    assert safe_href("/\\evil.example/x") == "/%5Cevil.example/x"


def test_address_has_no_character_that_could_leave_its_attribute() -> None:
    assert safe_href("/a\"b'c<d> e") == "/a%22b%27c%3Cd%3E%20e"


@pytest.mark.parametrize(
    ("base", "value", "candidates"),
    [
        ("hr/rules", "pay", ["hr/pay", "hr/rules/pay", "pay"]),
        ("hr/rules", "pay/", ["hr/rules/pay", "hr/pay", "pay"]),
        ("hr/leave/rules", "../pay", ["hr/pay", "hr/leave/pay", "pay"]),
        ("rules", "hr/pay", ["hr/pay", "rules/hr/pay"]),
        ("docs/rules", "/pay", ["pay", "en/pay", "docs/pay", "docs/en/pay"]),
        ("rules", "../../Over Time/README", ["over-time/readme", "over-time"]),
    ],
)
def test_path_may_mean_these_pages_the_likeliest_first(
    base: str, value: str, candidates: list[str]
) -> None:
    assert list(page_candidates(base, value)) == candidates


@pytest.mark.parametrize(
    ("href", "slug", "title"),
    [
        ("../hr/Over%20Time.md#pay", "hr/over-time", "Overtime"),
        ("/hr/over-time/index.html", "hr/over-time", "Overtime"),
        ("README.md", "readme", "Hello"),
        ("b/README.md", "b/readme", "Beside a page that is called b"),
        ("../", "hr", "All of HR"),
        ("wiki:OVERTIME", "hr/extra-hours", "Overtime"),
        ("wiki:A/B test", "lab", "A/B test"),
        (f"/kb/{DOC}", "lab", "Lab"),
    ],
)
def test_page_is_among_those_that_a_link_asks_for_by_name(href: str, slug: str, title: str) -> None:
    target = parse_target(href)
    assert target is not None
    assert link_name(target) in page_names(slug, title, UUID(DOC))
    assert link_name(target) not in page_names("quite/other", "Else", UUID(int=1)) - {""}


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("Who pays?", "hd-who-pays"),
        ("  A_b -- c ", "hd-a-b-c"),
        ("Überstunden 2025", "hd-überstunden-2025"),
        ("残業", "hd-残業"),
        ("!!!", "hd-section"),
    ],
)
def test_heading_makes_an_anchor(heading: str, anchor: str) -> None:
    assert heading_anchor(heading) == anchor


PAGE = (
    '<p>See <a class="wiki" href="wiki:Pay">the <strong>pay</strong> page</a>, '
    '<a href="/kb/gone">gone</a>, <a href="https://e.org/" rel="nofollow noopener">out</a> '
    'and <a href="#hd-x">x</a>.</p>'
)


def test_resolving_fills_in_what_the_reader_has_and_marks_what_is_wanted() -> None:
    known = {"Pay": "/kb/docs/1"}
    resolved = resolve_links(PAGE, lambda target: known.get(target.value))
    assert resolved == (
        '<p>See <a href="/kb/docs/1">the <strong>pay</strong> page</a>, '
        '<span class="wanted">gone</span>, '
        '<a href="https://e.org/" rel="nofollow noopener">out</a> and <a href="#hd-x">x</a>.</p>'
    )


def test_resolved_address_leads_to_the_heading_that_was_named() -> None:
    resolved = resolve_links('<a href="/kb/pay#Who%20pays">x</a>', lambda _: "/kb/docs/1")
    assert resolved == '<a href="/kb/docs/1#hd-who-pays">x</a>'


def test_resolved_address_is_escaped() -> None:
    assert resolve_links('<a href="pay">x</a>', lambda _: '/"><b>') == (
        '<a href="/&quot;&gt;&lt;b&gt;">x</a>'
    )
