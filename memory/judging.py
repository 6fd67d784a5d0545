"""Asks the judges that settings name, in order: one that declines hands on to the next.

A judge declines by returning None, by raising, or with a number that is no probability. Whether
*all* declined is for the gate: it is a fault, never an approval.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memory.backends import registry
from memory.reading.records import Reading
from memory.seams import Judge

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Judged:
    """``probability`` is None where every judge declined; ``declined`` names those asked in vain."""

    probability: float | None
    judge: str = ""
    declined: tuple[str, ...] = ()


def says(claim: str, quotes: Sequence[str]) -> float | None:
    """Do the quotes say the claim?"""
    return _first(lambda judge: judge.says(claim, quotes)).probability


def answers(question: str, answer: str, quotes: Sequence[str], reading: Reading) -> Judged:
    """Does the answer, resting on the quotes, answer the question?"""
    return _first(lambda judge: judge.answers(question, answer, quotes, reading))


def _first(ask: Callable[[Judge], float | None]) -> Judged:
    declined: list[str] = []
    for judge in registry.judges():
        try:
            probability = ask(judge)
        except Exception:
            logger.exception("judge_failed", extra={"judge": judge.name})
            probability = None
        if probability is not None and _is_probability(probability):
            return Judged(float(probability), judge.name, tuple(declined))
        declined.append(judge.name)
    return Judged(None, declined=tuple(declined))


def _is_probability(value: float) -> bool:
    return math.isfinite(value) and 0.0 <= value <= 1.0
