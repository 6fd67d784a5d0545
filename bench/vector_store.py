"""Vectors of texts, kept between runs by recipe and content."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
import regex

from memory.seams import Encoder

_BATCH = 64


class VectorStore:
    def __init__(self, folder: Path, encoder: Encoder) -> None:
        self._folder, self._encoder = folder, encoder
        self._name = regex.sub(r"\W+", "-", encoder.recipe.name)
        self._known: dict[str, dict[str, np.ndarray]] = {}

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        return self._of(texts, "passages", self._encoder.encode_passages)

    def queries(self, texts: Sequence[str]) -> np.ndarray:
        return self._of(texts, "queries", self._encoder.encode_queries)

    def _of(
        self, texts: Sequence[str], kind: str, encode: Callable[[Sequence[str]], np.ndarray]
    ) -> np.ndarray:
        """float32 (n, dimensions); what is new is encoded and written down."""
        known = self._read(kind)
        keys = [sha256(text.encode()).hexdigest() for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        ordered = sorted(new, key=lambda key: len(new[key]))
        for at in range(0, len(ordered), _BATCH):
            batch = ordered[at : at + _BATCH]
            vectors = encode([new[key] for key in batch])
            known.update(zip(batch, vectors.astype(np.float32), strict=True))
        if new:
            self._folder.mkdir(parents=True, exist_ok=True)
            np.savez(self._path(kind), keys=np.array(list(known)), rows=np.stack([*known.values()]))
        return np.stack([known[key] for key in keys])

    def _read(self, kind: str) -> dict[str, np.ndarray]:
        if kind not in self._known:
            path, found = self._path(kind), {}
            if path.exists():
                with np.load(path) as stored:
                    found = dict(zip(stored["keys"].tolist(), stored["rows"], strict=True))
            self._known[kind] = found
        return self._known[kind]

    def _path(self, kind: str) -> Path:
        return self._folder / f"{self._name}.{kind}.npz"
