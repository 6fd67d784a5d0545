"""Vectors of sentences, made at most once per tenant, recipe and content. Pure but for its cache."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Protocol

import numpy as np

from memory.errors import VectorsInvalid
from memory.seams import Encoder


class VectorCache(Protocol):
    """A store of bytes that may forget at any time. Keys are ASCII, below 250 characters."""

    def get_many(self, keys: Sequence[str]) -> Mapping[str, bytes]: ...

    def set_many(self, values: Mapping[str, bytes]) -> None: ...


def encode_sentences(
    encoder: Encoder, texts: Sequence[str], *, scope: str = "", cache: VectorCache | None = None
) -> np.ndarray:
    """float32 (n, dimensions), unit rows. ``scope`` is the tenant: nothing is shared across it."""
    if not texts:
        return np.zeros((0, encoder.recipe.dimensions), np.float32)
    keys = [_key(scope, encoder.recipe.name, text) for text in texts]
    known = dict(cache.get_many(list(dict.fromkeys(keys)))) if cache is not None else {}
    size = encoder.recipe.dimensions * 2
    known = {key: value for key, value in known.items() if len(value) == size}
    missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    if missing:
        vectors = check_vectors(
            encoder.encode_passages(list(missing.values())), len(missing), encoder
        )
        fresh = {
            key: vector.astype("<f2").tobytes()
            for key, vector in zip(missing, vectors, strict=True)
        }
        known |= fresh
        if cache is not None:
            cache.set_many(fresh)
    # Always read back from half precision, so that a warm cache and a cold one answer alike.
    rows = np.stack([np.frombuffer(known[key], "<f2") for key in keys]).astype(np.float32)
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


def check_vectors(vectors: np.ndarray, count: int, encoder: Encoder) -> np.ndarray:
    """The same array. Raises ``VectorsInvalid`` unless all rows are finite and of unit length."""
    shape = (count, encoder.recipe.dimensions)
    if vectors.shape != shape:
        raise VectorsInvalid(f"{encoder.recipe.name}: shape {vectors.shape}, not {shape}")
    if not np.isfinite(vectors).all():
        raise VectorsInvalid(f"{encoder.recipe.name}: a vector is not finite")
    if not np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-3):
        raise VectorsInvalid(f"{encoder.recipe.name}: a vector is not of unit length")
    return vectors


def _key(scope: str, recipe: str, text: str) -> str:
    digest = sha256(f"{recipe}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"sentence:{scope}:{digest}"
