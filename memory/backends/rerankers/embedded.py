"""Orders passages by meaning and words together, with the encoder that is already there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memory.backends import registry
from memory.lexical import match
from memory.questions import analyse
from memory.seams import Encoder
from memory.terms import terms

# Weights of meaning and of words.
MEANING, WORDS = 0.6, 0.4


class EmbeddedReranker:
    """0-1. No floor is known for it: its scale follows the passages it is given."""

    name = "embedded"
    floor: float | None = None

    def __init__(self, encoder: Encoder | None = None) -> None:
        self._encoder = encoder

    def score(
        self, query: str, passages: Sequence[str], *, semantic: Sequence[float | None] | None = None
    ) -> list[float]:
        """A passage whose cosine is not known is ordered by its words; without any, all are encoded."""
        if not passages:
            return []
        words = match(analyse(query).terms, [terms(passage) for passage in passages]).bm25()
        cosines = self._encoded(query, passages) if semantic is None else _known(semantic)
        return np.clip(MEANING * cosines + WORDS * words, 0.0, 1.0).astype(float).tolist()

    def _encoded(self, query: str, passages: Sequence[str]) -> np.ndarray:
        encoder = self._encoder or registry.encoder()
        vectors = encoder.encode_passages(passages)
        return np.asarray(vectors @ encoder.encode_queries([query])[0])


def _known(semantic: Sequence[float | None]) -> np.ndarray:
    return np.array([0.0 if cosine is None else cosine for cosine in semantic])
