"""What is marked in a real browser reads as the quote reads (FC-01 to FC-06)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.e2e.stage import Stage, StagedPage, reply

FC_02 = "😀😀 Zone 4 opens at 07:00. 🛠️ Repairs end at 19:30 🌙 sharp. Zone 5 stays closed.\n"
FC_04 = (
    "Run `git diff origin/main...` first. Notes from R&amp;D are in \\*draft\\* form."
    " The cap is 5 &lt; x &lt; 9 units.\n"
)
FC_05 = "Overtime **must not** exceed [12 hours](/kb/decree) per `week` for staff."


def marked(tab: Page, number: int) -> str:
    return "".join(tab.locator(f'article mark[data-n~="{number}"]').all_text_contents())


def drawn(tab: Page) -> list[list[str]]:
    """Every mark and every bare anchor in the page's order, as far as both sides must agree."""
    return tab.locator("article mark, article span[id]").evaluate_all(
        """all => all.map(one =>
            [one.parentNode.nodeName, one.nodeName, one.id, one.textContent,
             one.dataset.n ?? "", one.dataset.ends ?? ""])"""
    )


def ask(stage: Stage, page: StagedPage, *quotes: str) -> Page:
    """Ask and get each quote cited once."""
    citations = [page.cite(n, quote) for n, quote in enumerate(quotes, start=1)]
    claims = [(f"Claim {n}.", [n]) for n in range(1, len(quotes) + 1)]
    tab = stage.open(page, answer=reply(page, claims, citations))
    tab.fill("#question", "What does it say?")
    tab.click(".ask-form button")
    tab.wait_for_selector("#answer")
    return tab


@pytest.mark.parametrize(
    ("source", "quotes"),
    [
        pytest.param(
            "- 📧 Ask the release desk for the overtime form.\n"
            "- Overtime is capped at 12 hours per week.\n",
            ["Overtime is capped at 12 hours per week."],
            id="FC-01",
        ),
        pytest.param(
            FC_02,
            ["Zone 4 opens at 07:00.", "Repairs end at 19:30 🌙 sharp.", "Zone 5 stays closed."],
            id="FC-02",
        ),
        pytest.param(
            "The gate closes at 22:00.\r\n\r\nGuards walk at 23:00.\r\n\r\nNight entry needs a badge.",
            ["Night entry needs a badge."],
            id="FC-03",
        ),
        pytest.param(
            FC_04,
            [
                "git diff origin/main...",
                "Notes from R&D are in *draft* form.",
                "The cap is 5 < x < 9 units.",
            ],
            id="FC-04",
        ),
        pytest.param(FC_05, ["Overtime must not exceed 12 hours per week for staff."], id="FC-05"),
        pytest.param(
            "出差前须由直属经理批准。👍 国内航班应提前七天预订。",
            ["国内航班应提前七天预订。"],
            id="zh",
        ),
        pytest.param(
            "يحق لكل موظف 21 يوم إجازة 🌴 سنوية. تُحسب الأيام لاحقًا.",
            ["تُحسب الأيام لاحقًا."],
            id="ar",
        ),
    ],
)
def test_marked_words_equal_quotes_exactly(stage: Stage, source: str, quotes: list[str]) -> None:
    tab = ask(stage, StagedPage("Page", source), *quotes)
    assert [marked(tab, n) for n in range(1, len(quotes) + 1)] == quotes


def test_fc_05_link_inside_the_quote_still_leads_somewhere(stage: Stage) -> None:
    tab = ask(
        stage, StagedPage("Page", FC_05), "Overtime must not exceed 12 hours per week for staff."
    )
    link = tab.locator("article a")
    assert link.get_attribute("href") == "/kb/decree"
    assert link.locator("mark").text_content() == "12 hours"


def test_fc_06_second_of_two_equal_sentences_is_marked(stage: Stage) -> None:
    sentence = "The fee is 20 euros."
    page = StagedPage("Fees", f"## Students\n\n{sentence}\n\n## Adults\n\n{sentence}\n")
    answer = reply(page, [(sentence, [1])], [page.cite(1, sentence, occurrence=2)])
    tab = stage.open(page, answer=answer)
    tab.fill("#question", "What is the fee for adults?")
    tab.press("#question", "Enter")
    tab.wait_for_selector("#answer")
    assert tab.locator("article p").nth(0).locator("mark").count() == 0
    assert tab.locator("article p").nth(1).locator("mark").text_content() == sentence


def test_page_text_in_the_browser_is_the_text_that_offsets_count(stage: Stage) -> None:
    page = StagedPage(
        "Everything",
        "# Title\n\nA *line* with a  \nbreak 🌙.\n\n- one\n  - two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
        "```py\n\nx = 1\n```\n\n> quoted\n",
    )
    tab = stage.open(page)
    assert tab.locator("article").evaluate("article => article.textContent") == page.revision.text


def test_table_row_is_marked_cell_by_cell(stage: Stage) -> None:
    page = StagedPage("Rates", "| When | Rate |\n|---|---|\n| Night | 130 % |\n")
    tab = ask(stage, page, "Night\t130 %")
    assert tab.locator("article td mark").all_text_contents() == ["Night", "130 %"]
    assert tab.locator("article tr > mark, article tbody > mark").count() == 0


def test_next_answer_replaces_marks_and_leaves_the_page_as_it_was(stage: Stage) -> None:
    page = StagedPage("Page", FC_05 + "\n\nRest is due on Sunday.")
    answers = iter(
        [
            reply(page, [("One.", [1])], [page.cite(1, "Overtime must not exceed 12 hours")]),
            reply(page, answer_kind="decline_no_evidence", reason="not_covered"),
        ]
    )
    tab = stage.open(page, answer=lambda question: (200, next(answers)))
    before = tab.locator("article").inner_html()
    for question in ("First?", "Second?"):
        tab.fill("#question", question)
        tab.press("#question", "Enter")
        tab.get_by_text(question, exact=True).wait_for()
    assert tab.locator("article").inner_html() == before


def test_server_and_script_draw_the_same_marks(stage: Stage) -> None:
    page = StagedPage("Page", FC_05 + " And 🌙 more.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    citations = [
        page.cite(1, "must not exceed 12 hours"),
        page.cite(2, "12 hours per week"),
        page.cite(3, "more.\na\tb"),
    ]
    answer = reply(page, [("Said.", [1, 2, 3])], citations)
    shown = stage.open(page, shown=answer | {"question_text": "?"})
    asked = stage.open(page, answer=answer)
    asked.fill("#question", "?")
    asked.press("#question", "Enter")
    asked.wait_for_selector("#answer")
    assert drawn(asked) == drawn(shown)
    assert len(drawn(asked)) == 8


def test_words_that_moved_since_are_not_marked(stage: Stage) -> None:
    page = StagedPage("Page", "The cap is 12 hours.")
    stale = page.cite(1, "12 hours") | {"quote": "14 hours"}
    tab = stage.open(page, answer=reply(page, [("14 hours.", [1])], [stale]))
    tab.fill("#question", "What is the cap?")
    tab.press("#question", "Enter")
    tab.wait_for_selector("#answer")
    assert tab.locator("article mark").count() == 0
    assert tab.locator(".note a").get_attribute("href") == stale["url"]


def test_link_into_the_page_marks_code_points_of_its_revision(stage: Stage) -> None:
    page = StagedPage("Page", FC_02)
    cited = page.cite(1, "Repairs end at 19:30 🌙 sharp.")
    span = f"{cited['char_start']}-{cited['char_end']}"
    tab = stage.open(page, at=f"#cite={span},{page.number}")
    assert marked(tab, 0) == "Repairs end at 19:30 🌙 sharp."
    other = stage.open(page, at=f"#cite={span},{page.number - 1}")
    assert other.locator("article mark").count() == 0


@pytest.mark.parametrize(
    ("text", "code_points", "utf16"), [("abc", 2, 2), ("😀b", 1, 2), ("a😀😀b", 3, 5), ("é", 9, 1)]
)
def test_offset_of_code_points_becomes_one_of_utf16(
    stage: Stage, text: str, code_points: int, utf16: int
) -> None:
    tab = stage.open(StagedPage("Page", "Text"))
    there, length = tab.evaluate(
        """async ([text, codePoints]) => {
            const offsets = await import("/static/js/offsets.js");
            return [offsets.toUtf16(text, codePoints), offsets.codePointLength(text)];
        }""",
        [text, code_points],
    )
    assert there == utf16
    assert length == len(text)
