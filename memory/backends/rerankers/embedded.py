"""Orders passages by meaning and words together, with the encoder that is already there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memory.backends import registry
from memory.lexical import match
from memory.questions import analyse
from memory.seams import Encoder
from memory.sentences import split_sentences
from memory.terms import terms

# Weights of whole passage, best sentence, and words.
PASSAGE, SENTENCE, WORDS = 0.3, 0.3, 0.4


class EmbeddedReranker:
    """0-1. No floor is known for it: its scale follows the passages it is given."""

    name = "embedded"
    floor: float | None = None

    def __init__(self, encoder: Encoder | None = None) -> None:
        self._encoder = encoder

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        if not passages:
            return []
        encoder = self._encoder or registry.encoder()
        spans = [split_sentences(passage) for passage in passages]
        sentences = [p[a:b] for p, cut in zip(passages, spans, strict=True) for a, b in cut]
        of = np.array([i for i, cut in enumerate(spans) for _ in cut], int)
        vectors = encoder.encode_passages([*passages, *sentences])
        cosines = vectors @ encoder.encode_queries([query])[0]
        whole, single = cosines[: len(passages)], cosines[len(passages) :]
        best = whole.copy()
        if len(of):
            np.maximum.at(best, of, single)
        words = match(analyse(query).terms, [terms(passage) for passage in passages]).bm25()
        mixed = PASSAGE * whole + SENTENCE * best + WORDS * words
        return np.clip(mixed, 0.0, 1.0).astype(float).tolist()
