from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.panel.stage import Stage


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def stage(browser: Browser) -> Iterator[Stage]:
    """A desktop window. Anything the page logs as an error, a broken policy included, fails."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    stage = Stage(context)
    errors: list[str] = []
    context.on("console", lambda entry: errors.append(entry.text) if entry.type == "error" else None)
    context.on("weberror", lambda error: errors.append(str(error.error)))
    yield stage
    context.close()
    # Chromium itself logs a refused request.
    assert [error for error in errors if not stage.refused or "Failed to load" not in error] == []
