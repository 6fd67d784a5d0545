"""The editor's comforts, in a browser: images, kept words, contents, comparing and restoring."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from kb.models import Attachment, Autosave, Revision
from memory import tenancy
from tests.e2e.conftest import Site
from tests.factories import edit_page, make_page
from tests.pictures import picture

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])

LONG = "\n\n".join(f"## Part {n}\n\n" + "Some words about it.\n\n" * 12 for n in range(1, 6))
PASTE = """([data, type]) => {
  const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], "Screen Shot.png", { type }));
  const event = new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true });
  document.querySelector("[name=source]").dispatchEvent(event);
}"""


def open_editor(site: Site, path: str = "edit/page") -> Page:
    tab = site.window(site.org.editor).new_page()
    tab.goto(f"/{site.org.tenant.slug}/{path}")
    return tab


def test_chosen_image_goes_into_the_text_and_onto_the_page(site: Site, tmp_path: Path) -> None:
    make_page(site.org, "First line.\n\nSecond line.", slug="page")
    file = tmp_path / "Our Office.png"
    file.write_bytes(picture(size=(300, 200)))
    tab = open_editor(site)
    tab.locator("[name=source]").evaluate("(box) => box.setSelectionRange(3, 3)")
    tab.set_input_files("[name=images]", file)
    expect(tab.locator("[data-editor-status]")).to_contain_text("Our Office.png is in the text.")
    source = tab.locator("[name=source]")
    expect(source).to_have_value(
        re.compile(r"^First line\.\n\n!\[our office\]\(/\S+/our-office\.png\)\n\n\nSecond line\.$")
    )
    tab.keyboard.type("Our desks")  # the description is selected, to be written over
    tab.get_by_role("button", name="Save").click()
    image = tab.locator("article img")
    expect(image).to_have_attribute("alt", "Our desks")
    expect(image).to_have_attribute("width", "300")
    assert image.evaluate("(img) => img.decode().then(() => img.naturalWidth)") == 300


def test_pasted_image_is_brought_in_and_undone_like_typing(site: Site) -> None:
    make_page(site.org, "Words.", slug="page")
    tab = open_editor(site)
    tab.focus("[name=source]")
    tab.evaluate(PASTE, [base64.b64encode(picture()).decode(), "image/png"])
    expect(tab.locator("[name=source]")).to_have_value(re.compile(r"!\[screen shot\]"))
    tab.keyboard.press("Control+z")
    expect(tab.locator("[name=source]")).to_have_value("Words.")
    with tenancy.scope(site.org.tenant.pk):
        assert Attachment.objects.get().doc_id is None


def test_file_that_is_no_image_is_refused_in_words(site: Site, tmp_path: Path) -> None:
    make_page(site.org, "Words.", slug="page")
    file = tmp_path / "drawing.svg"
    file.write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    tab = open_editor(site)
    tab.set_input_files("[name=images]", file)
    expect(tab.locator("[data-editor-status]")).to_contain_text(
        "drawing.svg could not be brought in"
    )
    expect(tab.locator("[name=source]")).to_have_value("Words.")


def test_unsaved_words_survive_a_closed_window(site: Site) -> None:
    make_page(site.org, "Words.", slug="page")
    tab = open_editor(site)
    tab.fill("[name=source]", "Words that I forgot to save.")
    expect(tab.locator("[data-editor-status]")).to_contain_text("not saved yet", timeout=10_000)
    tab.close(run_before_unload=False)
    tab = open_editor(site)
    expect(tab.locator("[name=source]")).to_have_value("Words.")
    tab.get_by_role("link", name="Go on with them").click()
    expect(tab.locator("[name=source]")).to_have_value("Words that I forgot to save.")
    tab.get_by_role("button", name="Save").click()
    expect(tab.locator("article")).to_have_text("Words that I forgot to save.")
    with tenancy.scope(site.org.tenant.pk):
        assert Autosave.objects.count() == 0
        assert Revision.objects.count() == 2


def test_contents_lead_to_a_heading_that_stays_in_view(site: Site) -> None:
    doc = make_page(site.org, LONG, slug="page")
    tab = site.read(doc)
    tab.get_by_role("navigation", name="Contents").locator("summary").click()
    tab.get_by_role("link", name="Part 4").click()
    heading = tab.get_by_role("heading", name="Part 4")
    expect(heading).to_be_in_viewport()
    bottom = tab.locator(".contents").evaluate("(nav) => nav.getBoundingClientRect().bottom")
    assert heading.evaluate("(it) => it.getBoundingClientRect().top") >= bottom
    expect(tab.get_by_role("link", name="Part 4")).to_be_hidden()
    place, summary = heading.bounding_box(), tab.locator(".contents summary").bounding_box()
    assert summary is not None
    # By hand: Playwright's own click first scrolls to where a sticky element would be.
    tab.mouse.click(summary["x"] + 20, summary["y"] + 20)
    assert heading.bounding_box() == place, "opening the contents moves no word"
    expect(tab.get_by_role("link", name="Part 4")).to_have_attribute("aria-current", "location")
    tab.keyboard.press("Escape")
    expect(tab.get_by_role("link", name="Part 4")).to_be_hidden()


def test_two_revisions_are_chosen_compared_and_the_older_restored(site: Site) -> None:
    doc = make_page(site.org, "At most 12 hours.", slug="page")
    edit_page(site.org, doc, source="At most 10 hours.")
    edit_page(site.org, doc, source="At most 8 hours.")
    tab = open_editor(site, "history/page")
    tab.get_by_label("Compare from revision 1").check()
    tab.get_by_role("button", name="Compare").click()
    expect(tab.locator(".diff b")).to_have_text(["12", "8"])
    tab.get_by_role("button", name="Restore revision 1").click()
    expect(tab.locator("article")).to_have_text("At most 12 hours.")


def test_filter_of_the_list_applies_as_it_is_chosen(site: Site) -> None:
    make_page(site.org, "Words.", title="Travel", category="policy")
    make_page(site.org, "Words.", title="Badges", category="how_to")
    tab = open_editor(site, "")
    tab.select_option("#category", "policy")
    expect(tab.locator("a.title")).to_have_text(["Travel"])
    assert tab.url.endswith("?category=policy&sort=newest")
