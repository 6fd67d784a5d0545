"""Thumbs under a reply, with script: in place, by keyboard, on answers and declines."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from kb.models import Feedback
from memory import tenancy
from tests.asks import models, reply
from tests.e2e.conftest import Site
from tests.factories import make_page

CAP = "Overtime shall not exceed 12 hours per week."
NOTHING = {"answer": "", "confidence_score": 0, "citations": []}


def ask(tab: Page) -> None:
    tab.get_by_label("Your question").fill("How much overtime is allowed?")
    tab.get_by_label("Your question").press("Enter")
    expect(tab.locator(".answer")).to_be_visible()


@pytest.mark.parametrize(
    "answer", [NOTHING, lambda p: reply(p, CAP, CAP)], ids=["decline", "answer"]
)
def test_fc_77_thumbs_appear_and_keep_the_last_vote(site: Site, answer: object) -> None:
    doc = make_page(site.org, CAP, title="Overtime")
    tab = site.read(doc)
    with models(answer):
        ask(tab)
    yes, no = (tab.get_by_role("button", name=name, exact=True) for name in ("Yes", "No"))
    expect(yes).to_have_attribute("aria-pressed", "false")
    no.focus()
    tab.keyboard.press("Enter")
    expect(no).to_have_attribute("aria-pressed", "true")
    expect(tab.get_by_text("Thank you. Your last vote counts.")).to_be_visible()
    comment = tab.get_by_label("Comment for those who look after the pages")
    expect(comment).to_be_visible()  # a "no" asks why
    comment.fill("It is 10 hours now.")
    tab.get_by_role("button", name="Send").click()
    expect(tab.get_by_text("Thank you. Your last vote counts.")).to_be_visible()
    yes.click()
    expect(yes).to_have_attribute("aria-pressed", "true")
    expect(no).to_have_attribute("aria-pressed", "false")
    with tenancy.scope(site.org.tenant.pk):
        votes = list(Feedback.objects.order_by("created_at").values_list("vote", "comment"))
    assert votes == [
        ("down", ""),
        ("down", "It is 10 hours now."),
        ("up", "It is 10 hours now."),
    ]
    tab.reload()
    expect(yes).to_have_attribute("aria-pressed", "true")
    expect(comment).to_have_value("It is 10 hours now.")


def test_vote_that_cannot_be_kept_is_said(site: Site) -> None:
    doc = make_page(site.org, CAP, title="Overtime")
    tab = site.read(doc)
    with models(NOTHING):
        ask(tab)
    tab.route("**/feedback", lambda route: route.abort())
    tab.get_by_role("button", name="Yes", exact=True).click()
    expect(tab.get_by_text("That could not be kept.")).to_be_visible()
    expect(tab.get_by_role("button", name="Yes", exact=True)).to_have_attribute(
        "aria-pressed", "false"
    )


def test_contents_of_the_page_about_the_api_are_folded_where_they_stand_above_it(
    site: Site,
) -> None:
    tab = site.window(site.org.reader).new_page()
    tab.goto("/v1/docs")
    expect(tab.get_by_role("heading", name="The API")).to_be_visible()
    tab.get_by_role("link", name="Ask a page").click()
    heading = tab.get_by_role("heading", name="Ask a page")
    expect(heading).to_be_in_viewport()
    tab.set_viewport_size({"width": 320, "height": 700})
    width = tab.evaluate("document.documentElement.scrollWidth")
    assert width <= 320
    link = tab.get_by_role("navigation").get_by_role("link", name="Ask a page")
    expect(link).not_to_be_visible()
    tab.locator(".reference-nav summary").click()
    expect(link).to_be_visible()
