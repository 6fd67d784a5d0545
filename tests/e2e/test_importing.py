"""Bringing an archive in, and watching it without touching the page."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from kb.importing import jobs
from kb.models import ImportJob
from memory import tenancy
from tests.e2e.conftest import Site

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])


def test_import_shows_its_progress_and_then_its_report_by_itself(
    site: Site, tmp_path: Path
) -> None:
    archive = tmp_path / "handbook.zip"
    with zipfile.ZipFile(archive, "w") as out:
        out.writestr("handbook/hr/overtime.md", "# Overtime\n\nAt most 12 hours. [Pay](pay.md)")
        out.writestr("handbook/hr/pay.md", "# Pay\n\nOn the 25th.")
        out.writestr("handbook/hr/empty.md", "")
    tab = site.window(site.org.editor).new_page()
    tab.goto(f"/{site.org.tenant.slug}/")
    tab.get_by_role("link", name="Import").click()
    if shots := os.environ.get("SHOTS"):
        tab.screenshot(path=f"{shots}/import.png")
    tab.get_by_label("Zip archive").set_input_files(archive)
    tab.get_by_label("Publish the pages at once").check()
    tab.get_by_role("button", name="Import").click()
    expect(tab.get_by_role("heading", name="Import of handbook")).to_be_visible()
    expect(tab.get_by_role("main").get_by_role("status")).to_contain_text("0 of 3 files")
    with tenancy.scope(site.org.tenant.pk):
        job_id = ImportJob.objects.get().pk
    jobs.work(site.org.tenant.pk, job_id)
    expect(tab.get_by_text("A page needs some text.")).to_be_visible()  # nobody reloaded
    expect(tab.get_by_role("main").get_by_role("status")).to_contain_text("3 of 3 files")
    if shots := os.environ.get("SHOTS"):
        tab.screenshot(path=f"{shots}/import_job.png")
    tab.get_by_role("link", name="hr/overtime.md").click()
    tab.locator("article").get_by_role("link", name="Pay").click()
    expect(tab.locator("article")).to_contain_text("On the 25th.")
