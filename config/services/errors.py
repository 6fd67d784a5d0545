"""What can go wrong while services start. Every message is a sentence that says what to do."""

from __future__ import annotations

from pathlib import Path


class ServiceError(Exception):
    """A service cannot run here. The message is meant for the person at the terminal."""


class UnreachableHome(ServiceError):
    """The state folder lies where the service user cannot go."""


def tail(log: Path, lines: int = 12) -> str:
    """The last lines of a log, indented, for an error message."""
    try:
        last = log.read_text(errors="replace").splitlines()[-lines:]
    except OSError:
        return ""
    return "".join(f"\n    {line}" for line in last)
