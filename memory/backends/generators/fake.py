"""A generator that says what a test tells it to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memory.reading.records import Reading
from memory.types import Draft, Passage

Reply = Draft | Exception | Callable[[str, Sequence[Passage], Reading], Draft]


class FakeGenerator:
    """Returns, raises or calls ``reply``. ``asked`` keeps the questions that reached it."""

    name = "fake"

    def __init__(self, reply: Reply | None = None, *, states_confidence: bool = True) -> None:
        self.reply: Reply = reply if reply is not None else Draft()
        self.states_confidence = states_confidence
        self.asked: list[str] = []

    def draft(self, question: str, passages: Sequence[Passage], reading: Reading) -> Draft:
        self.asked.append(question)
        if isinstance(self.reply, Exception):
            raise self.reply
        if isinstance(self.reply, Draft):
            return self.reply
        return self.reply(question, passages, reading)
