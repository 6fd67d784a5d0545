"""Orders passages by meaning and words together, with the encoder that is already there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from memory import relevance
from memory.backends import registry
from memory.language.terms import terms
from memory.reading.lexical import match
from memory.reading.questions import analyse
from memory.relevance import Learnt
from memory.seams import Encoder, KnownScores


class EmbeddedReranker:
    """The probability that a passage is relevant. The scale and its floor are those of the encoder's
    recipe; for an encoder that nothing was learnt about there is an order and no floor."""

    name = "embedded"

    def __init__(self, encoder: Encoder | None = None) -> None:
        self._given = encoder

    @property
    def floor(self) -> float | None:
        return self._learnt.floor

    def score(
        self, query: str, passages: Sequence[str], *, known: Sequence[KnownScores] = ()
    ) -> list[float]:
        """Nothing is encoded or analysed again where recall knows the scores."""
        if not passages:
            return []
        found = relevance.score(known or self._read(query, passages), self._learnt)
        return found.astype(float).tolist()

    @cached_property
    def _encoder(self) -> Encoder:
        return self._given or registry.encoder()

    @property
    def _learnt(self) -> Learnt:
        return relevance.of_recipe(self._encoder.recipe.name)

    def _read(self, query: str, passages: Sequence[str]) -> list[KnownScores]:
        """The passages themselves are the corpus that says which words are rare."""
        cosines = self._encoder.encode_passages(passages) @ self._encoder.encode_queries([query])[0]
        shares = match(analyse(query).terms, [terms(passage) for passage in passages]).bm25()
        return [
            KnownScores(float(share), float(cosine), ceiling=1.0)
            for share, cosine in zip(shares, cosines, strict=True)
        ]
