"""The query's vector, made before any statement runs: no connection is held while a model thinks."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import numpy as np

from memory import vectors
from memory.backends import registry
from memory.seams import Recipe

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Encoded:
    """``vector`` and ``recipe`` are None where the encoder failed: keywords answer alone."""

    vector: np.ndarray | None
    recipe: Recipe | None

    @classmethod
    def of(cls, vector: np.ndarray | None) -> Encoded:
        """A vector that the encoder that is set made."""
        return cls(vector, None if vector is None else registry.encoder().recipe)

    @property
    def recipe_name(self) -> str:
        return self.recipe.name if self.recipe else ""


def encode(query: str) -> Encoded:
    """Never raises: an encoder that fails costs the meaning, not the answer."""
    try:
        encoder = registry.encoder()
        rows = vectors.checked(encoder.encode_queries([query]), 1, encoder.recipe)
        return Encoded(rows[0], encoder.recipe)
    except Exception:
        logger.exception("encoder_failed")
        return Encoded(None, None)
