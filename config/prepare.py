"""What must be true before the web starts: schema, static files, demo. One process, one import.

Progress goes to stderr, one JSON object to stdout: ``{"key": …, "logins": …}``.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command
from django.db import connections

from config import env
from config.services.errors import ServiceError
from config.services.pair import say

DEMO_TENANT = "demo"
DEMO_ASKER = "editor"


def main() -> int:
    django.setup()
    outcome: dict[str, str] = {}
    try:
        migrate()
        collect_static()
        if env.flag("FOOTNOTE_DEMO", default=True):
            say("Installing the demo …")
            outcome["logins"] = _output_of("install_demo")
            outcome["key"] = _output_of("apikey", DEMO_ASKER, tenant=DEMO_TENANT).splitlines()[-1]
    except ServiceError as error:
        print(error, file=sys.stderr)
        return 1
    print(json.dumps(outcome))
    return 0


def migrate() -> None:
    if "owner" not in connections:
        raise ServiceError(
            "DATABASE_URL is set, but not DATABASE_OWNER_URL: the tables cannot be made. Set it to "
            "the owner's access (docs/running.md), or unset both to use the embedded PostgreSQL."
        )
    say("Migrating …")
    call_command("migrate", verbosity=0, interactive=False)


def collect_static() -> None:
    """Copy and compress static files, when any of them changed."""
    stamp = Path(settings.STATIC_ROOT) / ".stamp"
    digest = _static_digest()
    if stamp.exists() and stamp.read_text() == digest:
        return
    say("Collecting static files …")
    call_command("collectstatic", verbosity=0, interactive=False, clear=True)
    stamp.write_text(digest)


def _static_digest() -> str:
    """Ours by content; those of packages by the lock file that brought them."""
    digest = hashlib.sha256((settings.BASE_DIR / "requirements.txt").read_bytes())
    for folder in settings.STATICFILES_DIRS:
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file():
                digest.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return digest.hexdigest()


def _output_of(command: str, *arguments: str, **options: str) -> str:
    output = io.StringIO()
    call_command(command, *arguments, stdout=output, **options)
    return output.getvalue().strip()


if __name__ == "__main__":
    sys.exit(main())
