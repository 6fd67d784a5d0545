"""Tests themselves run as the application role."""

from __future__ import annotations

import pytest
from django.db import connection, connections


@pytest.mark.django_db
def test_tests_connect_as_a_role_that_row_security_binds() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT rolname, rolsuper, rolbypassrls, rolcreatedb FROM pg_roles"
            " WHERE rolname = current_user"
        )
        assert cursor.fetchone() == ("footnote_app", False, False, False)


@pytest.mark.django_db(databases=["default", "owner"])
def test_owner_is_no_superuser_and_bypasses_row_security() -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "SELECT rolname, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user"
        )
        assert cursor.fetchone() == ("footnote_owner", False, True)
