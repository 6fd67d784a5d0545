"""What must be true before the web starts: schema, static files, demo. One process, one import.

Progress goes to stderr, one JSON object to stdout: ``{"key": …, "logins": …}``.
"""

from __future__ import annotations

import hashlib
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

DEMO_ASKER = "editor"
KEY_NAME = "make run"


def main() -> int:
    django.setup()
    outcome: dict[str, str] = {}
    try:
        migrate()
        collect_static()
        if env.flag("FOOTNOTE_DEMO", default=True):
            outcome = install_demonstration()
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


def install_demonstration() -> dict[str, str]:
    """The demo's users and pages, and a key of the editor; the key of the start before ends."""
    from kb.demo import install
    from memory import tenancy
    from memory.models import ApiKey
    from memory.people import keys, members

    say("Installing the demo …")
    password = settings.HOME.make_secret("demo_password", size=9)
    install.install_demo(password=password)
    editor = members.find(DEMO_ASKER, tenant_slug=install.TENANT_SLUG)
    with tenancy.scope(editor.tenant_id):
        earlier = ApiKey.objects.filter(user_id=editor.user_id, name=KEY_NAME, revoked_at=None)
        keys.revoke(earlier, actor=editor)
        key = keys.create_key(editor, name=KEY_NAME)
    users = ", ".join(name for name, _, _ in install.USERS)
    return {"key": key, "logins": f"Sign in as {users} with the password {password}"}


if __name__ == "__main__":
    sys.exit(main())
