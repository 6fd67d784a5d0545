"""The world is made once for each module and rolled back to by every test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connections
from django.test import override_settings

from tests import database
from tests.sweep import world as worlds
from tests.sweep.world import World


@pytest.fixture(scope="module")
def committed_world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    # Sessions in the database alone, so that signing out is undone with everything else.
    in_database = override_settings(SESSION_ENGINE="django.contrib.sessions.backends.db")
    with in_database, django_db_blocker.unblock():
        try:
            yield worlds.build()
        finally:
            connections.close_all()
            database.truncate()


@pytest.fixture
def world(committed_world: World, db: None) -> World:
    return committed_world
