"""The two database roles and their database.

    owner   owns the database and every table; BYPASSRLS; set-up, migrate, erase
    app     web and workers; neither owner, superuser nor BYPASSRLS: row security binds it

Run by the superuser after every start that changed something; what is there already is left alone.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from config.services.home import POSTGRES_PORT, Home

DATABASE = "footnote"
OWNER_ROLE = "footnote_owner"
DEFAULT_APP_ROLE = "footnote_app"
EXTENSIONS = ("vector",)
OWNER_PASSWORD = "owner_password"  # names of secrets in the home
APP_PASSWORD = "app_password"

_ROLE_ATTRIBUTES = {
    "owner": "LOGIN NOSUPERUSER NOCREATEROLE NOREPLICATION BYPASSRLS",
    "app": "LOGIN NOSUPERUSER NOCREATEROLE NOREPLICATION NOBYPASSRLS NOCREATEDB",
}
_IN_DATABASE = """
    REVOKE ALL ON DATABASE {database} FROM PUBLIC;
    GRANT CONNECT, TEMPORARY ON DATABASE {database} TO {app};
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    GRANT USAGE ON SCHEMA public TO {app};
    ALTER DEFAULT PRIVILEGES FOR ROLE {owner} IN SCHEMA public
        GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {app};
    ALTER DEFAULT PRIVILEGES FOR ROLE {owner} IN SCHEMA public
        GRANT USAGE, SELECT ON SEQUENCES TO {app};
"""


def app_role() -> str:
    return os.environ.get("DB_APP_ROLE", "").strip() or DEFAULT_APP_ROLE


def set_up(home: Home, socket_folder: Path, superuser: str) -> None:
    """Roles, database, extensions and default rights. Skipped when nothing changed since."""
    app = app_role()
    recipe = repr((_ROLE_ATTRIBUTES, _IN_DATABASE, EXTENSIONS, app, home.is_for_tests))
    stamp = home.secrets / "roles.stamp"
    digest = hashlib.sha256(recipe.encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == digest:
        return
    options: dict[str, Any] = {
        "host": str(socket_folder),
        "port": POSTGRES_PORT,
        "user": superuser,
        "password": home.secret("postgres_password"),
        "autocommit": True,
    }
    names = {
        "owner": sql.Identifier(OWNER_ROLE),
        "app": sql.Identifier(app),
        "database": sql.Identifier(DATABASE),
    }
    may_create = "CREATEDB" if home.is_for_tests else "NOCREATEDB"
    with psycopg.connect(**options, dbname="postgres") as server:
        owner_attributes = f"{_ROLE_ATTRIBUTES['owner']} {may_create}"
        _role(server, OWNER_ROLE, owner_attributes, home.make_secret(OWNER_PASSWORD))
        _role(server, app, _ROLE_ATTRIBUTES["app"], home.make_secret(APP_PASSWORD))
        known = server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE])
        if not known.fetchone():
            create = sql.SQL("CREATE DATABASE {database} OWNER {owner}")
            server.execute(create.format(**names))
    with psycopg.connect(**options, dbname=DATABASE) as server:
        server.execute(sql.SQL(_IN_DATABASE).format(**names))
        for extension in EXTENSIONS:
            create = sql.SQL("CREATE EXTENSION IF NOT EXISTS {}")
            server.execute(create.format(sql.Identifier(extension)))
    stamp.write_text(digest)


def _role(server: psycopg.Connection, name: str, attributes: str, password: str) -> None:
    known = server.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]).fetchone()
    statement = "ALTER ROLE {name} {attributes} PASSWORD {password}"
    if not known:
        statement = "CREATE ROLE {name} {attributes} PASSWORD {password}"
    server.execute(
        sql.SQL(statement).format(
            name=sql.Identifier(name),
            attributes=sql.SQL(attributes),
            password=sql.Literal(password),
        )
    )
