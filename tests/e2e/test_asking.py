"""The form, its states, and what a reply may do to the page (FC-23, FC-24, FC-66, FC-68)."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.stage import Stage, StagedPage, reply

HOSTILE = [
    'Fee: 20 <img src=x onerror="window.__hit=1"> euros.',
    "<script>window.__hit=1</script>Fee: 20 euros.",
    "<svg onload=window.__hit=1>Fee: 20 euros.</svg>",
    "[Fee](javascript:window.__hit=1) is 20 euros.",
    "Fee is <b onmouseover=window.__hit=1>20 euros.",
    "Fee is 20 euros. \"><iframe srcdoc='<script>parent.__hit=1</script>'>",
]


@pytest.fixture
def page() -> StagedPage:
    return StagedPage("Overtime policy", "Overtime must not exceed 12 hours per week.")


def ask(tab: Page, question: str = "What is the limit?") -> Page:
    tab.fill("#question", question)
    tab.press("#question", "Enter")
    return tab


def test_question_is_sent_as_typed_and_answer_is_announced(stage: Stage, page: StagedPage) -> None:
    answer = reply(page, [("12 hours.", [1])], [page.cite(1, "12 hours")])
    tab = ask(stage.open(page, answer=answer), "  What is the limit? 🌙 ")
    expect(tab.locator("#answer")).to_contain_text("12 hours.")
    assert stage.asked == ["What is the limit? 🌙"]
    expect(tab.locator("[data-status]")).to_have_text("The answer is here.")
    expect(tab.locator("#answer")).to_be_focused()
    assert f"asked={answer['question_id']}" in tab.url


@pytest.mark.parametrize("question", ["", "   ", "\n"])
def test_blank_question_is_not_sent(stage: Stage, page: StagedPage, question: str) -> None:
    ask(stage.open(page), question)
    assert stage.asked == []


def test_shift_enter_writes_a_new_line(stage: Stage, page: StagedPage) -> None:
    tab = stage.open(page)
    tab.fill("#question", "One")
    tab.press("#question", "Shift+Enter")
    assert tab.input_value("#question") == "One\n"
    assert stage.asked == []


def test_fc_23_only_what_was_cited_is_listed(stage: Stage, page: StagedPage) -> None:
    answer = reply(page, [("12 hours.", [1])], [page.cite(1, "12 hours")])
    tab = ask(stage.open(page, answer=answer))
    expect(tab.locator(".note")).to_have_count(1)


def test_partial_answer_names_what_it_could_not_meet(stage: Stage, page: StagedPage) -> None:
    answer = reply(
        page,
        [("12 hours.", [1])],
        [page.cite(1, "12 hours")],
        answer_kind="partial",
        missing=["tax rate"],
    )
    tab = ask(stage.open(page, answer=answer))
    expect(tab.locator(".verdict")).to_contain_text("Answered in part")
    expect(tab.locator('[data-slot="missing-note"]')).to_contain_text("tax rate")


@pytest.mark.parametrize(
    ("kind", "reason", "headline"),
    [
        ("decline_no_evidence", "not_covered", "Not covered in these pages"),
        ("decline_no_evidence", "page_empty", "This page has no text"),
        ("decline_low_confidence", "index_not_ready", "Still being prepared"),
        ("decline_low_confidence", "fault", "Something went wrong on our side"),
    ],
)
def test_fc_24_declines_can_be_told_apart(
    stage: Stage, page: StagedPage, kind: str, reason: str, headline: str
) -> None:
    answer = reply(
        page,
        answer_kind=kind,
        reason=reason,
        answer_text="Try the page about pay.",
        confidence_score=None,
    )
    tab = ask(stage.open(page, answer=answer))
    expect(tab.locator(".verdict .name")).to_have_text(headline)
    expect(tab.locator(".said")).to_have_text("Try the page about pay.")
    expect(tab.locator(".note, article mark")).to_have_count(0)


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (400, {"detail": "A question has at most 1,000 characters."}, "at most 1,000"),
        (403, {"detail": "?"}, "You are signed out."),
        (404, {"detail": "?"}, "no longer there"),
        (429, {"retry_after": 7200}, "The next one is free: "),
        (429, {"retry_after": 45}, "Try again in 45 seconds"),
        (500, {}, "Something went wrong on our side."),
    ],
)
def test_refusals_say_what_to_do_and_keep_the_question(
    stage: Stage, page: StagedPage, status: int, body: dict[str, Any], said: str
) -> None:
    tab = ask(stage.open(page, answer=lambda question: (status, body)))
    expect(tab.locator("[data-status]")).to_contain_text(said)
    assert tab.input_value("#question") == "What is the limit?"
    expect(tab.locator(".ask-form button")).to_be_enabled()


def test_length_is_counted_in_code_points(stage: Stage, page: StagedPage) -> None:
    tab = stage.open(page)
    tab.fill("#question", "🌙" * 1000)
    expect(tab.locator("[data-count]")).to_have_text("1000 / 1000")
    expect(tab.locator("[data-count]")).not_to_have_class("count over")
    tab.fill("#question", "🌙" * 1001)
    expect(tab.locator("[data-count]")).to_have_class("count over")


@pytest.mark.parametrize("hostile", HOSTILE)
def test_fc_66_nothing_in_page_question_title_or_reply_runs(stage: Stage, hostile: str) -> None:
    page = StagedPage(hostile[:200], hostile, slug="fees")
    quote = "20 euros." if "20 euros." in page.revision.text else page.revision.text.strip()
    cited = page.cite(
        1, quote, doc_title=hostile, heading_path=[hostile], before=hostile, after=hostile
    )
    elsewhere = StagedPage("Other", "20 euros.").cite(
        2, "20 euros.", doc_title=hostile, before=hostile
    )
    answer = reply(page, [(hostile, [1, 2])], [cited, elsewhere], missing=[hostile])
    tab = ask(stage.open(page, answer=answer), hostile)
    tab.wait_for_selector("#answer")
    for number in (1, 2):
        tab.hover(f'.ref[data-n="{number}"]')
    tab.locator("article mark").first.hover()
    shown = stage.open(page, shown=answer | {"question_text": hostile})
    for screen in (tab, shown):
        assert screen.evaluate("window.__hit") is None
        assert screen.locator('[data-slot="question"]').inner_text() == hostile
        assert screen.locator(".panel :is(img, script, iframe)").count() == 0
    assert stage.strangers == []


def test_fc_68_addresses_in_a_reply_stay_words(stage: Stage, page: StagedPage) -> None:
    collector = "https://collector.example/?q="
    claim = f"![x]({collector}1) [here]({collector}2) <img src='{collector}3'> {collector}4"
    answer = reply(page, [(claim, [1])], [page.cite(1, "12 hours")])
    tab = ask(stage.open(page, answer=answer))
    expect(tab.locator(".claim")).to_contain_text(claim)
    assert tab.locator(".answer [href*='collector'], .answer img").count() == 0
    assert stage.strangers == []


def test_without_script_the_answer_and_its_marks_are_there(
    browser: Browser, page: StagedPage
) -> None:
    context = browser.new_context(
        java_script_enabled=False, viewport={"width": 1440, "height": 900}
    )
    answer = reply(page, [("At most 12 hours.", [1])], [page.cite(1, "12 hours per week")])
    tab = Stage(context).open(page, shown=answer | {"question_text": "What is the limit?"})
    expect(tab.locator("article mark")).to_have_text("12 hours per week")
    expect(tab.locator(".claim")).to_contain_text("At most 12 hours.")
    tab.locator(".ref").click()
    assert tab.url.endswith("#fn-1")
    tab.locator(".note a").click()
    assert tab.url.endswith("#cite-1")
    assert tab.locator("form.ask-form").get_attribute("action") == "/demo/ask/hr/overtime"
    context.close()


def test_visitor_is_told_how_to_ask(stage: Stage, page: StagedPage) -> None:
    tab = stage.open(page, role="")
    expect(tab.locator(".ask-form")).to_have_count(0)
    expect(tab.locator(".panel").get_by_role("link")).to_have_text("Sign in to ask")


def test_theme_toggle_is_kept_in_a_cookie(stage: Stage, page: StagedPage) -> None:
    tab = stage.open(page)
    tab.click("[data-theme-toggle]")
    assert tab.locator("html").get_attribute("data-theme") == "dark"
    assert [c["value"] for c in stage.context.cookies() if c["name"] == "theme"] == ["dark"]
    dark = stage.open(page, theme="dark")
    assert dark.locator("html").get_attribute("data-theme") == "dark"
