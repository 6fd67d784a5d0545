"""Raw scores of a model on the one scale from 0 to 1, or an error. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence

from memory.errors import RerankerFailed


def probabilities(raw: Sequence[float], *, expected: int) -> list[float]:
    """The logistic of each raw score. Raises ``RerankerFailed``."""
    return [_logistic(value) for value in checked(raw, expected=expected)]


def shares(given: Sequence[float], *, expected: int) -> list[float]:
    """Scores that are said to lie between 0 and 1; the logistic of all where one does not.

    Raises ``RerankerFailed``.
    """
    values = checked(given, expected=expected)
    if all(0.0 <= value <= 1.0 for value in values):
        return values
    return [_logistic(value) for value in values]


def checked(given: Sequence[float], *, expected: int) -> list[float]:
    """One finite number per passage. Raises ``RerankerFailed``."""
    if len(given) != expected:
        raise RerankerFailed(f"{len(given)} scores for {expected} passages")
    values = [float(value) for value in given]
    if not all(map(math.isfinite, values)):
        raise RerankerFailed("a score that is no number")
    return values


def _logistic(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-value)) if value >= 0 else 1.0 - 1.0 / (1.0 + math.exp(value))
