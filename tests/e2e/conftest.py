"""A browser, with two things to show it.

``stage``: the real templates, styles and scripts on pages that a test makes up; no server, no database.
``site``: the whole product behind a live server.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from kb.models import Doc
from memory.models import Membership
from tests.e2e.stage import Stage
from tests.factories import Org, make_org

# Playwright keeps an event loop in this thread; the fixtures' queries are not in it.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


class Watch:
    """What pages logged as errors: a script that threw, a broken content security policy."""

    def __init__(self) -> None:
        self.errors: list[str] = []

    def over(self, context: BrowserContext) -> BrowserContext:
        context.on("console", self._note)
        context.on("weberror", lambda error: self.errors.append(str(error.error)))
        return context

    def _note(self, entry: Any) -> None:
        # What Chromium itself logs of a refused request is no error of the page.
        if entry.type == "error" and "Failed to load resource" not in entry.text:
            self.errors.append(entry.text)


@pytest.fixture
def stage(browser: Browser) -> Iterator[Stage]:
    """A desktop window onto staged pages. Any error that a page logs fails the test."""
    watch = Watch()
    context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    yield Stage(watch.over(context))
    context.close()
    assert watch.errors == []


@dataclass
class Site:
    """The running product, and windows onto it."""

    url: str
    org: Org
    browser: Browser
    contexts: list[BrowserContext]
    watch: Watch

    def window(self, member: Membership | None = None, **options: Any) -> BrowserContext:
        """A browser window, signed in as a member or as nobody."""
        options = {"viewport": {"width": 1440, "height": 900}, "reduced_motion": "reduce"} | options
        context = self.watch.over(self.browser.new_context(base_url=self.url, **options))
        if member is not None:
            client = Client()
            client.force_login(member.user)
            name = settings.SESSION_COOKIE_NAME
            context.add_cookies(
                [{"name": name, "value": client.cookies[name].value, "url": self.url}]
            )
        self.contexts.append(context)
        return context

    def read(self, doc: Doc, *, as_member: Membership | None = None, **options: Any) -> Page:
        """A page, opened by the reader unless the test names somebody else."""
        tab = self.window(as_member or self.org.reader, **options).new_page()
        tab.goto(self.path_of(doc))
        return tab

    def path_of(self, doc: Doc) -> str:
        return f"/{self.org.tenant.slug}/p/{doc.slug}"


@pytest.fixture
def site(live_server: Any, browser: Browser) -> Iterator[Site]:
    """Fails when a script throws or a page breaks its own content security policy."""
    site = Site(live_server.url, make_org(), browser, [], Watch())
    yield site
    for context in site.contexts:
        context.close()
    assert site.watch.errors == []
