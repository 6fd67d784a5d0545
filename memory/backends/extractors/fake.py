"""A deterministic extractor that stands for a model: one fact a line, or a failure on demand."""

from __future__ import annotations

from memory.errors import ExtractionFailed
from memory.facts.records import Excerpt, Extracted, Fact
from memory.types import Usage

FAILS = "[unreadable]"


class FakeExtractor:
    """Every line of a passage is a fact. ``FAILS`` in a passage fails it. Counts its calls."""

    name = "fake"
    is_free = False

    def __init__(self) -> None:
        self.calls = 0

    def extract(self, excerpt: Excerpt) -> Extracted:
        self.calls += 1
        if FAILS in excerpt.text:
            raise ExtractionFailed("The model gave no facts that could be read.")
        facts: list[Fact] = []
        at = excerpt.start
        for line in excerpt.text.split("\n"):
            if words := line.strip():
                start = at + line.index(words)
                facts.append(
                    Fact(text=words, start=start, end=start + len(words), said_at=excerpt.said_at)
                )
            at += len(line) + 1
        return Extracted(tuple(facts), Usage(calls=1))
