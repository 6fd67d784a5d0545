"""The tables' owner in tests: what a person with a dump and a grudge could do. Needs ``committed_db``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connections


def as_owner(statement: str, *parameters: Any) -> list[tuple]:
    """Run one statement, and let go of the connection."""
    try:
        with connections["owner"].cursor() as cursor:
            cursor.execute(statement, parameters)
            return cursor.fetchall() if cursor.description else []
    finally:
        connections["owner"].close()


@contextmanager
def without_constraints(table: str, *names: str) -> Iterator[None]:
    """Drop constraints, then empty the table and put them back as they were."""
    connections["default"].close()
    found = dict(
        as_owner(
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE conrelid = %s::regclass AND conname = ANY(%s)",
            table,
            list(names),
        )
    )
    assert found.keys() == set(names)
    for name in names:
        as_owner(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    try:
        yield
    finally:
        connections["default"].close()
        as_owner(f"DELETE FROM {table}")
        for name, definition in found.items():
            as_owner(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")
