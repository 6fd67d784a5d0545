"""A deterministic encoder without a model: hashed words, so that shared words mean nearness."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np

from memory.language.terms import terms
from memory.seams import Recipe


class FakeEncoder:
    """The same vector for the same words in any order. A text without words points at the first axis."""

    def __init__(self, dimensions: int = 64) -> None:
        self.recipe = Recipe(name=f"fake-bag-of-words/{dimensions}", dimensions=dimensions)

    def encode_passages(self, texts: Sequence[str]) -> np.ndarray:
        rows = np.zeros((len(texts), self.recipe.dimensions), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for term in terms(text):
                code = crc32(term.stem.encode("utf-8", "surrogatepass"))
                row[code % self.recipe.dimensions] += 1.0 if code & 0x10000 else -1.0
            if not row.any():
                row[0] = 1.0
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        return self.encode_passages(texts)
