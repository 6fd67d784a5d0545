"""Ask a page in the browser, and see the exact words behind the answer."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from kb.models import Revision
from memory import tenancy
from tests.e2e.conftest import Site
from tests.factories import edit_page, make_page

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])

POLICY = """# Overtime policy 🕐

## Limits

Overtime **must not** exceed [12 hours](/kb/legal/decree-145) per `week` for staff.

## Approval

The team lead approves overtime in writing before it begins.
"""
DECREE = """# Decree 145

## Article 107

🌙 Employers pay a night allowance of 30 percent of the hourly wage.
"""


def ask(tab: Page, question: str) -> None:
    tab.fill("#question", question)
    tab.press("#question", "Enter")
    expect(tab.locator("#answer")).to_contain_text(question, timeout=30_000)


def marked(tab: Page) -> str:
    return "".join(tab.locator('article mark[data-n~="1"]').all_text_contents())


def test_answer_marks_the_exact_words_it_rests_on(site: Site) -> None:
    doc = make_page(site.org, POLICY, title="Overtime policy")
    tab = site.read(doc)
    ask(tab, "How many hours must overtime not exceed per week?")
    assert marked(tab) == "Overtime must not exceed 12 hours per week for staff."
    tab.hover('.ref[data-n="1"]')
    assert "".join(tab.locator("article mark.live").all_text_contents()) == marked(tab)
    tab.locator("article mark").first.hover()
    expect(tab.locator(".gloss")).to_be_visible()


def test_marks_equal_the_slice_of_the_stored_revision(site: Site) -> None:
    doc = make_page(site.org, POLICY, title="Overtime policy")
    tab = site.read(doc)
    with tab.expect_response("**/ask") as answered:
        ask(tab, "Who approves overtime in writing?")
    reply = answered.value.json()
    assert reply["offset_unit"] == "codepoint"
    assert reply["citations"]
    with tenancy.scope(site.org.tenant.pk):
        text = Revision.objects.get(doc=doc).text
    assert tab.locator("article").evaluate("article => article.textContent") == text
    for cited in reply["citations"]:
        assert text[cited["char_start"] : cited["char_end"]] == cited["quote"]
        pieces = tab.locator(f'article mark[data-n~="{cited["n"]}"]').all_text_contents()
        assert "".join(pieces) == cited["quote"]


def test_footnote_to_a_linked_page_opens_a_card_and_leads_to_its_words(site: Site) -> None:
    make_page(site.org, DECREE, title="Decree 145", slug="legal/decree-145")
    doc = make_page(site.org, POLICY, title="Overtime policy")
    tab = site.read(doc)
    ask(tab, "What night allowance in percent of the hourly wage do employers pay?")
    tab.focus('.ref[data-n="1"]')
    card = tab.locator(".card")
    quote = card.locator("mark").inner_text()
    assert "night allowance of 30 percent" in quote
    card.get_by_role("link").click()
    expect(tab.locator("article h1")).to_have_text("Decree 145")
    expect(tab.locator("#cite")).to_be_in_viewport()
    assert "".join(tab.locator('article mark[data-n="0"]').all_text_contents()) == quote


def test_reload_and_past_questions_bring_the_answer_back(site: Site) -> None:
    doc = make_page(site.org, POLICY, title="Overtime policy")
    tab = site.read(doc)
    ask(tab, "Who approves overtime in writing?")
    before = marked(tab)
    tab.reload()
    assert marked(tab) == before != ""
    tab.goto(site.path_of(doc))
    expect(tab.locator("article mark")).to_have_count(0)
    tab.get_by_text("Your past questions").click()
    tab.get_by_role("link", name="Who approves overtime in writing?").click()
    expect(tab.locator("#answer")).to_be_visible()
    assert marked(tab) == before


def test_page_that_does_not_say_declines_and_marks_nothing(site: Site) -> None:
    tab = site.read(make_page(site.org, POLICY, title="Overtime policy"))
    ask(tab, "What colour is the canteen's new curtain?")
    assert (tab.locator("#answer").get_attribute("data-kind") or "").startswith("decline_")
    expect(tab.locator("article mark, .note")).to_have_count(0)


def test_without_script_form_answer_and_marks_work(site: Site) -> None:
    doc = make_page(site.org, POLICY, title="Overtime policy")
    tab = site.read(doc, java_script_enabled=False)
    tab.fill("#question", "How many hours must overtime not exceed per week?")
    tab.click(".ask-form button")
    assert marked(tab) == "Overtime must not exceed 12 hours per week for staff."
    tab.locator(".note a").first.click()
    assert tab.url.endswith("#cite-1")
    expect(tab.locator("#cite-1")).to_be_in_viewport()


def test_page_changed_while_it_was_open_marks_no_other_words(site: Site) -> None:
    doc = make_page(site.org, POLICY, title="Overtime policy")
    tab = site.read(doc)
    edit_page(site.org, doc, source="Read this first.\n\n" + POLICY)
    ask(tab, "Who approves overtime in writing?")
    expect(tab.locator("article mark")).to_have_count(0)
    tab.locator(".note a").first.click()
    expect(tab.locator("#cite")).to_have_text(
        "The team lead approves overtime in writing before it begins."
    )


@pytest.mark.parametrize(
    "source",
    [
        'Fee is 20 euros for members. <img src=x onerror="window.__hit=1">',
        "<script>window.__hit=1</script>Fee is 20 euros for members.",
        "<svg onload=window.__hit=1>Fee is 20 euros for members.</svg>",
        "[Fee](javascript:window.__hit=1) is 20 euros for members.",
        "Fee is <b onmouseover=window.__hit=1>20 euros for members.",
        "Fee is 20 euros for members. \"><iframe srcdoc='<script>parent.__hit=1</script>'>",
    ],
)
def test_fc_66_hostile_pages_titles_and_questions_never_run(site: Site, source: str) -> None:
    doc = make_page(site.org, source, title=source[:280], slug="fees")
    tab = site.read(doc)
    ask(tab, "How many euros is the fee for members? <img src=x onerror=window.__hit=1>")
    for target in tab.locator(".ref, article mark").all():
        target.hover()
    assert tab.evaluate("window.__hit") is None
    for path in (
        site.path_of(doc),
        f"/{site.org.tenant.slug}/",
        f"/{site.org.tenant.slug}/questions",
    ):
        tab.goto(path)
        assert tab.evaluate("window.__hit") is None
