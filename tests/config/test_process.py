from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from config import supervising
from config.guarding import Guard
from config.processes import RESTARTS, Program, end_group, rotate, wait_for
from config.runstate import Run
from config.services import pair
from config.services.home import Home
from config.services.process import ProcessId, group_is_empty, wait_until, working_in

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]
STUBBORN = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    time.sleep(60)
print("ready", flush=True)
time.sleep(60)
"""


def test_zombie_is_not_alive() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    assert wait_until(lambda: ProcessId.of(child.pid) is None, seconds=10)
    assert Path(f"/proc/{child.pid}").exists()
    child.wait()


def test_pid_that_was_handed_out_again_is_another_process() -> None:
    me = ProcessId.of(os.getpid())
    assert me is not None
    assert me.is_alive
    impostor = ProcessId(os.getpid(), me.started - 1)
    assert not impostor.is_alive
    impostor.send(signal.SIGKILL)  # would end this test


def test_processes_are_found_by_their_working_directory(tmp_path: Path) -> None:
    child = subprocess.Popen(SLEEP, cwd=tmp_path)
    try:
        assert wait_until(lambda: working_in(tmp_path) == [child.pid], seconds=10)
    finally:
        child.kill()
        child.wait()


def test_stop_ends_a_program_with_what_it_forked_even_if_it_will_not(tmp_path: Path) -> None:
    program = Program(
        "stubborn", [sys.executable, "-c", STUBBORN], tmp_path / "log", grace_seconds=0.3
    )
    program.start()
    assert program.process is not None
    assert wait_until(lambda: "ready" in (tmp_path / "log").read_text(), seconds=10)
    program.stop()
    assert group_is_empty(program.process.pid)


def test_program_leads_a_group_of_its_own_that_ctrl_c_does_not_reach(tmp_path: Path) -> None:
    program = Program("sleeper", SLEEP, tmp_path / "log")
    program.start()
    assert program.process is not None
    try:
        assert os.getpgid(program.process.pid) == program.process.pid != os.getpgid(0)
    finally:
        program.stop()


def test_end_of_a_program_is_noticed_and_told_with_its_last_words(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "print('no such table'); raise SystemExit(3)"]
    program = Program("worker", command, tmp_path / "worker.log")
    program.start()
    assert wait_for([program], seconds=30) is program
    assert "worker ended with code 3" in program.obituary()
    assert "no such table" in program.obituary()


def test_ending_a_group_that_is_gone_does_nothing() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""], start_new_session=True)
    child.wait()
    end_group(child.pid, grace_seconds=0.1)


@pytest.mark.parametrize(("size", "kept"), [(10, True), (11 * 2**20, False)])
def test_big_log_is_put_aside_at_start(tmp_path: Path, size: int, kept: bool) -> None:
    log = tmp_path / "web.log"
    log.write_bytes(b"x" * size)
    rotate(log)
    assert log.exists() is kept
    assert (tmp_path / "web.1.log").exists() is not kept


ORPHAN = """
import subprocess, sys
from config import processes
from config.services.process import wait_until
processes.adopt_orphans()
made = subprocess.run(["sh", "-c", "sleep 0.2 & echo $!"], stdout=subprocess.PIPE, check=True)
orphan = int(made.stdout)
state = lambda: open(f"/proc/{orphan}/stat").read().rpartition(")")[2].split()[0]
assert wait_until(lambda: state() == "Z", seconds=10)
processes.collect_orphans()
try:
    print(state())
except OSError:
    print("collected")
"""


def test_daemon_that_ends_leaves_no_zombie_behind() -> None:
    run = subprocess.run([sys.executable, "-c", ORPHAN], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "collected"


def test_killed_program_is_started_again_and_one_that_will_not_live_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pair, "wanted", list)
    home = Home(tmp_path)
    me = ProcessId.of(os.getpid())
    assert me is not None
    state = Run(supervisor=me, port=8000)
    marks = tmp_path / "starts"
    command = ["sh", "-c", f"echo started >> {marks}; exit 9"]
    program = Program("worker", command, tmp_path / "worker.log")
    program.start()
    assert supervising.watch([program], Guard(home, []), home, state) == 1
    assert marks.read_text().count("started") == 1 + RESTARTS
    assert capfd.readouterr().err.count("worker ended with code 9") == 1 + RESTARTS
