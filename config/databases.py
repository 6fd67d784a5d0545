"""Where the data lives: URLs where they are set, the embedded pair in FOOTNOTE_HOME otherwise.

Reading this starts nothing; ``config.services.pair.ensure()`` does.
"""

from __future__ import annotations

from typing import Any

import dj_database_url

from config import env
from config.services import roles
from config.services.home import POSTGRES_PORT, Home

ENGINE = "django.db.backends.postgresql"
POOLED_ENGINE = "config.pooled"
# A request that gets no connection in time is refused (config.errors): it would only queue up behind
# others. A server that is away is looked for again with each request.
POOL_SECONDS = 3
RECONNECT_SECONDS = 1
CACHE_DATABASE = 1  # clearing the cache empties its database, which must not be the broker's


def databases(home: Home) -> dict[str, dict[str, Any]]:
    """``default`` connects as the application role. ``owner`` exists where its access is known and
    not withheld (web and workers withhold it): set-up, migrate and erase alone use it.
    """
    found = {"default": _shared(_application(home))}
    owner = None if env.flag("FOOTNOTE_WITHOUT_OWNER") else _owner(home)
    if owner is not None:
        found["owner"] = _shared(owner)
    # A pool, so that no thread keeps a connection while a model thinks.
    if size := env.number("DB_POOL_SIZE", 0, high=1000):
        found["default"] |= {
            "ENGINE": POOLED_ENGINE,
            "CONN_MAX_AGE": 0,
            "CONN_HEALTH_CHECKS": False,
        }
        found["default"]["OPTIONS"]["pool"] = {
            "min_size": 1,
            "max_size": size,
            "timeout": POOL_SECONDS,
            "reconnect_timeout": RECONNECT_SECONDS,
        }
    return found


def redis_url(home: Home) -> str:
    return env.text("REDIS_URL") or f"unix://{home.valkey_socket}"


def broker_url(url: str) -> str:
    """Celery's spelling of a redis URL: a socket has a scheme of its own."""
    return url.replace("unix://", "redis+socket://", 1)


def cache_url(url: str) -> str:
    """The same server, another of its databases. ``REDIS_CACHE_URL`` names another server."""
    if other := env.text("REDIS_CACHE_URL"):
        return other
    if url.startswith("unix://"):
        return f"{url.partition('?')[0]}?db={CACHE_DATABASE}"
    base, _, query = url.partition("?")
    scheme, _, rest = base.partition("://")
    host = rest.split("/", 1)[0]
    return f"{scheme}://{host}/{CACHE_DATABASE}" + (f"?{query}" if query else "")


def _application(home: Home) -> dict[str, Any]:
    if url := env.text("DATABASE_URL"):
        return _from_url(url)
    return _embedded(home, user=roles.app_role(), password=roles.APP_PASSWORD)


def _owner(home: Home) -> dict[str, Any] | None:
    if url := env.text("DATABASE_OWNER_URL"):
        return _from_url(url)
    if env.text("DATABASE_URL") or home.secret(roles.OWNER_PASSWORD) is None:
        return None
    return _embedded(home, user=roles.OWNER_ROLE, password=roles.OWNER_PASSWORD)


def _embedded(home: Home, *, user: str, password: str) -> dict[str, Any]:
    return {
        "ENGINE": ENGINE,
        "NAME": roles.DATABASE,
        "USER": user,
        "PASSWORD": home.secret(password) or "",
        "HOST": str(home.sockets),
        "PORT": str(POSTGRES_PORT),
    }


def _from_url(url: str) -> dict[str, Any]:
    return dict(dj_database_url.parse(url)) | {"ENGINE": ENGINE}


def _shared(database: dict[str, Any]) -> dict[str, Any]:
    database.setdefault("OPTIONS", {})
    if env.flag("DB_TRANSACTION_POOLER"):
        # Behind PgBouncer a session's cursors and prepared statements may sit on another server.
        database["OPTIONS"]["prepare_threshold"] = None
        database["DISABLE_SERVER_SIDE_CURSORS"] = True
    return database | {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
