"""Both embedded services of one home, found or started together."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from config.services.home import Home, from_environment
from config.services.postgres import Postgres
from config.services.process import ProcessId
from config.services.valkey import Valkey

Service = Postgres | Valkey


def say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def wanted() -> list[type[Service]]:
    """The services that no URL replaces."""
    chosen: list[type[Service]] = []
    if not os.environ.get("DATABASE_URL", "").strip():
        chosen.append(Postgres)
    if not os.environ.get("REDIS_URL", "").strip():
        chosen.append(Valkey)
    return chosen


def has_database(home: Home | None = None) -> bool:
    """Whether set-up has made the embedded database. One that a URL names is taken to be there."""
    return Postgres not in wanted() or Postgres.is_made(home or from_environment())


def ensure(home: Home | None = None, report: Callable[[str], None] = say) -> list[Service]:
    """Find or start what no URL replaces, and return what this call started.

    However many processes call it at once, one server of each kind comes of it.
    Raises ``ServiceError``. Draws SECRET_KEY as well, so that the home is complete.
    """
    home = home or from_environment()
    account = home.prepare()
    home.make_secret("secret_key")
    started: list[Service] = []
    with home.lock("services"):
        try:
            for kind in wanted():
                service = kind(home, account, report)
                if service.ensure():
                    started.append(service)
        except BaseException:
            for service in reversed(started):
                service.stop()
            raise
    return started


def running(home: Home) -> list[tuple[Service, ProcessId]]:
    """Those of this home that run, with their processes."""
    found = [(service, service.process()) for service in (k(home, None, say) for k in wanted())]
    return [(service, process) for service, process in found if process is not None]


def stop(home: Home, report: Callable[[str], None] = say) -> list[Service]:
    """Stop whatever of the pair runs in this home, and return it."""
    stopped: list[Service] = []
    if not home.path.exists():
        return stopped
    with home.lock("services"):
        for kind in (Valkey, Postgres):
            service = kind(home, None, report)
            if service.process() is not None:
                service.stop()
                stopped.append(service)
    return stopped
