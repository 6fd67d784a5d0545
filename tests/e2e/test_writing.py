"""From signing in to a page that answers, by hand in the browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Dialog, expect

from memory.models import Role
from memory.people import members
from tests.e2e.conftest import Site
from tests.factories import edit_page, make_page

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])


def test_editor_signs_in_writes_previews_saves_and_asks(site: Site) -> None:
    members.add(site.org.tenant, "mai", Role.EDITOR, password="correct-horse-battery")
    tab = site.window().new_page()
    tab.goto("/")
    tab.fill("[name=username]", "mai")
    tab.fill("[name=password]", "correct-horse-battery")
    tab.get_by_role("button", name="Sign in").click()
    tab.get_by_role("link", name="New page").first.click()

    tab.fill("[name=title]", "Badges")
    tab.fill("[name=source]", "# Badges\n\nThe front desk replaces lost badges within one day.")
    tab.get_by_role("button", name="Preview").click()
    preview = tab.frame_locator("iframe[name=preview]")
    expect(preview.locator("h1")).to_have_text("Badges")
    tab.get_by_role("button", name="Write").click()
    tab.select_option("[name=status]", "published")
    tab.get_by_role("button", name="Save").click()

    expect(tab.locator("article h1")).to_have_text("Badges")
    tab.wait_for_load_state()
    tab.fill("#question", "Who replaces lost badges?")
    tab.press("#question", "Enter")
    expect(tab.locator("article mark").first).to_be_visible(timeout=30_000)


def test_leaving_with_unsaved_words_asks_first(site: Site) -> None:
    doc = make_page(site.org, "Words.", slug="page")
    tab = site.window(site.org.editor).new_page()
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    tab.goto(f"/{site.org.tenant.slug}/edit/{doc.slug}")
    tab.on("dialog", stay)
    tab.fill("[name=source]", "Other words.")
    tab.get_by_role("link", name="Cancel").click()
    expect(tab.locator("[name=source]")).to_have_value("Other words.")
    assert asked == ["beforeunload"]


def test_second_to_save_chooses_with_both_texts_in_view(site: Site) -> None:
    doc = make_page(site.org, "Start.", slug="page")
    tab = site.window(site.org.editor).new_page()
    tab.goto(f"/{site.org.tenant.slug}/edit/{doc.slug}")
    tab.fill("[name=source]", "Start. Mine.")
    edit_page(site.org, doc, source="Start. Theirs.")
    tab.get_by_role("button", name="Save").click()
    expect(tab.get_by_role("heading", name="Somebody else saved first")).to_be_visible()
    expect(tab.locator("pre")).to_have_text("Start. Theirs.")
    tab.fill("#mine", "Start. Theirs. Mine.")
    tab.get_by_role("button", name="Save mine on top").click()
    expect(tab.locator("article")).to_have_text("Start. Theirs. Mine.")


def test_groups_are_asked_for_only_where_they_matter(site: Site) -> None:
    tab = site.window(site.org.editor).new_page()
    tab.goto(f"/{site.org.tenant.slug}/new")
    expect(tab.locator("[name=allowed_groups]")).to_be_hidden()
    tab.select_option("[name=visibility]", "role_restricted")
    expect(tab.locator("[name=allowed_groups]")).to_be_visible()
