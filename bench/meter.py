"""Times the encoder and the database inside other code, without changing it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from django.db import connection

from memory.backends import registry
from memory.seams import Encoder, Recipe


class Meter:
    """Milliseconds spent since the last ``reset``."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.encoder_ms = self.sql_ms = 0.0
        self.texts = self.queries = 0


class _Metered:
    def __init__(self, encoder: Encoder, meter: Meter) -> None:
        self._encoder, self._meter = encoder, meter
        self.recipe: Recipe = encoder.recipe

    def encode_passages(self, texts: Sequence[str]) -> np.ndarray:
        return self._timed(self._encoder.encode_passages, texts)

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        return self._timed(self._encoder.encode_queries, texts)

    def _timed(self, encode: Any, texts: Sequence[str]) -> np.ndarray:
        started = time.perf_counter()
        vectors: np.ndarray = encode(texts)
        self._meter.encoder_ms += (time.perf_counter() - started) * 1000
        self._meter.texts += len(texts)
        return vectors


@contextmanager
def metered() -> Iterator[Meter]:
    """Every encoder call and every statement of this thread is counted inside the block."""
    meter = Meter()
    plain, made = registry.encoder, _Metered(registry.encoder(), meter)

    def timed(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        started = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            meter.sql_ms += (time.perf_counter() - started) * 1000
            meter.queries += 1

    registry.encoder = lambda: made  # type: ignore[assignment]
    try:
        with connection.execute_wrapper(timed):
            yield meter
    finally:
        registry.encoder = plain
