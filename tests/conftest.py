"""Fixtures for every test.

Tests without a database need no service. With ``db`` a test runs in a transaction as the
application role; with ``committed_db`` it commits for real, and threads and servers see its rows.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connections
from django.test import TransactionTestCase

from tests import database

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
HOW_TO_GET_CHROMIUM = "no Chromium here; get it with: apt-get install -y chromium"

_use = pytest.StashKey[database.UseOfServices]()


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.stash[_use] = database.UseOfServices()


def pytest_unconfigure(config: pytest.Config) -> None:
    if use := config.stash.get(_use, None):
        use.end()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """One line for each reason to skip, however many tests share it."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    for reason, count in reasons.items():
        terminalreporter.write_line(f"{count} skipped: {reason}")


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker: Any, worker_id: str) -> Iterator[None]:
    """One database per process, instead of the ones that Django would make as ``default``."""
    with django_db_blocker.unblock():
        name = database.create(worker_id)
    # Flushing means TRUNCATE, which the application role may not.
    flush = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]
    TransactionTestCase._fixture_teardown = lambda self: database.truncate()  # type: ignore[attr-defined]
    yield
    TransactionTestCase._fixture_teardown = flush  # type: ignore[attr-defined]
    with django_db_blocker.unblock():
        database.drop(name)


@pytest.fixture
def committed_db(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Real commits. Every table is emptied afterwards, by the owner."""
    with django_db_blocker.unblock():
        try:
            yield
        finally:
            connections.close_all()
            database.truncate()


@pytest.fixture
def eager_tasks(settings: Any) -> Iterator[None]:
    """Celery tasks run at once, in the caller's process."""
    from config.celery import app

    app.conf.task_always_eager, app.conf.task_eager_propagates = True, True
    yield
    app.conf.task_always_eager, app.conf.task_eager_propagates = False, False


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium. Without one the test is skipped, with CI=true it fails."""
    for name in BROWSERS:
        if path := shutil.which(name):
            return path
    if os.environ.get("CI", "").lower() in ("1", "true"):
        pytest.fail(HOW_TO_GET_CHROMIUM, pytrace=False)
    pytest.skip(HOW_TO_GET_CHROMIUM)


@pytest.fixture
def no_running_loop() -> Iterator[None]:
    """For clients that run a loop of their own: a browser test in the same process leaves one running."""
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(running)
