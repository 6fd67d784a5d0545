"""The limit in a browser: counted down as one asks, its end in the reader's own time."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.asks import models
from tests.e2e.conftest import Site
from tests.factories import make_page

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])

NOTHING = {"answer": "", "confidence_score": 0, "citations": []}
ELSEWHERE = {"timezone_id": "Asia/Ho_Chi_Minh", "locale": "en-GB"}  # UTC+7, all the year


def ask(tab: Page, question: str) -> None:
    tab.get_by_label("Your question").fill(question)
    tab.get_by_label("Your question").press("Enter")
    expect(tab.locator("#answer .asked")).to_have_text(question)


def test_last_questions_are_counted_down_and_the_next_one_has_a_time(
    site: Site, settings: Any
) -> None:
    settings.FOOTNOTE = settings.FOOTNOTE | {"ASKS_PER_DAY": 2}
    doc = make_page(site.org, "Overtime is capped.", title="Overtime")
    tab = site.read(doc, **ELSEWHERE)
    said = tab.locator("[data-allowance]")
    expect(said).to_contain_text("Questions left: 2 of 2")
    with models(NOTHING):
        ask(tab, "First?")
        expect(said).to_have_text("Questions left: 1 of 2 in 24 hours")
        expect(tab.get_by_text("Questions left").filter(visible=True)).to_have_count(1)
        ask(tab, "Second?")
    expect(said).to_contain_text("The next one is free: ")
    by_script = said.inner_text().rpartition("free: ")[2]
    tab.reload()
    moment = tab.locator("[data-allowance] time")
    assert (moment.get_attribute("title") or "").endswith("UTC")
    assert re.fullmatch(r"\d+ \w+ \d{4}, \d\d:\d\d", by_script)
    expect(moment).to_have_text(re.compile(re.escape(by_script[:-1])))
    utc = moment.evaluate("(time) => new Date(time.dateTime).getUTCHours()")
    assert int(moment.inner_text()[-5:-3]) == (utc + 7) % 24


def test_question_beyond_the_limit_is_refused_in_one_sentence_without_an_earlier_answer(
    site: Site, settings: Any
) -> None:
    settings.FOOTNOTE = settings.FOOTNOTE | {"ASKS_PER_DAY": 1}
    tab = site.read(make_page(site.org, "Overtime is capped.", title="Overtime"), **ELSEWHERE)
    with models(NOTHING):
        ask(tab, "First?")
    tab.get_by_label("Your question").fill("Second?")
    tab.get_by_label("Your question").press("Enter")
    said = tab.get_by_text("The next one is free").filter(visible=True)
    expect(said).to_have_text(re.compile(r"Your 1 questions .* free: \d+ \w+ \d{4}, \d\d:\d\d$"))
    expect(tab.locator("#answer")).to_have_count(0)
    expect(tab.get_by_label("Your question")).to_have_value("Second?")
