"""Which ``make run`` holds a home, and what it started: the record that ``make stop`` goes by.

The lock says whether somebody runs; the kernel releases it when that process dies. The record says
who it is, with start times, so that a pid that was handed out again is never signalled.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

from config.services.home import Home
from config.services.process import ProcessId

LOCK = ".launch.lock"
RECORD = "launch.json"


class AlreadyRunning(Exception):
    """Another ``make run`` holds this home."""

    def __init__(self, run: Run | None) -> None:
        super().__init__("already running")
        self.run = run


@dataclass
class Run:
    supervisor: ProcessId
    port: int
    programs: dict[str, ProcessId] = field(default_factory=dict)
    services: list[str] = field(default_factory=list)  # those that this run started

    def save(self, home: Home) -> None:
        draft = home.path / f".{RECORD}"
        draft.write_text(json.dumps(asdict(self)))
        draft.rename(home.path / RECORD)


def read(home: Home) -> Run | None:
    try:
        found = json.loads((home.path / RECORD).read_text())
        return Run(
            supervisor=ProcessId(**found["supervisor"]),
            port=found["port"],
            programs={name: ProcessId(**who) for name, who in found["programs"].items()},
            services=found["services"],
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def forget(home: Home) -> None:
    (home.path / RECORD).unlink(missing_ok=True)


@contextlib.contextmanager
def claim(home: Home) -> Iterator[None]:
    """Hold the home for this process. Raises ``AlreadyRunning``."""
    with (home.path / LOCK).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyRunning(read(home)) from None
        yield


def is_claimed(home: Home) -> bool:
    if not home.path.exists():
        return False
    try:
        with claim(home):
            return False
    except AlreadyRunning:
        return True
