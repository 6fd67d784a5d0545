"""Settings are read once at import, so each case imports them in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from config.services.home import CHECKOUT

SHOW = "import json, config.settings as s; print(json.dumps({n: getattr(s, n) for n in %r}))"
NAMES = (
    "DEBUG",
    "SESSION_COOKIE_SECURE",
    "CSRF_COOKIE_SECURE",
    "SECURE_SSL_REDIRECT",
    "SECURE_HSTS_SECONDS",
    "ALLOWED_HOSTS",
)


def run(home: Path, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "FOOTNOTE_HOME": str(home), **variables}
    return subprocess.run(
        [sys.executable, *command],
        cwd=CHECKOUT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_any_variable_settings_are_those_of_production(tmp_path: Path) -> None:
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "secret_key").write_text("k" * 60)
    shown = json.loads(run(tmp_path, "-c", SHOW % (NAMES,)).stdout)
    assert shown == {
        "DEBUG": False,
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "SECURE_SSL_REDIRECT": True,
        "SECURE_HSTS_SECONDS": 31536000,
        "ALLOWED_HOSTS": [],
    }


def test_importing_settings_writes_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert run(home, "-c", "import config.settings", SECRET_KEY="k" * 60).returncode == 0
    assert not home.exists()


def test_no_secret_key_outside_debug_is_refused_with_advice(tmp_path: Path) -> None:
    refused = run(tmp_path, "-c", "import config.settings")
    assert refused.returncode == 1
    assert "SECRET_KEY is not set and FOOTNOTE_HOME holds none" in refused.stderr


def test_loopback_http_relaxes_cookies(tmp_path: Path) -> None:
    shown = json.loads(
        run(tmp_path, "-c", SHOW % (NAMES,), SECRET_KEY="k" * 60, FOOTNOTE_LOOPBACK_HTTP="1").stdout
    )
    assert shown["SESSION_COOKIE_SECURE"] is False
    assert shown["SECURE_HSTS_SECONDS"] == 0
    assert shown["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]


def test_loopback_http_is_refused_for_other_hosts(tmp_path: Path) -> None:
    refused = run(
        tmp_path,
        "-c",
        "import config.settings",
        SECRET_KEY="k" * 60,
        FOOTNOTE_LOOPBACK_HTTP="1",
        ALLOWED_HOSTS="localhost,kb.example",
    )
    assert refused.returncode == 1
    assert "ALLOWED_HOSTS may only name localhost" in refused.stderr


def test_deploy_check_is_clean_with_production_settings(tmp_path: Path) -> None:
    checked = run(
        tmp_path,
        "manage.py",
        "check",
        "--deploy",
        "--fail-level",
        "WARNING",
        SECRET_KEY="Zq7" * 20 + "abcdefgh",
        ALLOWED_HOSTS="kb.example",
        DATABASE_URL="postgres://app@db.example/kb",
        REDIS_URL="redis://broker.example/0",
    )
    assert checked.returncode == 0, checked.stderr
    assert "no issues" in checked.stdout
