"""The demo content hangs together: links lead somewhere, and every expected quote can be cited."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from kb.demo.pages import DemoPage, DemoQuestion, load_pages, load_questions, parse_page
from kb.links import TargetKind, page_candidates, parse_target
from kb.rendering import SourceFormat, render

PAGES = {page.slug: page for page in load_pages()}
TEXTS = {page.slug: render(page.source, SourceFormat.MARKDOWN).text for page in PAGES.values()}
QUESTIONS = load_questions()
_BY_TITLE = {page.title.casefold(): page.slug for page in PAGES.values()}
_MARKDOWN_LINK = re.compile(r"\[[^\]\[]+\]\(([^)\s]+)\)")
_WIKI_LINK = re.compile(r"\[\[([^\]|]+)(?:\|[^\]]*)?\]\]")
_ANSWERED = [question for question in QUESTIONS if question.expect == "answered"]


def linked_slugs(page: DemoPage) -> set[str]:
    """Where the page's links lead, or what they say where they lead nowhere."""
    found = set()
    for href in _MARKDOWN_LINK.findall(page.source):
        target = parse_target(href)
        if target is None or target.kind in (TargetKind.EXTERNAL, TargetKind.ANCHOR):
            continue
        meant = (slug for slug in page_candidates(page.slug, target.value) if slug in PAGES)
        found.add(next(meant, target.value.strip("/")))
    for name in _WIKI_LINK.findall(page.source):
        found.add(name if name in PAGES else _BY_TITLE.get(name.casefold(), name))
    return found


def neighbours(slug: str) -> set[str]:
    """One hop, outbound and inbound."""
    inbound = {page.slug for page in PAGES.values() if slug in linked_slugs(page)}
    return (linked_slugs(PAGES[slug]) | inbound) - {slug}


def readable_by(user: str) -> set[str]:
    """What an ask of this demo user may read. Drafts are read by nobody's ask."""
    return {
        page.slug
        for page in PAGES.values()
        if page.status == "published"
        and (page.visibility != "role_restricted" or user in ("admin", "editor"))
    }


def test_slugs_and_titles_are_unique() -> None:
    titles = Counter(page.title.casefold() for page in load_pages())
    slugs = Counter(page.slug for page in load_pages())
    assert max(titles.values()) == 1
    assert max(slugs.values()) == 1


def test_home_page_comes_first() -> None:
    assert load_pages()[0].slug == "handbook"


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES.keys())
def test_every_internal_link_resolves(page: DemoPage) -> None:
    assert linked_slugs(page) - PAGES.keys() == set()


@pytest.mark.parametrize("slug", PAGES)
def test_every_page_is_linked_both_ways(slug: str) -> None:
    assert linked_slugs(PAGES[slug])
    assert any(slug in linked_slugs(page) for page in PAGES.values())


def test_languages_and_rights_are_all_shown() -> None:
    assert Counter(page.language for page in PAGES.values()) == {
        "en": 16,
        "vi": 1,
        "zh": 1,
        "ar": 1,
    }
    assert {page.slug for page in PAGES.values() if page.visibility == "public"} == {
        "products/storm-line"
    }
    assert {page.slug: page.groups for page in PAGES.values() if page.groups} == {
        "hr/salary-bands": ("hr",)
    }
    assert PAGES["hr/salary-bands"].visibility == "role_restricted"
    assert [page.slug for page in PAGES.values() if page.status == "draft"] == [
        "engineering/wind-tunnel"
    ]


def test_weekly_ceiling_stands_only_in_decree_145() -> None:
    ceiling = "overtime shall not exceed 12 hours per week"
    assert [page.slug for page in PAGES.values() if ceiling in TEXTS[page.slug]] == [
        "law/decree-145"
    ]
    assert "law/decree-145" in linked_slugs(PAGES["handbook/overtime"])
    assert "12 hours" not in PAGES["handbook/overtime"].source
    assert QUESTIONS[0].must_quote == ceiling


@pytest.mark.parametrize("question", _ANSWERED, ids=[f"{q.slug}-{q.question}" for q in _ANSWERED])
def test_expected_quote_is_within_one_hop(question: DemoQuestion) -> None:
    assert question.must_quote
    readable = readable_by(question.user)
    assert question.slug in readable
    on_page = question.must_quote in TEXTS[question.slug]
    if question.kind == "linked":
        assert not on_page
        assert any(
            question.must_quote in TEXTS[slug] for slug in neighbours(question.slug) & readable
        )
    else:
        assert on_page


def test_declined_questions_name_no_quote_and_ask_a_readable_page() -> None:
    declined = [question for question in QUESTIONS if question.expect != "answered"]
    assert {question.expect for question in declined} == {"declined"}
    assert {question.must_quote for question in declined} == {None}
    assert all(question.slug in readable_by(question.user) for question in declined)
    assert {question.kind for question in declined} == {
        "off_topic",
        "near_topic",
        "unlinked",
        "restricted",
        "draft",
    }


def test_restricted_facts_stand_on_no_page_the_contractor_reads() -> None:
    restricted = {
        question.must_quote
        for question in _ANSWERED
        if any(
            question.question == other.question and other.kind == "restricted"
            for other in QUESTIONS
        )
    }
    assert restricted == {"42,400", "8 % of operating profit"}
    visible = readable_by("contractor")
    assert not [slug for slug in visible for fact in restricted if fact and fact in TEXTS[slug]]


@pytest.mark.parametrize(
    ("slug", "answered_on"),
    [
        ("products/storm-line", "handbook/leave"),
        ("security/devices", "handbook/overtime"),
        ("law/decree-145", "handbook/benefits"),
        ("hanoi/workshop-rules", "handbook/travel"),
        ("taipei/typhoon", "products/storm-line"),
        ("field/desert-installation", "offices/guide"),
    ],
)
def test_unlinked_questions_have_their_answer_two_hops_away(slug: str, answered_on: str) -> None:
    assert any(q.slug == slug and q.kind == "unlinked" for q in QUESTIONS)
    assert answered_on not in neighbours(slug)


@pytest.mark.parametrize(
    "document",
    [
        "title: No fence\n\nText",
        "---\ntitle: Never closed\n",
        "---\ntitle: Too few\nslug: few\n---\nText",
    ],
)
def test_malformed_page_is_refused_by_name(document: str) -> None:
    with pytest.raises(ValueError, match=r"^odd\.md: "):
        parse_page(document, name="odd.md")


def test_page_fields_and_source_are_parted_at_the_second_fence() -> None:
    page = parse_page(
        "---\ntitle: A: B\nslug: a/b\nlanguage: en\nvisibility: role_restricted\n"
        "groups: hr, engineering\nstatus: draft\n---\nOne\n\n---\n\nTwo\n",
        name="a.md",
    )
    assert page.title == "A: B"
    assert page.groups == ("hr", "engineering")
    assert page.source == "One\n\n---\n\nTwo\n"
