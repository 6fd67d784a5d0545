"""Programs that ``make run`` starts and ends: web, worker and beat.

Each leads a process group of its own, so that Ctrl-C reaches the supervisor alone, which ends them
in order, and so that what a program forked ends with it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from config.services.errors import tail
from config.services.process import ProcessId, group_is_empty, wait_until

BIGGEST_LOG = 10 * 2**20
RESTARTS, RESTART_WINDOW = 3, 60.0  # so many in so many seconds, then it is given up
PR_SET_CHILD_SUBREAPER = 36  # of <linux/prctl.h>


@dataclass
class Program:
    name: str
    command: Sequence[str]
    log: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    grace_seconds: float = 10
    process: subprocess.Popen[bytes] | None = None
    started: list[float] = field(default_factory=list)  # on the monotonic clock

    def start(self) -> None:
        self.started.append(time.monotonic())
        rotate(self.log)
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **self.environment},
                start_new_session=True,
            )

    @property
    def identity(self) -> ProcessId | None:
        return ProcessId.of(self.process.pid) if self.process else None

    @property
    def is_failing(self) -> bool:
        """It was started so often of late that one more start would not help."""
        return is_too_often(self.started)

    @property
    def has_ended(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def obituary(self) -> str:
        """What to tell when it ended by itself."""
        code = self.process.returncode if self.process else None
        return f"{self.name} ended with code {code}. {self.log} ends with:{tail(self.log, 20)}"

    def stop(self) -> None:
        if self.process is None:
            return
        end_group(self.process.pid, grace_seconds=self.grace_seconds, reap=self.process.poll)
        self.process.wait()


def is_too_often(started: Sequence[float]) -> bool:
    """Whether these starts, on the monotonic clock, are more than a mishap explains."""
    now = time.monotonic()
    return sum(now - at < RESTART_WINDOW for at in started) > RESTARTS


def end_group(
    group: int, *, grace_seconds: float, reap: Callable[[], object] = lambda: None
) -> None:
    """SIGTERM to the leader, time to finish, SIGKILL to whatever is left of the group.

    ``reap`` collects the leader's exit code where it is a child of ours.
    """

    def is_over() -> bool:
        reap()
        return group_is_empty(group)

    leader = ProcessId.of(group)
    if leader is not None:
        leader.send(signal.SIGTERM)
    if not wait_until(is_over, seconds=grace_seconds):
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            return
        wait_until(is_over, seconds=5)


def adopt_orphans() -> None:
    """Make this process the parent of daemons that it starts, where the kernel can.

    In a container nobody else may collect them, and each would stay behind as a zombie.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def collect_orphans() -> None:
    """Collect what has ended. For the end of a run: it takes exit codes from ``subprocess`` too."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def rotate(log: Path) -> None:
    """Keep one older log, so that a log never grows without end."""
    if log.exists() and log.stat().st_size > BIGGEST_LOG:
        log.rename(log.with_suffix(".1.log"))


def wait_for(programs: Sequence[Program], seconds: float) -> Program | None:
    """Sleep, but notice at once when a program ends. The one that ended, if any."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        for program in programs:
            if program.has_ended:
                return program
        time.sleep(0.2)
    return None
