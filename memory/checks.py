"""Start-up checks: the application refuses to run as a role that row security does not bind, and on
vectors of another size than its encoder's."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connections
from django.db.utils import DatabaseError, OperationalError

from memory import recipes
from memory.backends import registry
from memory.errors import EncoderChanged, UnsafeRole
from memory.tenancy import tenant_tables

logger = logging.getLogger(__name__)

_ROLE_SQL = """
    SELECT rolsuper, rolbypassrls, current_user,
           ARRAY(SELECT relname FROM pg_class
                 WHERE relname = ANY(%s) AND pg_get_userbyid(relowner) = current_user),
           ARRAY(SELECT relname FROM pg_class WHERE relname = ANY(%s) AND relkind = 'r'
                 AND NOT (relrowsecurity AND relforcerowsecurity))
    FROM pg_roles WHERE rolname = current_user
"""


def refuse_unsafe_role(alias: str = "default") -> None:
    """Raise ``UnsafeRole`` where the role of a connection could read past row security."""
    tables = sorted(tenant_tables())
    with connections[alias].cursor() as cursor:
        cursor.execute(_ROLE_SQL, [tables, tables])
        is_super, bypasses, role, owned, unprotected = cursor.fetchone()
    advice = "Connect as the application role (DB_APP_ROLE), see docs/running.md."
    if is_super:
        raise UnsafeRole(f"Database role {role} is a superuser and ignores row security. {advice}")
    if bypasses:
        raise UnsafeRole(f"Database role {role} has BYPASSRLS and ignores row security. {advice}")
    if owned:
        raise UnsafeRole(f"Database role {role} owns {owned[0]} and could lift its rules. {advice}")
    if unprotected:
        raise UnsafeRole(
            f"Table {unprotected[0]} has no forced row security. Run manage.py migrate as the owner."
        )


def refuse_changed_encoder() -> None:
    """Raise ``EncoderChanged`` where stored vectors have another size and wait to be rebuilt.

    Another recipe of the same size is logged: questions are answered by keywords until then, and
    so they are with an encoder that cannot be loaded.
    """
    try:
        changes = recipes.all_changes()
    except DatabaseError:
        raise
    except Exception:
        logger.exception("encoder_failed")
        return
    for change in changes:
        if change.is_refused:
            raise EncoderChanged(str(change))
        logger.warning("encoder_changed", extra={"detail": str(change)})


def _database_check(check: Callable[[], list[CheckMessage]]) -> Callable[..., list[CheckMessage]]:
    """Registered, and asked only where Django says that the database may be."""

    @register(Tags.database)
    def asked(*, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
        return check() if databases and "default" in databases else []

    return asked


@_database_check
def vectors_are_of_the_encoder() -> list[CheckMessage]:
    try:
        changes = recipes.all_changes()
    except DatabaseError:
        return []  # unreachable, or not migrated yet: other checks say so
    except Exception as error:
        return [Error(f"The encoder cannot be loaded: {error}", id="memory.E004")]
    return [
        Error(str(change), id="memory.E003")
        if change.is_refused
        else Warning(str(change), id="memory.W001")
        for change in changes
    ]


@_database_check
def floor_is_known() -> list[CheckMessage]:
    """A reranker whose floor nobody measured lets everything through, and says so here."""
    try:
        reranker = registry.reranker()
        floor = reranker.floor
    except Exception as error:
        return [Error(f"The reranker cannot be made: {error}", id="memory.E005")]
    if floor is not None:
        return []
    advice = "Measure one (docs/recall.md) and set RERANKER_FLOOR, or choose another reranker."
    return [
        Warning(
            f"No floor is known for the reranker {reranker.name}: searches and mem query never abstain.",
            hint=advice,
            id="memory.W002",
        )
    ]


@_database_check
def role_is_bound_by_row_security() -> list[CheckMessage]:
    try:
        refuse_unsafe_role()
    except UnsafeRole as refusal:
        return [Error(str(refusal), id="memory.E001")]
    except OperationalError as error:
        return [Error(f"The database cannot be reached: {error}", id="memory.E002")]
    return []
