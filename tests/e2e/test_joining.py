"""From an invitation to a first password change, in a real browser with its real form protection."""

from __future__ import annotations

from django.urls import reverse
from playwright.sync_api import Page

from memory.models import Membership, Role
from tests.e2e.conftest import Site
from tests.factories import make_page
from tests.finished_asks import QUOTE, make_question

PASSWORD, NEXT = "correct-horse-battery", "another-horse-battery"


def link_on(tab: Page) -> str:
    return tab.locator(".fn-once").inner_text()


def test_invited_person_joins_and_changes_their_password(site: Site) -> None:
    tab = site.window(site.org.admin).new_page()
    tab.goto(reverse("admin:memory_membership_add"))
    tab.get_by_label("E-mail address").fill("nova@example.org")
    tab.get_by_label("User name").fill("nova")
    tab.get_by_label("Role").select_option(Role.EDITOR)
    tab.get_by_role("button", name="Save", exact=True).click()
    link = link_on(tab)

    guest = site.window().new_page()
    guest.goto(link)
    guest.get_by_label("Password", exact=True).fill(PASSWORD)
    guest.get_by_label("Password confirmation").fill(PASSWORD)
    guest.get_by_role("button", name="Make an account and join").click()
    guest.get_by_text(f"Welcome to {site.org.tenant.name}").wait_for()
    assert Membership.objects.get(user__username="nova").role == Role.EDITOR

    guest.locator(".menu summary").click()
    guest.get_by_role("link", name="Change password").click()
    guest.get_by_label("Old password").fill(PASSWORD)
    guest.get_by_label("New password", exact=True).fill(NEXT)
    guest.get_by_label("New password confirmation").fill(NEXT)
    guest.get_by_role("button", name="Change it").click()
    guest.get_by_text("Your password is changed").wait_for()

    late = site.window().new_page()
    late.goto(link)
    assert late.get_by_role("heading", name="This invitation no longer works").is_visible()


def test_member_who_forgot_gets_a_link_from_their_admin(site: Site) -> None:
    tab = site.window(site.org.admin, viewport={"width": 390, "height": 844}).new_page()
    tab.goto(reverse("admin:memory_membership_change", args=[site.org.reader.pk]))
    tab.get_by_role("button", name="Make a link for a new password").click()
    link = link_on(tab)
    assert tab.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0

    guest = site.window().new_page()
    guest.goto(link)
    guest.get_by_label("New password", exact=True).fill(PASSWORD)
    guest.get_by_label("New password confirmation").fill(PASSWORD)
    guest.get_by_role("button", name="Set the password").click()
    guest.get_by_text("Your new password holds").wait_for()
    guest.get_by_label("User name").fill(site.org.reader.user.username)
    guest.get_by_label("Password").fill(PASSWORD)
    guest.get_by_role("main").get_by_role("button", name="Sign in").click()
    guest.wait_for_url(f"**/{site.org.tenant.slug}/")


def test_overview_draws_and_verifies(site: Site) -> None:
    doc = make_page(site.org, QUOTE)
    make_question(site.org, doc)
    make_question(site.org, doc, quote="")
    tab = site.window(site.org.admin, viewport={"width": 390, "height": 844}).new_page()
    tab.goto(reverse("admin:index"))
    assert tab.get_by_role("img", name="Questions a day, last 30 days").is_visible()
    assert tab.locator(".fn-columns [data-kind]").count() == 2
    tab.get_by_text("As a table").first.click()
    assert tab.get_by_role("columnheader", name="Answered", exact=True).is_visible()
    tab.get_by_role("button", name="Verify the history").click()
    tab.get_by_text("The history holds.").wait_for()
    assert tab.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
