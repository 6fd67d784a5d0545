"""What the fixtures of ``conftest`` promise."""

from __future__ import annotations

import threading

import pytest
from django.db import ProgrammingError, connection, connections, transaction

from memory.models import Tenant
from tests import database


def count_in_another_thread() -> int:
    counted: list[int] = []

    def count() -> None:
        counted.append(Tenant.objects.count())
        connections.close_all()

    thread = threading.Thread(target=count)
    thread.start()
    thread.join()
    return counted[0]


@pytest.mark.usefixtures("committed_db")
@pytest.mark.parametrize("_round", [1, 2])
def test_committed_rows_are_seen_by_other_threads_and_gone_in_the_next_test(_round: int) -> None:
    assert Tenant.objects.count() == 0
    Tenant.objects.create(slug="a", name="A")
    assert count_in_another_thread() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_round", [1, 2])
def test_transactional_tests_are_flushed_by_the_owner(_round: int) -> None:
    assert Tenant.objects.count() == 0
    Tenant.objects.create(slug="a", name="A")
    assert count_in_another_thread() == 1


@pytest.mark.django_db
def test_application_role_cannot_truncate() -> None:
    with (
        pytest.raises(ProgrammingError, match="permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"TRUNCATE {Tenant._meta.db_table} CASCADE")


@pytest.mark.django_db
def test_database_belongs_to_this_process_alone() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_database()")
        (name,) = cursor.fetchone()
    assert name.startswith("test_")
    assert database.ALIASES == ("default", "owner")
