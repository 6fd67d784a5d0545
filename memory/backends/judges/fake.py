"""A judge that says what a test tells it to."""

from __future__ import annotations

from collections.abc import Sequence

from memory.reading.records import Reading


class FakeJudge:
    """``None`` means that it declines to judge; an exception is raised."""

    name = "fake"

    def __init__(
        self, answers: float | Exception | None = 1.0, says: float | Exception | None = 1.0
    ) -> None:
        self._answers, self._says = answers, says

    def says(self, claim: str, quotes: Sequence[str]) -> float | None:
        return _give(self._says)

    def answers(
        self, question: str, answer: str, quotes: Sequence[str], reading: Reading
    ) -> float | None:
        return _give(self._answers)


def _give(value: float | Exception | None) -> float | None:
    if isinstance(value, Exception):
        raise value
    return value
