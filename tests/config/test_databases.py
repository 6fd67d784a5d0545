from __future__ import annotations

from pathlib import Path

import pytest

from config import databases
from config.services.home import Home

VARIABLES = (
    "DATABASE_URL",
    "DATABASE_OWNER_URL",
    "REDIS_URL",
    "REDIS_CACHE_URL",
    "DB_POOL_SIZE",
    "FOOTNOTE_WITHOUT_OWNER",
    "DB_TRANSACTION_POOLER",
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    home = Home(tmp_path)
    home.secrets.mkdir()
    return home


def test_embedded_database_is_a_socket_with_the_application_role(home: Home) -> None:
    (home.secrets / "app_password").write_text("a-password\n")
    found = databases.databases(home)
    assert found["default"]["USER"] == "footnote_app"
    assert found["default"]["HOST"] == str(home.sockets)
    assert found["default"]["PASSWORD"] == "a-password"


def test_owner_exists_only_where_its_access_is_known(home: Home) -> None:
    assert "owner" not in databases.databases(home)
    (home.secrets / "owner_password").write_text("another\n")
    assert databases.databases(home)["owner"]["USER"] == "footnote_owner"


def test_owner_is_withheld_from_web_and_worker(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    (home.secrets / "owner_password").write_text("another\n")
    monkeypatch.setenv("FOOTNOTE_WITHOUT_OWNER", "1")
    assert list(databases.databases(home)) == ["default"]


def test_foreign_database_never_borrows_the_embedded_owner(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home.secrets / "owner_password").write_text("another\n")
    monkeypatch.setenv("DATABASE_URL", "postgres://app:pw@db.example:5433/kb")
    found = databases.databases(home)
    assert list(found) == ["default"]
    assert (found["default"]["HOST"], str(found["default"]["PORT"])) == ("db.example", "5433")


def test_pool_replaces_persistent_connections(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DB_POOL_SIZE", "4")
    default = databases.databases(home)["default"]
    assert default["OPTIONS"]["pool"]["max_size"] == 4
    assert default["CONN_MAX_AGE"] == 0
    assert default["ENGINE"] == "config.pooled"
    assert default["CONN_HEALTH_CHECKS"] is False  # the engine looks at what the pool lends


def test_transaction_pooler_gets_no_prepared_statements(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DB_TRANSACTION_POOLER", "1")
    default = databases.databases(home)["default"]
    assert default["OPTIONS"]["prepare_threshold"] is None
    assert default["DISABLE_SERVER_SIDE_CURSORS"] is True


@pytest.mark.parametrize(
    ("url", "broker", "cache"),
    [
        ("unix:///h/run/v.sock", "redis+socket:///h/run/v.sock", "unix:///h/run/v.sock?db=1"),
        ("redis://r.example:6379/0", "redis://r.example:6379/0", "redis://r.example:6379/1"),
        (
            "rediss://:p@r.example/0?ssl_cert_reqs=required",
            "rediss://:p@r.example/0?ssl_cert_reqs=required",
            "rediss://:p@r.example/1?ssl_cert_reqs=required",
        ),
    ],
)
@pytest.mark.usefixtures("home")
def test_cache_never_shares_the_brokers_database(url: str, broker: str, cache: str) -> None:
    assert databases.broker_url(url) == broker
    assert databases.cache_url(url) == cache
