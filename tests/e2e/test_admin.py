"""The administration in a real browser: its own content security policy holds and nothing runs."""

from __future__ import annotations

import pytest
from django.urls import reverse

from memory import tenancy
from memory.models import User
from memory.people import keys
from tests.e2e.conftest import Site
from tests.factories import make_page
from tests.finished_asks import QUOTE, make_question

HOSTILE = '"><script>window.__hit=1</script><img src=x onerror=window.__hit=1>'
LISTS = (
    "kb_qaquestion",
    "kb_doc",
    "memory_membership",
    "memory_invitation",
    "memory_user",
    "memory_apikey",
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_fc_66_hostile_names_run_nowhere_and_no_screen_breaks_its_policy(
    site: Site, scheme: str
) -> None:
    User.objects.filter(pk=site.org.reader.user_id).update(first_name=HOSTILE)
    doc = make_page(site.org, f"{QUOTE} {HOSTILE}", title=HOSTILE)
    question = make_question(site.org, doc, HOSTILE)
    with tenancy.scope(site.org.tenant.pk):
        keys.create_key(site.org.reader, name=HOSTILE)
    tab = site.window(site.org.admin, color_scheme=scheme).new_page()
    for url in (
        reverse("admin:index"),
        *(reverse(f"admin:{name}_changelist") for name in LISTS),
        reverse("admin:kb_doc_change", args=[doc.pk]),
        reverse("admin:kb_qaquestion_change", args=[question.pk]),
        reverse("admin:memory_apikey_add"),
    ):
        tab.goto(url, wait_until="networkidle")
        assert tab.evaluate("window.__hit") is None, url
        assert tab.locator("#main").is_visible(), url
    tab.goto(reverse("admin:kb_qaquestion_change", args=[question.pk]))
    assert tab.locator("mark").inner_text() == QUOTE
    tab.locator("sup a").click()
    assert tab.url.endswith("#cited-1")


def test_filters_open_and_narrow_the_history(site: Site) -> None:
    doc = make_page(site.org, QUOTE)
    make_question(site.org, doc, "Answered one?")
    make_question(site.org, doc, "Declined one?", quote="")
    tab = site.window(site.org.admin).new_page()
    tab.goto(reverse("admin:kb_qaquestion_changelist"))
    tab.locator("a", has_text="Filters").click()
    tab.get_by_label("No evidence").check()
    tab.get_by_text("Apply Filters").click()
    tab.wait_for_url("**answer_kind=decline_no_evidence**")
    rows = tab.locator("#result_list tbody")
    assert rows.count() == 1
    assert "Declined one?" in rows.inner_text()


def test_member_for_a_key_is_found_by_typing(site: Site) -> None:
    tab = site.window(site.org.admin).new_page()
    tab.goto(reverse("admin:memory_apikey_add"))
    tab.locator(".select2-selection").first.click()
    tab.locator(".select2-search__field").fill("reader")
    tab.locator(".select2-results__option", has_text=site.org.reader.user.username).click()
    tab.get_by_role("button", name="Save", exact=True).click()
    tab.get_by_text("shown only now").wait_for()


def test_narrow_screen_never_scrolls_sideways(site: Site) -> None:
    doc = make_page(site.org, QUOTE, title="A page with a title that goes on for quite a while")
    question = make_question(site.org, doc, "wordwithoutanyspaces" * 12)
    tab = site.window(site.org.admin, viewport={"width": 390, "height": 844}).new_page()
    for url in (
        reverse("admin:index"),
        reverse("admin:kb_qaquestion_changelist"),
        reverse("admin:kb_qaquestion_change", args=[question.pk]),
        reverse("admin:kb_doc_change", args=[doc.pk]),
        reverse("admin:memory_auditentry_changelist"),
    ):
        tab.goto(url)
        assert tab.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, url
