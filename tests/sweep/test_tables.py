"""Every tenant's table, from the model registry: another tenant finds nothing there and puts nothing in."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.apps import apps
from django.db import connection, transaction
from django.db.utils import ProgrammingError
from psycopg import sql

from memory import tenancy
from memory.grants import append_only_tables
from memory.models import TenantModel
from tests.sweep.world import World

TABLES = sorted(
    model._meta.db_table for model in apps.get_models() if issubclass(model, TenantModel)
)
DENIED = (ProgrammingError, psycopg.errors.InsufficientPrivilege)


def run(statement: str, table: str, *parameters: Any) -> int:
    """The count that a SELECT gives, or the rows that another statement touched."""
    with transaction.atomic(), connection.cursor() as cursor:
        composed = sql.SQL(statement).format(sql.Identifier(table))
        cursor.execute(composed, parameters)
        return int(cursor.fetchone()[0] if statement.startswith("SELECT") else cursor.rowcount)


def count(table: str, tenant_id: UUID) -> int:
    return run("SELECT count(*) FROM {} WHERE tenant_id = %s", table, tenant_id)


@pytest.mark.parametrize("table", TABLES)
def test_rows_are_there_for_their_own_tenant_alone(world: World, table: str) -> None:
    with tenancy.scope(world.tenant.pk):
        assert count(table, world.tenant.pk) > 0, f"give {table} a row in tests/sweep/world.py"
    with tenancy.scope(world.other.pk):
        assert count(table, world.tenant.pk) == 0
        own = count(table, world.other.pk)
        assert run("SELECT count(*) FROM {}", table) == own


@pytest.mark.parametrize("table", TABLES)
def test_without_a_tenant_there_is_no_row(world: World, table: str) -> None:
    # Past the guard, which would raise before the database is asked.
    assert connection.connection is not None or connection.ensure_connection() is None
    found = connection.connection.execute(
        sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))
    )
    assert found.fetchone() == (0,)


@pytest.mark.parametrize("table", TABLES)
def test_nothing_can_be_put_into_another_tenant(world: World, table: str) -> None:
    with tenancy.scope(world.other.pk), pytest.raises(DENIED, match="row-level security"):
        run("INSERT INTO {} (tenant_id) VALUES (%s)", table, world.tenant.pk)


@pytest.mark.parametrize("statement", ["UPDATE {} SET tenant_id = tenant_id", "DELETE FROM {}"])
@pytest.mark.parametrize("table", TABLES)
def test_nothing_of_another_tenant_can_be_changed(world: World, table: str, statement: str) -> None:
    its_rows = f"{statement} WHERE tenant_id = %s"
    with tenancy.scope(world.other.pk):
        if table in append_only_tables():
            with pytest.raises(DENIED, match="permission denied"):
                run(its_rows, table, world.tenant.pk)
        else:
            assert run(its_rows, table, world.tenant.pk) == 0


@pytest.mark.parametrize("table", TABLES)
def test_no_row_can_be_moved_to_another_tenant(world: World, table: str) -> None:
    with (
        tenancy.scope(world.tenant.pk),
        pytest.raises(DENIED, match=r"row-level security|permission denied"),
    ):
        run("UPDATE {} SET tenant_id = %s", table, world.other.pk)
