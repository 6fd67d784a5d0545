from __future__ import annotations

import os
from pathlib import Path

import pytest

from config import launch, runstate
from config.processes import Program
from config.runstate import AlreadyRunning, Run
from config.services.errors import ServiceError
from config.services.home import Home
from config.services.process import ProcessId


def me() -> ProcessId:
    found = ProcessId.of(os.getpid())
    assert found is not None
    return found


def test_record_is_read_back_as_it_was_saved(tmp_path: Path) -> None:
    home = Home(tmp_path)
    run = Run(supervisor=me(), port=8123, programs={"web": me()}, services=["Valkey"])
    run.save(home)
    assert runstate.read(home) == run


def test_broken_record_reads_as_none(tmp_path: Path) -> None:
    (tmp_path / runstate.RECORD).write_text('{"port": 1')
    assert runstate.read(Home(tmp_path)) is None


def test_second_start_in_one_home_learns_who_runs(tmp_path: Path) -> None:
    home = Home(tmp_path)
    run = Run(supervisor=me(), port=8123)
    with runstate.claim(home):
        run.save(home)
        assert runstate.is_claimed(home)
        with pytest.raises(AlreadyRunning) as raised, runstate.claim(home):
            pass
    assert raised.value.run == run
    assert not runstate.is_claimed(home)


def test_leftovers_of_a_killed_start_are_ended_and_strangers_are_not(tmp_path: Path) -> None:
    home = Home(tmp_path)
    program = Program("web", ["sleep", "60"], tmp_path / "log")
    program.start()
    identity = program.identity
    assert identity is not None
    stranger = ProcessId(os.getpid(), me().started - 1)  # our pid, as if handed out again
    Run(stranger, 8000, {"web": identity, "worker": stranger}).save(home)
    launch.end_leftovers(home)
    assert not identity.is_alive
    assert runstate.read(home) is None
    program.stop()


def test_taken_port_names_the_setting_to_change() -> None:
    import socket

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(ServiceError, match=rf"{port} is taken .* PORT={port + 1}"):
            launch.check_port(port)


def test_bad_port_is_said_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PORT", "http")
    assert launch.main(["run"]) == 1
    assert "PORT='http' is not a whole number" in capsys.readouterr().err


def test_unknown_command_shows_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert launch.main(["dance"]) == 2
    assert "run|stop|status" in capsys.readouterr().err
