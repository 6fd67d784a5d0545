"""Runs a BERT graph over batches of token ids and pools the result."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

import numpy as np
import onnxruntime as ort

from memory.backends.encoders.bert_graph import Bert, build

# One batch holds at most this many tokens, padding included. Larger batches are not faster on a
# few cores and cost memory in proportion.
BATCH_TOKENS = 1024
MAX_THREADS = 4


class BertSession:
    """Mean-pooled, unit-length vectors of token sequences."""

    def __init__(self, bert: Bert, *, start: int, end: int, window: int) -> None:
        self._words = bert.words
        self._start, self._end = start, end
        self._content = window - 2  # start and end marks take two places
        self.dimensions = int(bert.positions.shape[1])
        options = ort.SessionOptions()
        options.intra_op_num_threads = min(os.cpu_count() or 1, MAX_THREADS)
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # An idle encoder must not burn the cores of its neighbours, nor keep its peak memory.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.enable_cpu_mem_arena = False
        options.enable_mem_pattern = False
        self._session = ort.InferenceSession(
            build(bert), sess_options=options, providers=["CPUExecutionProvider"]
        )

    def encode(self, texts: Sequence[Sequence[int]]) -> np.ndarray:
        """One unit vector per list of content ids, float32 (n, dimensions).

        A text longer than the window is read in windows, and the mean runs over all its tokens.
        """
        windows: list[tuple[int, list[int]]] = []
        for row, ids in enumerate(texts):
            for at in range(0, max(len(ids), 1), self._content):
                windows.append((row, [self._start, *ids[at : at + self._content], self._end]))
        sums = np.zeros((len(texts), self.dimensions), np.float32)
        for batch in _batches(windows):
            hidden, lengths = self._run([ids for _, ids in batch])
            for (row, _), states, length in zip(batch, hidden, lengths, strict=True):
                sums[row] += states[:length].sum(axis=0)
        norms = np.linalg.norm(sums, axis=1, keepdims=True)
        return sums / np.maximum(norms, 1e-12)

    def _run(self, batch: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
        lengths = np.array([len(ids) for ids in batch], np.int32)
        padded = np.full((len(batch), int(lengths.max())), self._end, np.int64)
        for row, ids in zip(padded, batch, strict=True):
            row[: len(ids)] = ids
        words = self._words.rows(padded)
        (hidden,) = self._session.run(["hidden"], {"words": words, "lengths": lengths})
        return hidden, lengths


def _batches(
    windows: Sequence[tuple[int, list[int]]],
) -> Iterator[list[tuple[int, list[int]]]]:
    """Windows of like length together, so that little is spent on padding."""
    batch: list[tuple[int, list[int]]] = []
    for window in sorted(windows, key=lambda item: len(item[1])):
        if batch and len(window[1]) * (len(batch) + 1) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(window)
    if batch:
        yield batch
