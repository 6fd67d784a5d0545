"""One walk through the whole product, as somebody takes it who has read only the README.

Nothing is faked: the embedded models answer, and every step is a click or a key.
"""

from __future__ import annotations

import csv
import json
import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from memory.models import Role
from memory.people import members
from tests.e2e.conftest import Site
from tests.factories import make_page
from tests.pictures import picture

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])

PASSWORD = "correct-horse-battery"
ANSWER = "Everybody may work from abroad for up to 30 days a year."
QUESTION = "For how many days a year may I work from abroad?"
SOURCE = f"""# Working from abroad

{ANSWER} The [[Insurance]] covers you in every country of the union.

"""


def test_newcomer_writes_asks_checks_restricts_and_the_admin_audits(
    site: Site, tmp_path: Path
) -> None:
    make_page(site.org, "The insurer is Lantern Mutual.", title="Insurance", slug="insurance")
    members.add(site.org.tenant, "nova", Role.EDITOR, password=PASSWORD)
    newcomer = sign_in(site.window(), "nova")
    write_page(newcomer, tmp_path)
    ask_with_keyboard(newcomer)

    colleague = site.window(site.org.reader).new_page()
    colleague.goto(newcomer.url.partition("?")[0])
    expect(colleague.locator("article")).to_contain_text(ANSWER)
    restrict(newcomer)
    lose_page(colleague)

    admin = site.window(site.org.admin, accept_downloads=True).new_page()
    find_ask(admin)
    verify(admin)
    export(admin, tmp_path)


def sign_in(window: BrowserContext, name: str) -> Page:
    tab = window.new_page()
    tab.goto("/")
    tab.get_by_label("User name").fill(name)
    tab.get_by_label("Password").fill(PASSWORD)
    tab.get_by_role("button", name="Sign in").click()
    expect(tab.get_by_role("heading", name="Pages", exact=True)).to_be_visible()
    return tab


def write_page(tab: Page, folder: Path) -> None:
    photo = folder / "Beach Desk.png"
    photo.write_bytes(picture(size=(320, 200)))
    tab.get_by_role("link", name="New page").first.click()
    tab.wait_for_load_state("networkidle")  # the script that takes pictures in is there
    tab.get_by_label("Title", exact=True).fill("Working from abroad")
    tab.get_by_label("Text", exact=True).fill(SOURCE)
    tab.get_by_label("Images", exact=True).set_input_files(photo)
    expect(tab.locator("[data-editor-status]")).to_contain_text("is in the text")
    tab.get_by_label("Status", exact=True).select_option(label="Published")
    tab.get_by_role("button", name="Save").click()
    expect(tab.locator("article h1")).to_have_text("Working from abroad")
    expect(tab.locator("article").get_by_role("link", name="Insurance")).to_be_visible()
    image = tab.locator("article img")
    assert image.evaluate("(img) => img.decode().then(() => img.naturalWidth)") == 320


def ask_with_keyboard(tab: Page) -> None:
    """Ask, then go to the footnote, open its card, and leave it, without a pointer."""
    tab.wait_for_load_state()
    tab.get_by_label("Your question").focus()
    tab.keyboard.type(QUESTION)
    tab.keyboard.press("Enter")
    expect(tab.locator("#answer")).to_be_focused(timeout=60_000)
    expect(tab.locator(".verdict .name")).to_have_text("Answered from these pages")
    tab.keyboard.press("Tab")
    number = tab.locator(".ref:focus")
    spoken = number.get_attribute("aria-label") or ""
    assert re.fullmatch(r"source 1 of \d+, Working from abroad(, .+)?", spoken)
    expect(tab.get_by_role("group", name=spoken)).to_be_visible()
    expect(tab.locator("article mark.live").first).to_be_in_viewport()
    marked = "".join(tab.locator('article mark[data-n~="1"]').all_text_contents())
    assert "30 days a year" in marked
    tab.keyboard.press("Escape")
    expect(tab.get_by_role("group", name=spoken)).to_have_count(0)
    expect(number).to_be_focused()


def restrict(tab: Page) -> None:
    tab.get_by_role("link", name="Edit").click()
    tab.get_by_label("Who may read it", exact=True).select_option(label="Groups")
    tab.get_by_label("Groups", exact=True).fill("leads")
    tab.get_by_role("button", name="Save").click()
    expect(tab.locator(".toolbar")).to_contain_text("leads")
    expect(tab.locator("article")).to_contain_text(ANSWER)


def lose_page(tab: Page) -> None:
    """To the colleague it is as if the page had never been."""
    answer = tab.reload()
    assert answer is not None
    assert answer.status == 404
    expect(tab.get_by_role("heading", name="There is no such page")).to_be_visible()
    tab.get_by_role("link", name="All pages").last.click()
    expect(tab.locator("a.title")).to_have_text(["Insurance"])
    tab.get_by_label("Search the pages").fill("abroad")
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("heading", name="Nothing found")).to_be_visible()


def find_ask(tab: Page) -> None:
    tab.goto("/")
    tab.locator("summary", has_text="Your account").click()
    tab.get_by_role("link", name="Administration").click()
    tab.get_by_role("link", name=QUESTION).click()
    expect(tab.locator("blockquote mark").first).to_contain_text("30 days a year")
    expect(tab.get_by_text("nova").first).to_be_visible()


def verify(tab: Page) -> None:
    tab.get_by_role("link", name="Questions").first.click()
    tab.get_by_role("button", name="Verify the history").click()
    expect(tab.get_by_text(re.compile(r"The history holds\."))).to_be_visible()


def export(tab: Page, folder: Path) -> None:
    files = {}
    for name in ("CSV", "XLSX", "JSON"):
        with tab.expect_download() as started:
            tab.get_by_role("link", name=name, exact=True).first.click()
        files[name] = folder / f"history.{name.lower()}"
        started.value.save_as(files[name])
    with files["CSV"].open(encoding="utf-8-sig", newline="") as file:
        assert [row["question"] for row in csv.DictReader(file)] == [QUESTION]
    with zipfile.ZipFile(files["XLSX"]) as workbook:
        sheet = workbook.read("xl/worksheets/sheet1.xml").decode()
    assert sheet.count("<row ") == 2
    assert QUESTION in sheet
    exported = json.loads(files["JSON"].read_text())
    assert QUESTION in json.dumps(exported)
    assert "30 days a year" in json.dumps(exported)
