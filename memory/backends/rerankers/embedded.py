"""Orders passages by meaning and words together, with the encoder that is already there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memory.backends import registry
from memory.language.terms import terms
from memory.lexical import match
from memory.questions import analyse
from memory.seams import Encoder, KnownScores

# Weights of meaning and of words, each as a share of what lies between the worst passage and the best:
# the cosines of one encoder spread over half of their range, those of another over a tenth.
MEANING, WORDS = 0.4, 0.6


class EmbeddedReranker:
    """0-1. No floor is known for it: its scale follows the passages it is given."""

    name = "embedded"
    floor: float | None = None

    def __init__(self, encoder: Encoder | None = None) -> None:
        self._encoder = encoder

    def score(
        self, query: str, passages: Sequence[str], *, known: Sequence[KnownScores] = ()
    ) -> list[float]:
        """Nothing is encoded or analysed again where recall knows the scores."""
        if not passages:
            return []
        cosines, words = _known(known) if known else self._read(query, passages)
        mixed = MEANING * _share(cosines, low=float(cosines.min())) + WORDS * _share(words)
        return np.clip(mixed, 0.0, 1.0).astype(float).tolist()

    def _read(self, query: str, passages: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        encoder = self._encoder or registry.encoder()
        cosines = encoder.encode_passages(passages) @ encoder.encode_queries([query])[0]
        words = match(analyse(query).terms, [terms(passage) for passage in passages]).bm25()
        return cosines, words


def _known(known: Sequence[KnownScores]) -> tuple[np.ndarray, np.ndarray]:
    cosines = [one.semantic for one in known if one.semantic is not None]
    lowest = min(cosines, default=0.0)
    return (
        np.array([lowest if one.semantic is None else one.semantic for one in known]),
        np.array([one.keyword or 0.0 for one in known]),
    )


def _share(values: np.ndarray, *, low: float = 0.0) -> np.ndarray:
    return (values - low) / max(float(values.max()) - low, 1e-6)
