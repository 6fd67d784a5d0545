"""Web and worker refuse to start as a database role that row security does not bind."""

from __future__ import annotations

import os
import subprocess
import sys
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import connections

from config.services import roles
from config.services.home import CHECKOUT, POSTGRES_PORT
from kb import index
from tests.factories import make_org, make_page

WEB = ["-c", "import config.wsgi"]
WORKER = ["-m", "celery", "-A", "config.celery", "worker", "--pool=solo", "--without-heartbeat"]


def url(user: str, password: str) -> str:
    home = settings.HOME
    database = connections["default"].settings_dict["NAME"]
    host = quote(str(home.sockets), safe="")
    return f"postgres://{user}:{home.secret(password)}@{host}:{POSTGRES_PORT}/{database}"


def start(command: list[str], database_url: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {
        "PATH": os.environ["PATH"],
        "FOOTNOTE_HOME": str(settings.HOME.path),
        "FOOTNOTE_LOOPBACK_HTTP": "1",
        "SECRET_KEY": "k" * 60,
        "DATABASE_URL": database_url,
        "REDIS_URL": settings.REDIS_URL,
        **more,
    }
    return subprocess.run(
        [sys.executable, *command],
        cwd=CHECKOUT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.django_db
@pytest.mark.parametrize("command", [WEB, WORKER], ids=["web", "worker"])
@pytest.mark.parametrize(
    ("user", "password", "words"),
    [
        ("postgres", "postgres_password", "postgres is a superuser"),
        (roles.OWNER_ROLE, roles.OWNER_PASSWORD, "footnote_owner has BYPASSRLS"),
    ],
    ids=["superuser", "owner"],
)
def test_fc_37_start_is_refused_with_a_clear_message(
    command: list[str], user: str, password: str, words: str
) -> None:
    refused = start(command, url(user, password))
    assert refused.returncode != 0
    assert words in refused.stderr


@pytest.mark.usefixtures("committed_db")
def test_fc_55_web_is_refused_on_vectors_of_another_size_and_starts_once_they_are_rebuilt() -> None:
    org = make_org()
    index.embed_page(org.tenant.pk, make_page(org, "Closed on Sundays.").pk)
    as_application = url(roles.app_role(), roles.APP_PASSWORD)
    encoder = {"FOOTNOTE_ENCODER": "tests.wide_encoder.WideEncoder"}
    refused = start(WEB, as_application, **encoder)
    assert refused.returncode != 0
    assert "(64 numbers each)" in refused.stderr
    assert "wide-words/128 (128)" in refused.stderr
    assert "manage.py reindex" in refused.stderr
    rebuilt = start(["manage.py", "reindex"], as_application, **encoder)
    assert rebuilt.returncode == 0, rebuilt.stderr
    assert rebuilt.stdout == f"{org.tenant.slug}: 1 pages done, 0 failed.\n"
    started = start(WEB, as_application, **encoder)
    assert started.returncode == 0, started.stderr


@pytest.mark.django_db
def test_fc_37_application_role_starts() -> None:
    started = start(WEB, url(roles.app_role(), roles.APP_PASSWORD))
    assert started.returncode == 0, started.stderr
