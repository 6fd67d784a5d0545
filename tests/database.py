"""A database for each process of a test run, copied from a migrated template.

The owner creates, migrates and truncates. Tests themselves connect as the application role, so
that row security and grants bind them as they bind the product.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from psycopg import sql

from config.services import pair, roles
from config.services.home import POSTGRES_PORT, Home

ALIASES = ("default", "owner")
# Rows that migrations put there and that Django looks up by key.
KEPT = frozenset({"django_migrations", "django_content_type", "auth_permission"})
_DECIDES_SCHEMA = (
    "**/migrations/*.py",
    "**/models/*.py",
    "**/grants.py",
    "**/schema.py",
    "**/vector_indexes.py",
)


def home() -> Home:
    return Home(settings.HOME.path, is_for_tests=True)


class UseOfServices:
    """Held by each run, so that the last of several at once ends the services."""

    def __init__(self) -> None:
        home().prepare()
        self._file: IO[str] = (home().path / ".runs.lock").open("w")
        fcntl.flock(self._file, fcntl.LOCK_SH)

    def end(self) -> None:
        with contextlib.suppress(BlockingIOError), self._file:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            pair.stop(home())


def create(worker: str) -> str:
    """Start the services where they do not run and copy the template. The new database's name."""
    pair.ensure(home())
    name = f"test_{os.getpid()}_{worker}"
    with home().lock("template"), _owner() as server:
        template = _template(server)
        _drop_abandoned(server)
        server.execute(_statement("CREATE DATABASE {} TEMPLATE {}", name, template))
    connect_to(name)
    return name


def drop(name: str) -> None:
    connections.close_all()
    # PostgreSQL's own housekeeping may be at work in it. Whoever comes next drops it then.
    with contextlib.suppress(psycopg.errors.InsufficientPrivilege), _owner() as server:
        server.execute(_statement("DROP DATABASE IF EXISTS {} WITH (FORCE)", name))


def connect_to(name: str) -> None:
    for alias in ALIASES:
        connections[alias].close()
        connections[alias].settings_dict["NAME"] = name
        connections.databases[alias]["NAME"] = name


def truncate() -> None:
    """Empty every table, as the owner: the application role may not.

    Not through Django's own connection, which a test without ``owner`` among its databases blocks.
    """
    with _owner(connections["default"].settings_dict["NAME"]) as server:
        rows = server.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = sorted({row[0] for row in rows} - KEPT)
        listed = sql.SQL(", ").join(map(sql.Identifier, tables))
        statement = sql.SQL("TRUNCATE {} RESTART IDENTITY CASCADE").format(listed)
        for tries_left in (2, 1, 0):
            try:
                server.execute(statement)
                return
            except psycopg.errors.DeadlockDetected:  # with a request that a closed browser left
                if not tries_left:
                    raise


def _template(server: psycopg.Connection) -> str:
    """A migrated, empty database, made anew when anything changed that decides its shape."""
    name = f"template_{_schema_digest()}"
    if _exists(server, name):
        return name
    for old in _names(server, "template\\_%"):
        server.execute(_statement("DROP DATABASE {}", old))
    draft = f"draft_{os.getpid()}"
    server.execute(_statement("CREATE DATABASE {} TEMPLATE {}", draft, roles.DATABASE))
    try:
        connect_to(draft)
        call_command("migrate", verbosity=0)
        connections.close_all()
        server.execute(_statement("ALTER DATABASE {} RENAME TO {}", draft, name))
    finally:
        connections.close_all()
        server.execute(_statement("DROP DATABASE IF EXISTS {} WITH (FORCE)", draft))
    return name


def _schema_digest() -> str:
    digest = hashlib.sha256()
    for pattern in _DECIDES_SCHEMA:
        for app in ("memory", "kb"):
            for path in sorted((Path(settings.BASE_DIR) / app).glob(pattern)):
                digest.update(str(path).encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def _drop_abandoned(server: psycopg.Connection) -> None:
    """Databases of runs that were killed."""
    for name in _names(server, "test\\_%") + _names(server, "draft\\_%"):
        if not Path(f"/proc/{name.split('_')[1]}").exists():
            server.execute(_statement("DROP DATABASE IF EXISTS {} WITH (FORCE)", name))


def _exists(server: psycopg.Connection, name: str) -> bool:
    return bool(_names(server, name.replace("_", "\\_")))


def _names(server: psycopg.Connection, pattern: str) -> list[str]:
    rows = server.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [pattern])
    return [row[0] for row in rows]


def _statement(text: str, *names: str) -> sql.Composed:
    return sql.SQL(text).format(*map(sql.Identifier, names))  # type: ignore[arg-type]


@contextlib.contextmanager
def _owner(name: str = "postgres") -> Iterator[psycopg.Connection]:
    with psycopg.connect(
        host=str(home().sockets),
        port=POSTGRES_PORT,
        dbname=name,
        user=roles.OWNER_ROLE,
        password=home().secret(roles.OWNER_PASSWORD),
        autocommit=True,
    ) as server:
        yield server
