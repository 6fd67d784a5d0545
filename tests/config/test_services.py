"""The embedded pair for real, in a home of its own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NoReturn

import psycopg
import pytest
import redis

from config import launch
from config.guarding import Guard
from config.processes import RESTARTS
from config.services import pair, roles
from config.services.errors import ServiceError
from config.services.home import POSTGRES_PORT, Home
from config.services.postgres import Postgres
from config.services.process import ProcessId, wait_until, working_in
from config.services.valkey import Valkey

ENSURE = "from config.services import pair; print(len(pair.ensure()))"


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    """pytest's own folders are closed to the service user, so this one lies beside them."""
    folder = Path(tempfile.mkdtemp(prefix="footnote-test-"))
    home = Home(folder)  # durable, as the product's own
    try:
        yield home
    finally:
        pair.stop(home)
        shutil.rmtree(folder)


@pytest.fixture
def running(home: Home) -> Home:
    pair.ensure(home, report=lambda _: None)
    return home


def services(home: Home) -> tuple[Postgres, Valkey]:
    return Postgres(home, None, print), Valkey(home, None, print)


def connect(home: Home, user: str, password: str, database: str = roles.DATABASE):  # type: ignore[no-untyped-def]
    return psycopg.connect(
        host=str(home.sockets),
        port=POSTGRES_PORT,
        user=user,
        password=home.secret(password),
        dbname=database,
        autocommit=True,
    )


def test_five_starts_at_once_give_one_pair(home: Home) -> None:
    pair.stop(home)
    environment = {"PATH": os.environ["PATH"], "FOOTNOTE_HOME": str(home.path)}
    starts = [
        subprocess.Popen(
            [sys.executable, "-c", ENSURE],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for _ in range(5)
    ]
    started = sorted(start.communicate()[0].strip() for start in starts)
    assert started == ["0", "0", "0", "0", "2"]
    postgres, valkey = services(home)
    assert postgres.is_running
    assert valkey.is_running


def test_servers_survive_the_command_that_started_them_and_a_second_call_attaches(
    running: Home,
) -> None:
    before = [service.process() for service in services(running)]
    assert pair.ensure(running, report=pytest.fail) == []
    assert [service.process() for service in services(running)] == before


def test_servers_listen_on_sockets_alone(running: Home) -> None:
    with connect(running, "postgres", "postgres_password", "postgres") as server:
        assert server.execute("SHOW listen_addresses").fetchone() == ("",)
    client = redis.Redis(unix_socket_path=str(running.valkey_socket))
    assert client.config_get("port") == {"port": "0"}
    client.close()
    assert running.sockets.stat().st_mode & 0o777 == 0o700


def test_wrong_password_is_refused(running: Home) -> None:
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(
            host=str(running.sockets), user=roles.OWNER_ROLE, password="x", dbname=roles.DATABASE
        )


def test_application_role_is_bound_and_owner_is_no_superuser(running: Home) -> None:
    with connect(running, "postgres", "postgres_password") as server:
        found = server.execute(
            "SELECT rolname, rolsuper, rolbypassrls, rolcreaterole FROM pg_roles"
            " WHERE rolname LIKE 'footnote%' ORDER BY 1"
        ).fetchall()
    assert found == [
        ("footnote_app", False, False, False),
        ("footnote_owner", False, True, False),
    ]


def test_application_role_works_on_the_owners_tables_and_makes_none(running: Home) -> None:
    with connect(running, roles.OWNER_ROLE, roles.OWNER_PASSWORD) as owner:
        owner.execute("DROP TABLE IF EXISTS thing")
        owner.execute("CREATE TABLE thing (id int, vec vector(3))")
    with connect(running, roles.app_role(), roles.APP_PASSWORD) as app:
        app.execute("INSERT INTO thing VALUES (1, '[1,2,3]')")
        assert app.execute("SELECT count(*) FROM thing").fetchone() == (1,)
        for statement in ("CREATE TABLE other (id int)", "TRUNCATE thing", "DROP TABLE thing"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                app.execute(statement)


def test_vectors_are_the_only_extension(running: Home) -> None:
    with connect(running, roles.app_role(), roles.APP_PASSWORD) as app:
        names = {row[0] for row in app.execute("SELECT extname FROM pg_extension")}
    assert names == {"plpgsql", "vector"}


def test_new_application_role_is_made_when_the_setting_changes(
    running: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DB_APP_ROLE", "other_app")
    pair.ensure(running)
    with connect(running, "other_app", roles.APP_PASSWORD) as app:
        assert app.execute("SELECT current_user").fetchone() == ("other_app",)


def test_killed_servers_start_again_and_lose_no_committed_row(running: Home) -> None:
    with connect(running, roles.OWNER_ROLE, roles.OWNER_PASSWORD) as owner:
        owner.execute("CREATE TABLE IF NOT EXISTS kept (id int)")
        owner.execute("INSERT INTO kept VALUES (7)")
    for service in services(running):
        process = service.process()
        assert process is not None
        process.send(signal.SIGKILL)
    assert wait_until(lambda: not working_in(running.postgres), seconds=20)
    started = pair.ensure(running)
    assert [service.name for service in started] == ["PostgreSQL", "Valkey"]
    with connect(running, roles.OWNER_ROLE, roles.OWNER_PASSWORD) as owner:
        assert owner.execute("SELECT id FROM kept LIMIT 1").fetchone() == (7,)


def test_servers_that_were_killed_are_started_again_while_footnote_runs(running: Home) -> None:
    to_stop: list[pair.Service] = []
    guard = Guard(running, to_stop)
    assert guard.look() == []
    for kind in (Valkey, Postgres):
        process = kind(running, None, print).process()
        assert process is not None
        process.send(signal.SIGKILL)
        assert wait_until(partial(has_ended, process), seconds=20)
        assert guard.look() == [kind.name]
    assert [service.name for service in to_stop] == ["Valkey", "PostgreSQL"]
    assert all(service.is_running for service in services(running))


def test_a_server_that_does_not_stay_alive_is_given_up(
    running: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Valkey, "process", lambda self: None)  # however often it is started
    guard = Guard(running, [])
    for _ in range(RESTARTS):
        guard.look()
    with pytest.raises(ServiceError, match="Valkey does not stay alive"):
        guard.look()


def test_a_start_that_fails_is_tried_again(running: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    pair.stop(running)
    guard = Guard(running, [])
    with monkeypatch.context() as full:
        full.setattr(Valkey, "_start", lambda self: raise_(ServiceError("The disk is full.")))
        assert guard.look() == []
    assert guard.look() == ["PostgreSQL", "Valkey"]


def has_ended(process: ProcessId) -> bool:
    return not process.is_alive


def raise_(error: Exception) -> NoReturn:
    raise error


def test_status_tells_of_services_that_a_command_left_running(
    running: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FOOTNOTE_HOME", str(running.path))
    assert launch.main(["status"]) == 0
    told = capsys.readouterr().err
    for service in services(running):
        process = service.process()
        assert process is not None
        assert f"{service.name:<10}  pid {process.pid}\n" in told
    assert "Without web, worker and beat." in told
    pair.stop(running)
    assert launch.main(["status"]) == 1
    assert "Not running. Start with: make run" in capsys.readouterr().err


def test_pid_file_that_names_another_process_does_not_stop_a_start(running: Home) -> None:
    pair.stop(running)
    stale = running.postgres / "postmaster.pid"
    stale.write_text(f"{os.getpid()}\n{running.postgres}\n")
    (running.valkey / "valkey.pid").write_text(f"{os.getpid()}\n")
    assert len(pair.ensure(running)) == 2
    assert ProcessId.of(os.getpid()) is not None


def test_stop_ends_both_and_leaves_no_socket_that_answers(running: Home) -> None:
    before = [service.process() for service in services(running)]
    assert [service.name for service in pair.stop(running)] == ["Valkey", "PostgreSQL"]
    assert not any(process.is_alive for process in before if process)
    postgres, valkey = services(running)
    assert not postgres.is_running
    assert not valkey.is_running
    assert pair.stop(running) == []


@pytest.mark.parametrize(
    ("variable", "url", "left"),
    [
        ("DATABASE_URL", "postgres://db.example/kb", [Valkey]),
        ("REDIS_URL", "redis://broker.example", [Postgres]),
    ],
)
def test_url_replaces_its_service(
    monkeypatch: pytest.MonkeyPatch, variable: str, url: str, left: list[type]
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.setenv(variable, url)
    assert pair.wanted() == left
