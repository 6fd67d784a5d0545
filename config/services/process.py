"""Which process is meant. A bare pid is not enough: the kernel hands it out again."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ProcessId:
    """A pid and the moment its process began, in clock ticks since boot."""

    pid: int
    started: int

    @classmethod
    def of(cls, pid: int) -> ProcessId | None:
        """The living process behind a pid; None when it is gone or a zombie."""
        fields = _stat_fields(pid)
        if fields is None or fields[0] in {"Z", "X"}:
            return None
        return cls(pid, int(fields[19]))

    @property
    def is_alive(self) -> bool:
        return ProcessId.of(self.pid) == self

    def send(self, number: signal.Signals) -> None:
        if self.is_alive:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)


def _stat_fields(pid: int) -> list[str] | None:
    """The fields of /proc/PID/stat from the state on; the name before them may hold anything."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None


def group_is_empty(group: int) -> bool:
    """Nothing but zombies is left in a process group."""
    for pid in _pids():
        fields = _stat_fields(pid)
        if fields and int(fields[2]) == group and fields[0] not in {"Z", "X"}:
            return False
    return True


def working_in(folder: Path) -> list[int]:
    """Living processes whose working directory is this folder."""
    found = []
    for pid in _pids():
        with contextlib.suppress(OSError):
            if os.readlink(f"/proc/{pid}/cwd") == str(folder) and ProcessId.of(pid):
                found.append(pid)
    return found


def _pids() -> Iterator[int]:
    return (int(name) for name in os.listdir("/proc") if name.isdigit())


def wait_until(condition: Callable[[], bool], *, seconds: float, every: float = 0.05) -> bool:
    """Poll a condition; False when it did not come true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(every)
    return True
