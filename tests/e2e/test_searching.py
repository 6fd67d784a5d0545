"""The search box while one types, and asking everything, in the browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import Site
from tests.factories import make_page

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])

POLICY = "# Overtime policy\n\n🌙 Overtime must not exceed 12 hours per week.\n"


def start(site: Site) -> Page:
    tab = site.window(site.org.reader).new_page()
    tab.goto(f"/{site.org.tenant.slug}/")
    return tab


def look_for(tab: Page, words: str) -> None:
    tab.fill("#find", "")
    tab.locator("#find").press_sequentially(words)
    expect(tab.locator("[data-sheet]")).to_be_visible()


def test_best_pages_show_while_one_types_and_lead_to_the_words(site: Site) -> None:
    make_page(site.org, POLICY, title="Overtime policy", slug="hr/overtime")
    tab = start(site)
    look_for(tab, "overtime hours")
    box = tab.locator("#find")
    expect(box).to_have_attribute("role", "combobox")
    expect(box).to_have_attribute("aria-expanded", "true")
    option = tab.locator("[role=option]").first
    expect(option).to_contain_text("Overtime policy")
    assert option.locator("mark").all_text_contents() == ["Overtime", "hours"]
    expect(tab.locator("[data-search] [role=status]")).to_have_text("Pages found: 1")
    option.click()
    expect(tab.locator("article mark#cite")).to_contain_text("12 hours per week")


def test_keyboard_alone_chooses_and_opens(site: Site) -> None:
    make_page(site.org, POLICY, title="Overtime policy", slug="hr/overtime")
    tab = start(site)
    look_for(tab, "overtime")
    box, options = tab.locator("#find"), tab.locator("[role=option]")
    expect(box).not_to_have_attribute("aria-activedescendant", "find-0")
    tab.keyboard.press("ArrowDown")
    expect(box).to_have_attribute("aria-activedescendant", "find-0")
    expect(options.first).to_have_attribute("aria-selected", "true")
    expect(box).to_be_focused()
    tab.keyboard.press("ArrowUp")
    expect(box).not_to_have_attribute("aria-activedescendant", "find-0")
    tab.keyboard.press("ArrowUp")  # round to the last: asking everything
    expect(options.last).to_have_attribute("aria-selected", "true")
    tab.keyboard.press("Escape")
    expect(tab.locator("[data-sheet]")).to_be_hidden()
    expect(box).to_have_value("overtime")
    tab.keyboard.press("ArrowDown")
    expect(tab.locator("[data-sheet]")).to_be_visible()
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/p/hr/overtime*")


def test_enter_without_a_choice_shows_all_results(site: Site) -> None:
    make_page(site.org, POLICY, title="Overtime policy")
    tab = start(site)
    tab.fill("#find", "overtime")
    tab.press("#find", "Enter")
    expect(tab.get_by_role("heading", name="Results for “overtime”")).to_be_visible()
    expect(tab.locator(".passage mark").first).to_have_text("Overtime")


def test_answer_to_older_words_never_replaces_that_to_newer_ones(site: Site) -> None:
    make_page(site.org, POLICY, title="Overtime policy")
    make_page(site.org, "Lunch is at noon.", title="Canteen")
    tab = start(site)
    held: list[Route] = []

    def hold_first(route: Route) -> None:
        if "overtime" in route.request.url and not held:
            held.append(route)
        else:
            route.continue_()

    tab.route("**/search/suggestions*", hold_first)
    with tab.expect_request("**/suggestions?q=overtime"):
        tab.fill("#find", "overtime")
    tab.fill("#find", "lunch")
    expect(tab.locator("[role=option]").first).to_contain_text("Canteen")
    assert held
    expect(tab.locator("[role=option]").first).to_contain_text("Canteen")


def test_common_words_say_so(site: Site) -> None:
    make_page(site.org, POLICY, title="Overtime policy")
    tab = start(site)
    look_for(tab, "the")
    expect(tab.locator("[data-note]")).to_contain_text("Only common words")


def test_fc_66_markup_of_pages_shows_as_text(site: Site) -> None:
    attack = '<img src=x onerror="window.__hit=1">'
    make_page(site.org, f"Fee: 20 `{attack}` euros.", title=f"Fees {attack}")
    tab = start(site)
    look_for(tab, "fee euros")
    expect(tab.locator("[role=option]").first).to_contain_text(attack)
    assert tab.evaluate("window.__hit") is None


def test_box_works_without_script(site: Site) -> None:
    make_page(site.org, POLICY, title="Overtime policy")
    tab = site.window(site.org.reader, java_script_enabled=False).new_page()
    tab.goto(f"/{site.org.tenant.slug}/")
    tab.fill("#find", "overtime")
    tab.press("#find", "Enter")
    expect(tab.locator(".result")).to_have_count(1)
    tab.get_by_role("link", name="Ask all pages").click()
    tab.fill("#question", "How many hours must overtime not exceed per week?")
    tab.get_by_role("button", name="Ask", exact=True).click()
    expect(tab.locator("#answer")).to_contain_text("12 hours per week")
    tab.locator(".note").get_by_role("link").first.click()
    expect(tab.locator("article mark#cite")).to_contain_text("12 hours per week")


def test_search_leads_to_asking_everything_and_a_card_to_the_page(site: Site) -> None:
    make_page(site.org, POLICY, title="Overtime policy", slug="hr/overtime")
    tab = start(site)
    question = "How many hours must overtime not exceed per week?"
    look_for(tab, question)
    tab.locator("[role=option]").last.click()
    tab.wait_for_url("**/ask?question=*")  # loaded, its script too
    expect(tab.locator("#question")).to_have_value(question)
    tab.press("#question", "Enter")
    expect(tab.locator("#answer .ref")).to_be_visible(timeout=30_000)
    tab.hover("#answer .ref")
    card = tab.locator(".card")
    expect(card.locator("mark")).to_contain_text("12 hours per week")
    tab.reload()  # the address holds the answer
    expect(tab.locator("#answer")).to_contain_text(question)
    tab.locator("#answer .ref").hover()
    tab.locator(".card").get_by_role("link").click()
    expect(tab.locator("article mark#cite")).to_contain_text("12 hours per week")
