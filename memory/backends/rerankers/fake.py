"""A reranker that counts shared words."""

from __future__ import annotations

from collections.abc import Sequence

from memory.language.terms import terms
from memory.seams import KnownScores


class FakeReranker:
    """The share of the query's words that a passage holds."""

    name = "fake"
    floor: float | None = 0.5

    def score(
        self, query: str, passages: Sequence[str], *, known: Sequence[KnownScores] = ()
    ) -> list[float]:
        wanted = {term.folded for term in terms(query)}
        return [
            len(wanted & {term.folded for term in terms(passage)}) / max(len(wanted), 1)
            for passage in passages
        ]
