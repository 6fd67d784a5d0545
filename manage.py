#!/usr/bin/env python
"""Django's command line, on the embedded services unless URLs name others."""

from __future__ import annotations

import os
import sys

# Commands that read no data and so need no server.
WITHOUT_SERVICES = {"check", "collectstatic", "compilemessages", "help", "makemessages", "version"}


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
    try:
        if command not in WITHOUT_SERVICES and "--help" not in sys.argv:
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
    execute_from_command_line(sys.argv)
    return 0


def tell_mem(message: str) -> int:
    """No database: what ``mem`` says of it itself, where it gets that far."""
    from memory.mem import failures

    failure = failures.unreachable(message)
    print(failure.line(as_json=failures.wants_json(sys.argv)), file=sys.stderr)
    return int(failure.exit_code)


if __name__ == "__main__":
    sys.exit(main())
