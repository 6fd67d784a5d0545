#!/usr/bin/env python
"""Django's command line, on the embedded services unless URLs name others."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.mem.failures import Failure

# Commands that read no data and so need no server.
WITHOUT_SERVICES = {"check", "collectstatic", "compilemessages", "help", "makemessages", "version"}
UNREACHABLE = 4  # how mem ends where it finds no database


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError as error:
        print(f"{error}. Set up with make run, and use .venv/bin/python.", file=sys.stderr)
        return 1
    from config.services import pair
    from config.services.errors import ServiceError
    from config.services.home import from_environment

    command = sys.argv[1] if len(sys.argv) > 1 else "help"
    started: list[pair.Service] = []
    try:
        if command == "mem" and not asks_for_help():
            if not pair.has_database():
                return tell_mem_not_set_up()
            started = pair.ensure()
        elif command not in WITHOUT_SERVICES and not asks_for_help():
            pair.ensure()
        elif not os.environ.get("SECRET_KEY"):
            home = from_environment()
            home.prepare()
            home.make_secret("secret_key")
    except ServiceError as error:
        if command == "mem":
            return tell_mem(str(error))
        print(error, file=sys.stderr)
        return 1
    try:
        execute_from_command_line(sys.argv)
    except SystemExit as ending:
        if ending.code == UNREACHABLE:  # nothing there to serve
            for service in reversed(started):
                service.stop()
        raise
    return 0


def asks_for_help() -> bool:
    return bool({"-h", "--help"}.intersection(sys.argv)) or sys.argv[1:] == ["mem"]


def tell_mem(message: str) -> int:
    """No database: what ``mem`` says of it itself, where it gets that far."""
    from memory.mem import failures

    return tell(failures.unreachable(message))


def tell_mem_not_set_up() -> int:
    from config.services.home import from_environment
    from memory.mem import failures

    return tell(failures.not_set_up(str(from_environment().path)))


def tell(failure: Failure) -> int:
    from memory.mem import failures

    print(failure.line(as_json=failures.wants_json(sys.argv)), file=sys.stderr)
    return int(failure.exit_code)


if __name__ == "__main__":
    sys.exit(main())
