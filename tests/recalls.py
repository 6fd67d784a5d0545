"""Recalling in tests: rerankers that say what the test tells them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from memory.backends import registry
from memory.hits import Recalled
from memory.models import Bank
from memory.recall import engine
from memory.recall.request import RecallRequest
from memory.seams import KnownScores


def recall(bank: Bank, query: str, **fields: Any) -> Recalled:
    return engine.recall(RecallRequest(bank_id=bank.pk, query=query, **fields))


def texts(recalled: Recalled) -> list[str]:
    return [hit.text for hit in recalled.hits]


class Scripted:
    """Scores by text, from a dict, a list for whatever comes, or an exception. Keeps its calls."""

    name = "scripted"

    def __init__(self, script: Any, floor: float | None = None, default: float = 0.0) -> None:
        self.script, self.floor, self.default = script, floor, default
        self.calls: list[list[str]] = []
        self.known: list[list[KnownScores]] = []

    def score(
        self, query: str, passages: Sequence[str], *, known: Sequence[KnownScores] = ()
    ) -> list[float]:
        self.calls.append(list(passages))
        self.known.append(list(known))
        if isinstance(self.script, Exception):
            raise self.script
        if isinstance(self.script, Mapping):
            return [self.script.get(text, self.default) for text in passages]
        return list(self.script)


@contextmanager
def reranker(script: Any, **fields: Any) -> Iterator[Scripted]:
    scripted = Scripted(script, **fields)
    with patch.object(registry, "reranker", lambda: scripted):
        yield scripted
