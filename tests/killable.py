"""A broker and a worker of a test's own, to be killed. See ``held_worker`` for what runs."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from django.db import connection
from kombu import pools

from config.celery import app
from config.processes import Program
from config.services.home import CHECKOUT, Home
from config.services.process import ProcessId, wait_until
from config.services.valkey import Valkey

LONG = 90  # seconds in which even a busy machine does what is waited for


class Broker:
    """A Valkey of its own. It keeps nothing on disk: killed, it has forgotten every message."""

    def __init__(self, folder: Path) -> None:
        home = Home(folder, is_for_tests=True)
        self._server = Valkey(home, home.prepare(), lambda line: None)
        self.redis_url = f"unix://{home.valkey_socket}"
        self.url = f"redis+socket://{home.valkey_socket}"

    def start(self) -> None:
        self._server.ensure()

    def kill(self) -> None:
        server = self._server.process()
        assert server is not None
        server.send(signal.SIGKILL)
        assert wait_until(lambda: not server.is_alive, seconds=LONG)

    def stop(self) -> None:
        self._server.stop()


class Worker:
    """The process and what it forked; and the trap it walks into."""

    def __init__(self, folder: Path, broker: Broker) -> None:
        self._folder, self._broker = folder, broker
        self._program: Program | None = None

    def ensure(self) -> None:
        self.release()
        self.keep_alive()

    def keep_alive(self) -> None:
        """As its supervisor does: Celery ends where the broker dies with a message in its hands."""
        if self._program is None or self._program.has_ended:
            name = str(connection.settings_dict["NAME"])
            arguments = [name, self._broker.redis_url, str(self._folder)]
            self._program = Program(
                "worker",
                [sys.executable, "-m", "tests.held_worker", *arguments],
                self._folder / "worker.log",
                {"CELERY_BROKER_URL": self._broker.url, "PYTHONPATH": str(CHECKOUT)},
            )
            self._program.start()

    def trap(self, place: str, call: int, act: str = "wait") -> None:
        (self._folder / "trap").write_text(f"{place} {call} {act}")

    def release(self, *children: ProcessId) -> None:
        """These children, or all; a trap that nobody walked into is taken away."""
        names = [f"held-{child.pid}" for child in children] or ["held-*", "trap"]
        for name in names:
            for file in self._folder.glob(name):
                file.unlink()

    def wait_for_trap(self, *others: ProcessId) -> ProcessId:
        """The child that sits in it, beside ``others`` that do already."""
        known = {f"held-{child.pid}" for child in others}

        def found() -> list[str]:
            return [file.name for file in self._folder.glob("held-*") if file.name not in known]

        assert self.wait_until(lambda: bool(found()), every=0.05), self.log()
        child = ProcessId.of(int(found()[0].removeprefix("held-")))
        assert child is not None
        return child

    def wait_until(self, condition: Callable[[], bool], *, every: float = 0.2) -> bool:
        def is_met() -> bool:
            self.keep_alive()
            return condition()

        return wait_until(is_met, seconds=LONG, every=every)

    def kill_child(self) -> None:
        """As the kernel does when memory runs out."""
        child = self.wait_for_trap()
        child.send(signal.SIGKILL)
        assert wait_until(lambda: not child.is_alive, seconds=LONG)
        self.release()

    def kill(self) -> None:
        """With all it forked. The last of them to go closes its connection, and until then the broker
        would hand it the next message."""
        self.wait_for_trap()
        assert self._program is not None
        assert self._program.process is not None
        group = self._program.process.pid
        os.killpg(group, signal.SIGKILL)
        self._program.process.wait()
        assert wait_until(lambda: not _is_alive(group), seconds=LONG)
        self.release()

    def stop(self) -> None:
        self.release()
        if self._program is not None:
            self._program.stop()

    def log(self) -> str:
        return (self._folder / "worker.log").read_text()[-4000:]


def _is_alive(group: int) -> bool:
    """Whether a process of the group still runs; one that nobody has waited for yet does not."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            state, _, of_group = stat.read_text().rpartition(")")[2].split()[:3]
            if int(of_group) == group and state != "Z":
                return True
    return False


def forget_connections() -> None:
    """The next message opens one anew, to where the environment says by then."""
    pools.reset()
    app._after_fork()
