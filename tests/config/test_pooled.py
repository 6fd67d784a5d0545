"""The web's pool of connections, against a real server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError, connection

from config.pooled.base import DatabaseWrapper

pytestmark = pytest.mark.django_db

_SIZE = 6
_SECONDS = 2  # less than the pool itself would wait between the third and the fourth broken one


@pytest.fixture
def settings_of_pool() -> dict[str, Any]:
    options = {"pool": {"min_size": 1, "max_size": _SIZE, "timeout": _SECONDS}}
    plain = {**connection.settings_dict, "OPTIONS": options}
    return plain | {"CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": False}


@pytest.fixture
def threads(settings_of_pool: dict[str, Any]) -> Iterator[list[DatabaseWrapper]]:
    """What as many threads of the web have: a connection each, of one pool."""
    wrappers = [DatabaseWrapper(settings_of_pool, "pooled") for _ in range(_SIZE + 1)]
    yield wrappers
    for wrapper in wrappers:
        wrapper.close()
    wrappers[0].close_pool()


def backend(wrapper: DatabaseWrapper) -> int:
    with wrapper.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def terminate(pids: list[int]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pid, 5000) FROM unnest(%s::int[]) pid", [pids])


def test_connections_that_the_server_ended_are_replaced_at_once(
    threads: list[DatabaseWrapper],
) -> None:
    first = [backend(wrapper) for wrapper in threads[:_SIZE]]
    assert len(set(first)) == _SIZE
    for wrapper in threads:
        wrapper.close()
    terminate(first)
    again = [backend(wrapper) for wrapper in threads[:_SIZE]]
    assert len(set(again)) == _SIZE
    assert not set(again) & set(first)


def test_a_connection_that_lives_is_lent_again(threads: list[DatabaseWrapper]) -> None:
    first = {backend(wrapper) for wrapper in threads[:_SIZE]}
    for wrapper in threads:
        wrapper.close()
    assert {backend(wrapper) for wrapper in threads[:_SIZE]} == first


def test_an_exhausted_pool_refuses(threads: list[DatabaseWrapper]) -> None:
    for wrapper in threads[:_SIZE]:
        backend(wrapper)
    with pytest.raises(OperationalError, match="couldn't get a connection"):
        threads[_SIZE].ensure_connection()
