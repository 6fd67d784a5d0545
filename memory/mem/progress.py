"""Progress of a long run on stderr: one line that moves, or elsewhere a new one now and then."""

from __future__ import annotations

import time
from typing import Final, TextIO

from memory.corpora import Progress
from memory.mem import people

_SECONDS_APART: Final = 5.0  # between two lines where nothing can move
_MOST_OF_LINE: Final = 100


class Watch:
    """``memory.corpora.add`` tells it every step."""

    def __init__(self, err: TextIO) -> None:
        self._err = err
        self._moves = err.isatty()
        self._told = time.monotonic()
        self._begun = ""  # the step that a line was written about

    def __call__(self, progress: Progress) -> None:
        if problem := progress.problem:
            self.end()
            self._write(f"{people.plain(problem.path)}: {problem.reason}\n")
        line = f"{progress.step}: {progress.done} of {progress.total}"
        if self._moves:
            self._write(f"\r\x1b[K{line[:_MOST_OF_LINE]}")
        elif time.monotonic() - self._told >= _SECONDS_APART or self._ends(progress):
            self._told = time.monotonic()
            self._begun = progress.step
            self._write(f"{line}\n")

    def _ends(self, progress: Progress) -> bool:
        """What began to be told is told to its end."""
        return progress.step == self._begun and progress.done == progress.total

    def end(self) -> None:
        """Leave the line to whoever writes next."""
        if self._moves:
            self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        self._err.write(text)
        self._err.flush()
