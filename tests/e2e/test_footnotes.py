"""Numbers, notes, marks and cards: by pointer, by keyboard, by touch (FC-13, FC-14, FC-76)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.stage import Stage, StagedPage, reply

SOURCE = (
    "# Overtime policy\n\nOvertime must not exceed 12 hours per week. "
    "It needs approval first.\n\n" + "Filler text.\n\n" * 60 + "Night work is paid at 130 %.\n"
)


@pytest.fixture
def home() -> StagedPage:
    return StagedPage("Overtime policy", SOURCE)


@pytest.fixture
def decree() -> StagedPage:
    return StagedPage(
        "Decree 145",
        "# Decree 145\n\n## Article 107\n\nIn one week, 🌙 overtime stays under 12 hours. Then rest.",
        slug="legal/decree-145",
    )


@pytest.fixture
def answered(stage: Stage, home: StagedPage, decree: StagedPage) -> Page:
    """Three claims: two on the page, one on the page and on the decree."""
    return ask(stage, home, decree)


def ask(stage: Stage, home: StagedPage, decree: StagedPage) -> Page:
    citations = [
        home.cite(1, "Overtime must not exceed 12 hours per week.", heading_path=["Limits"]),
        decree.cite(
            2, "overtime stays under 12 hours.", heading_path=["Decree 145", "Article 107"]
        ),
        home.cite(3, "Night work is paid at 130 %."),
    ]
    claims = [("At most 12 hours per week.", [1, 2]), ("130 % at night.", [3])]
    tab = stage.open(home, answer=reply(home, claims, citations), links=[decree])
    tab.fill("#question", "What is the limit?")
    tab.press("#question", "Enter")
    tab.wait_for_selector("#answer")
    return tab


def live(tab: Page) -> list[str]:
    return tab.locator("article mark.live").all_text_contents()


def test_hover_on_a_number_lights_its_words_and_claim(answered: Page) -> None:
    answered.hover('.ref[data-n="1"]')
    assert live(answered) == ["Overtime must not exceed 12 hours per week."]
    assert answered.locator(".claim.live").count() == 1
    answered.mouse.move(5, 5)
    expect(answered.locator("mark.live")).to_have_count(0)
    expect(answered.locator(".card")).to_have_count(0)


def test_focus_does_what_hover_does(answered: Page) -> None:
    answered.focus('.ref[data-n="1"]')
    assert live(answered) == ["Overtime must not exceed 12 hours per week."]
    answered.focus("#question")
    expect(answered.locator("mark.live")).to_have_count(0)


def test_number_scrolls_to_words_that_are_out_of_view(answered: Page) -> None:
    mark = answered.locator('mark[data-n="3"]')
    expect(mark).not_to_be_in_viewport()
    answered.hover('.ref[data-n="3"]')
    expect(mark).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("by", ["hover", "focus"])
def test_marked_words_show_their_claim(answered: Page, by: str) -> None:
    mark = answered.locator('mark[data-n="1"]')
    mark.hover() if by == "hover" else mark.focus()
    expect(answered.locator(".gloss")).to_have_text("1At most 12 hours per week.")
    expect(answered.locator('.ref[data-n="1"]')).to_have_class("ref live")
    answered.keyboard.press("Escape")
    expect(answered.locator(".gloss")).to_have_count(0)


def test_marked_words_are_described_by_their_claim(answered: Page) -> None:
    described = answered.locator('mark[data-n="3"]').get_attribute("aria-describedby")
    assert described
    assert "130 % at night." in answered.locator(f"#{described}").inner_text()


def test_fc_13_each_marker_opens_its_own_source(stage: Stage) -> None:
    page = StagedPage("Page", "Zero is here. Four is here. Five is here.")
    citations = [
        page.cite(1, "Zero is here."),
        page.cite(2, "Four is here."),
        page.cite(3, "Five is here."),
    ]
    claims = [("Zero.", [1]), ("Four.", [2]), ("Four again.", [2]), ("Five.", [3])]
    tab = stage.open(page, answer=reply(page, claims, citations))
    tab.fill("#question", "Which?")
    tab.press("#question", "Enter")
    tab.wait_for_selector("#answer")
    refs = tab.locator(".ref")
    assert refs.all_inner_texts() == ["1", "2", "2", "3"]
    assert tab.locator(".note").count() == 3
    opened = []
    for at in range(4):
        refs.nth(at).hover()
        opened += live(tab)
    assert opened == ["Zero is here.", "Four is here.", "Four is here.", "Five is here."]


def test_fc_14_labels_of_equal_titles_show_their_paths(stage: Stage) -> None:
    page = StagedPage("Home", "See both invoices.")
    invoices = [
        StagedPage("Invoice", f"The total was {total}.", slug=f"finance/{year}/invoice")
        for year, total in ((2024, 410), (2025, 530))
    ]
    citations = [
        invoice.cite(n, invoice.revision.text) for n, invoice in enumerate(invoices, start=1)
    ]
    tab = stage.open(page, answer=reply(page, [("410, then 530.", [1, 2])], citations))
    tab.fill("#question", "What were the totals?")
    tab.press("#question", "Enter")
    labels = tab.locator('.note [data-slot="origin"]')
    expect(labels).to_have_text(["finance / 2024 / Invoice", "finance / 2025 / Invoice"])


def test_card_of_a_linked_page_shows_the_passage_and_leads_to_it(
    answered: Page, decree: StagedPage
) -> None:
    answered.hover('.ref[data-n="2"]')
    card = answered.locator(".card")
    expect(card.locator(".title")).to_have_text("legal / Decree 145")
    expect(card.locator(".path")).to_have_text("Article 107")
    expect(card.locator("mark")).to_have_text("overtime stays under 12 hours.")
    expect(card.locator("blockquote")).to_contain_text("In one week, 🌙")
    expect(card.locator("blockquote")).to_contain_text("Then rest.")
    cited = decree.cite(1, "overtime stays under 12 hours.")
    assert card.locator("a").get_attribute("href") == cited["url"]


def test_fc_78_sources_read_as_title_headings_and_date_without_ids(
    stage: Stage, home: StagedPage
) -> None:
    cited = home.cite(1, "It needs approval first.", heading_path=["Overtime policy", "Approval"])
    row = home.cite(2, "Night work is paid at 130 %.", heading_path=["Pay"], page=4, row=2)
    tab = stage.open(home, answer=reply(home, [("Said.", [1, 2])], [cited, row]))
    tab.fill("#question", "Who?")
    tab.press("#question", "Enter")
    notes = tab.locator(".note")
    expect(notes.nth(0)).to_contain_text("hr / Overtime policy › Approval")
    expect(notes.nth(0).locator("time")).to_have_text("3 Nov 2026")
    expect(notes.nth(1)).to_contain_text("hr / Overtime policy › Pay › page 4 › row 2")
    assert cited["chunk_id"] not in tab.locator(".panel").inner_text()
    assert cited["doc_id"] not in tab.locator(".panel").inner_text()


def test_fc_76_card_stays_while_the_pointer_is_on_it(answered: Page) -> None:
    answered.hover('.ref[data-n="2"]')
    answered.locator(".card blockquote").hover()
    answered.wait_for_timeout(400)
    expect(answered.locator(".card")).to_be_visible()


def test_fc_76_keyboard_alone_reaches_opens_and_leaves_every_source(answered: Page) -> None:
    answered.focus("#answer")
    spoken = []
    for number in (1, 2, 3):
        answered.keyboard.press("Tab")
        active = answered.locator(":focus")
        assert active.get_attribute("data-n") == str(number)
        spoken.append(active.get_attribute("aria-label"))
        card = answered.locator(".card")
        expect(card).to_be_visible()
        answered.keyboard.press("Tab")
        assert card.locator(":focus").count() == 1, "the card's link follows its number"
        answered.keyboard.press("Escape")
        expect(card).to_have_count(0)
        assert answered.locator(":focus").get_attribute("data-n") == str(number)
    assert spoken == [
        "source 1 of 3, Overtime policy, Limits",
        "source 2 of 3, Decree 145, Article 107",
        "source 3 of 3, Overtime policy",
    ]


def test_fc_76_escape_closes_the_card_and_keeps_focus(answered: Page) -> None:
    answered.focus('.ref[data-n="2"]')
    answered.keyboard.press("Escape")
    expect(answered.locator(".card")).to_have_count(0)
    assert answered.locator(":focus").get_attribute("data-n") == "2"
    answered.keyboard.press("Enter")
    expect(answered.locator(".card")).to_be_visible()


def test_fc_76_mark_does_not_rely_on_colour_alone(answered: Page) -> None:
    mark = answered.locator('mark[data-n="1"]')
    line = mark.evaluate("mark => getComputedStyle(mark).textDecorationLine")
    number = mark.evaluate("mark => getComputedStyle(mark, '::after').content")
    assert (line, number) == ("underline", '"1"')


def test_link_of_a_note_goes_to_the_marked_words(answered: Page) -> None:
    answered.locator('.note[data-n="3"] a').click()
    expect(answered.locator('mark[data-n="3"]')).to_be_focused()
    expect(answered.locator('mark[data-n="3"]')).to_be_in_viewport()


def test_fc_78_copy_gives_the_quote_with_a_link_that_opens_at_the_words(
    stage: Stage, home: StagedPage, decree: StagedPage
) -> None:
    stage.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab = ask(stage, home, decree)
    tab.locator('.note[data-n="2"] [data-copy]').click()
    expect(tab.locator('.note[data-n="2"] [data-copy]')).to_have_text("Copied")
    quote, origin, url = tab.evaluate("navigator.clipboard.readText()").split("\n")
    assert quote == "“overtime stays under 12 hours.”"
    assert origin == "legal / Decree 145 › Article 107"
    assert url == f"https://footnote.test{decree.cite(1, 'overtime stays under 12 hours.')['url']}"


def test_fc_76_numbers_are_spoken_as_sources(stage: Stage, home: StagedPage) -> None:
    decree = StagedPage("Decree", "## overtime\n\nUnder 12 hours.", slug="decree")
    citations = [
        home.cite(1, "It needs approval first."),
        decree.cite(2, "Under 12 hours.", heading_path=["overtime"]),
        home.cite(3, "Night work is paid at 130 %."),
    ]
    answer = reply(home, [("Said.", [1, 2, 3])], citations)
    asked = stage.open(home, answer=answer)
    asked.fill("#question", "What?")
    asked.press("#question", "Enter")
    shown = stage.open(home, shown=answer | {"question_text": "What?"})
    for tab in (asked, shown):
        number = tab.get_by_role("link", name="source 2 of 3, Decree, overtime", exact=True)
        expect(number).to_have_text("2")
        number.focus()
        card = tab.get_by_role("group", name="source 2 of 3, Decree, overtime")
        expect(card).to_be_visible()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Stage]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    yield Stage(context)
    context.close()


def test_fc_76_tap_on_a_number_opens_a_card_with_the_passage(
    phone: Stage, home: StagedPage, decree: StagedPage
) -> None:
    tab = ask(phone, home, decree)
    tab.tap('.ref[data-n="1"]')
    card = tab.locator(".card")
    expect(card.locator("mark")).to_have_text("Overtime must not exceed 12 hours per week.")
    box = card.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    card.locator("a").tap()
    expect(tab.locator('mark[data-n="1"]')).to_be_in_viewport()


def test_tap_on_marked_words_shows_the_claim_and_a_way_back(
    phone: Stage, home: StagedPage, decree: StagedPage
) -> None:
    tab = ask(phone, home, decree)
    tab.locator('mark[data-n="1"]').tap()
    gloss = tab.locator(".gloss")
    expect(gloss).to_contain_text("At most 12 hours per week.")
    gloss.locator("a").tap()
    expect(tab.locator("#answer")).to_be_in_viewport()


def test_narrow_page_leads_to_its_panel(phone: Stage, home: StagedPage) -> None:
    tab = phone.open(home)
    expect(tab.locator("#question")).not_to_be_in_viewport()
    tab.locator(".to-panel").tap()
    expect(tab.locator("#question")).to_be_in_viewport()
    expect(tab.locator(".to-panel")).not_to_be_visible()


def test_title_that_opens_the_text_stands_above_what_is_said_about_the_page(stage: Stage) -> None:
    sections = "\n\n".join(f"## Part {n}\n\nWords of part {n}." for n in range(3))
    titled = StagedPage("Overtime", f"# Overtime\n\nWhat counts.\n\n{sections}")
    tab = stage.open(titled)
    order = [
        tab.locator(one).bounding_box()["y"]  # type: ignore[index]
        for one in (".crumbs", "h1", ".toolbar", "#page p >> nth=0")
    ]
    assert order == sorted(order)
    assert tab.locator("#page").evaluate("(page) => page.textContent") == titled.revision.text


def test_card_says_where_its_passage_was_cut_within_a_sentence(
    stage: Stage, home: StagedPage, decree: StagedPage
) -> None:
    quote = "overtime stays under 12 hours."
    cut = decree.cite(1, quote, before="that in one week, ", after=" Then rest, as")
    whole = decree.cite(2, quote, before="Article 107\n", after=" Then rest.")
    claims = [("At most 12 hours.", [1]), ("Then rest.", [2])]
    tab = stage.open(home, answer=reply(home, claims, [cut, whole]), links=[decree])
    tab.fill("#question", "What is the limit?")
    tab.press("#question", "Enter")
    passage = tab.locator(".card blockquote")
    tab.focus('.ref[data-n="1"]')
    expect(passage).to_have_text(f"… that in one week, {quote} Then rest, as …")
    tab.focus('.ref[data-n="2"]')
    expect(passage).to_have_text(f"Article 107 {quote} Then rest.")


def test_fc_76_nothing_overflows_at_four_hundred_percent(
    browser: Browser, home: StagedPage, decree: StagedPage
) -> None:
    """1280 CSS pixels at 400 % are 320; a long word or a table must not push the page wider."""
    context = browser.new_context(viewport={"width": 320, "height": 256})
    wide = StagedPage(
        home.title,
        f"{home.source}\n\n{'x' * 200}\n\n| {'wide ' * 9} | b | c |\n|---|---|---|\n| {'w' * 60} | 2 | 3 |",
    )
    tab = ask(Stage(context), wide, decree)
    tab.focus('.ref[data-n="2"]')
    width = tab.evaluate("document.documentElement.scrollWidth")
    box = tab.locator(".card").bounding_box()
    context.close()
    assert width == 320
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 320
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 256
