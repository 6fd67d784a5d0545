"""The tenant of a unit of work, bound to its transaction.

    scope(tenant) = transaction.atomic() + SET LOCAL auth.tenant_id

Row security in the database reads that setting through ``current_tenant()``, so a query without a
scope finds no rows. Here it also raises: silence would hide the mistake (a worker that forgot its
tenant, an attribute loaded after the scope ended).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import connections, transaction
from django.db.backends.signals import connection_created

from memory.errors import OutsideScope, TenantMismatch

_SET = "SELECT set_config('auth.tenant_id', %s, true)"
OWNER_ALIAS = "owner"  # migrations and erasure; exempt from row security by its own attribute

_current: ContextVar[UUID | None] = ContextVar("tenant", default=None)


def current() -> UUID | None:
    return _current.get()


def require() -> UUID:
    """The tenant of the running scope. Raises ``OutsideScope`` where there is none."""
    tenant_id = _current.get()
    if tenant_id is None:
        raise OutsideScope("this code needs a tenant: call it inside tenancy.scope(tenant_id)")
    return tenant_id


@contextmanager
def scope(tenant_id: UUID) -> Iterator[None]:
    """Run a block as one tenant, in one transaction (or savepoint, when nested).

    Raises ``TenantMismatch`` when nested in the scope of another tenant: one transaction never
    serves two. On an exception, or where a rollback is wanted, the database takes the setting back
    with the savepoint.
    """
    outer = _current.get()
    if outer is not None and outer != tenant_id:
        raise TenantMismatch(
            f"a scope of tenant {outer} is open; {tenant_id} cannot be nested in it"
        )
    connection = connections["default"]
    nested = connection.in_atomic_block
    with transaction.atomic():
        if outer is None:
            _set(tenant_id)
        token = _current.set(tenant_id)
        try:
            yield
        finally:
            _current.reset(token)
        if nested and outer is None and not connection.needs_rollback:
            _set(None)


def _set(tenant_id: UUID | None) -> None:
    with connections["default"].cursor() as cursor:
        cursor.execute(_SET, [str(tenant_id) if tenant_id else ""])


@cache
def tenant_tables() -> frozenset[str]:
    """Every table that carries a tenant and is under row security."""
    from memory.models.base import TenantModel

    return frozenset(
        model._meta.db_table for model in apps.get_models() if issubclass(model, TenantModel)
    )


@cache
def _tenant_table_pattern() -> re.Pattern[str]:
    names = "|".join(sorted(map(re.escape, tenant_tables()), key=len, reverse=True))
    return re.compile(rf'\b(?:FROM|JOIN|INTO|UPDATE)\s+"?(?:{names})\b', re.IGNORECASE)


def _guard(
    execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]
) -> Any:
    if _current.get() is None and _tenant_table_pattern().search(sql):
        raise OutsideScope(f"a tenant's table was queried outside tenancy.scope(): {sql[:120]}")
    return execute(sql, params, many, context)


def _install_guard(*, connection: Any, **_: Any) -> None:
    if connection.alias != OWNER_ALIAS and _guard not in connection.execute_wrappers:
        connection.execute_wrappers.append(_guard)


def connect() -> None:
    connection_created.connect(_install_guard, dispatch_uid="memory.tenancy.guard")
