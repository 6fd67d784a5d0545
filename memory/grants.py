"""What the application role may do, set again after every migration.

A grant on ALL TABLES misses tables that come later, so it is repeated in ``post_migrate``, and
after it the rights that append-only tables must not have are taken away again.
"""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig, apps
from django.conf import settings
from django.db import connections
from django.db.models.signals import post_migrate
from psycopg import sql

from memory.models import TenantModel


def append_only_tables() -> list[str]:
    return sorted(
        model._meta.db_table
        for model in apps.get_models()
        if issubclass(model, TenantModel) and model.append_only
    )


def apply(using: str) -> None:
    """Grant and revoke, as the owner. Does nothing for tables that are not there yet."""
    role = sql.Identifier(settings.DB_APP_ROLE)
    with connections[using].cursor() as cursor:
        existing = set(connections[using].introspection.table_names(cursor))
        statements = [
            sql.SQL("GRANT USAGE ON SCHEMA public TO {role}"),
            sql.SQL(
                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}"
            ),
            sql.SQL("GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}"),
            sql.SQL("REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {role}"),
            sql.SQL("REVOKE TRUNCATE ON ALL TABLES IN SCHEMA public FROM {role}"),
        ]
        for statement in statements:
            cursor.execute(statement.format(role=role))
        for table in append_only_tables():
            if table in existing:
                cursor.execute(
                    sql.SQL("REVOKE UPDATE, DELETE, TRUNCATE ON {table} FROM {role}").format(
                        table=sql.Identifier(table), role=role
                    )
                )


def _after_migrate(*, using: str, **_: Any) -> None:
    apply(using)


def connect(app: AppConfig) -> None:
    # The signal fires once per app, in order; every one repeats the whole, so the last one counts.
    post_migrate.connect(_after_migrate, dispatch_uid="memory.grants")
