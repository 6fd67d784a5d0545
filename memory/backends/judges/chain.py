"""Asks judges in turn until one can tell."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence

from memory.reading import Reading
from memory.seams import Judge

logger = logging.getLogger(__name__)


class ChainJudge:
    """A judge that returns None, raises, or returns no probability has declined: the next is asked.

    None where all have. ``declined`` names those that did, since the chain was made.
    """

    def __init__(self, judges: Sequence[Judge]) -> None:
        self._judges = tuple(judges)
        self.name = ", ".join(judge.name for judge in judges)
        self.declined: list[str] = []

    def says(self, claim: str, quotes: Sequence[str]) -> float | None:
        return self._first(lambda judge: judge.says(claim, quotes))

    def answers(
        self, question: str, answer: str, quotes: Sequence[str], reading: Reading
    ) -> float | None:
        return self._first(lambda judge: judge.answers(question, answer, quotes, reading))

    def _first(self, ask: Callable[[Judge], float | None]) -> float | None:
        for judge in self._judges:
            try:
                stated = ask(judge)
            except Exception as error:
                logger.warning(
                    "judge_declined", extra={"judge": judge.name, "error": type(error).__name__}
                )
                stated = None
            if stated is not None and math.isfinite(stated) and 0 <= stated <= 1:
                return float(stated)
            self.declined.append(judge.name)
        return None
