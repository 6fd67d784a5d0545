"""How ``mem`` fails: an exit code and a word for each kind, so that scripts can tell them apart. Pure:
it is also said where no database, and so no Django, could be started.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from typing import Any


class ExitCode(IntEnum):
    DONE = 0  # also where nothing was good enough to be shown
    FAILED = 1  # refused, broken, or a check that found faults
    BAD_FLAGS = 2
    UNKNOWN = 3  # no such project, member or corpus, or not to be seen
    UNREACHABLE = 4  # the database, or it was never set up
    NO_HITS = 5  # only with --fail-on-abstain


@dataclass(frozen=True, slots=True)
class Failure:
    """``word`` is for programs, ``message`` for people."""

    exit_code: ExitCode
    word: str
    message: str

    def as_json(self) -> dict[str, Any]:
        return {
            "error": {"code": self.word, "message": self.message, "exit_code": int(self.exit_code)}
        }

    def line(self, *, as_json: bool) -> str:
        """What goes to stderr: one line, for programs a JSON object."""
        return json.dumps(self.as_json(), ensure_ascii=False) if as_json else f"mem: {self.message}"


class Failed(Exception):
    """What is known to end a run."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def bad_flags(message: str) -> Failure:
    return Failure(ExitCode.BAD_FLAGS, "bad_flags", message)


def not_set_up(home: str) -> Failure:
    return Failure(
        ExitCode.UNREACHABLE,
        "not_set_up",
        f"Footnote is not set up in {home}. Run `make run` there first, or set FOOTNOTE_HOME.",
    )


def unreachable(message: str) -> Failure:
    return Failure(ExitCode.UNREACHABLE, "database_unreachable", message)


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether a command line asks for JSON, also where it cannot be parsed."""
    return "--format=json" in arguments or ("--format", "json") in pairwise(arguments)
