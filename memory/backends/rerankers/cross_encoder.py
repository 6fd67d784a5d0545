"""A cross-encoder from a local folder: it reads the query and a passage together.

The folder holds ``model.onnx`` (or ``onnx/model.onnx``) and ``tokenizer.json``, as sentence-transformers
and Hugging Face publish them. The model's one raw score per pair becomes a probability by the logistic.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from django.conf import settings

from memory.backends.rerankers.scores import probabilities
from memory.errors import RerankerFailed
from memory.seams import KnownScores

_MODELS: Final = ("model.onnx", "onnx/model.onnx")
_WINDOW: Final = 512  # tokens of a pair; the end of a longer passage is not read
_BATCH: Final = 16
_MAX_THREADS: Final = 4
_OF_TOKENIZER: Final = {
    "input_ids": "ids",
    "attention_mask": "attention_mask",
    "token_type_ids": "type_ids",
}


class CrossEncoder:
    """Known by its folder's name. Its floor is the setting's, None where nobody measured one."""

    def __init__(self, folder: Path | None = None, *, floor: float | None = None) -> None:
        named = settings.FOOTNOTE["RERANKER_MODEL"] if folder is None else str(folder)
        self._folder = Path(named)
        self.name = self._folder.name
        self.floor = settings.FOOTNOTE["RERANKER_FLOOR"] if folder is None else floor

    def score(
        self, query: str, passages: Sequence[str], *, known: Sequence[KnownScores] = ()
    ) -> list[float]:
        """Raises ``RerankerFailed``."""
        raw = np.zeros(len(passages))
        # Pairs of like length together, so that little is spent on padding.
        order = sorted(range(len(passages)), key=lambda row: len(passages[row]))
        try:
            for at in range(0, len(order), _BATCH):
                rows = order[at : at + _BATCH]
                raw[rows] = self._read([(query, passages[row]) for row in rows])
        except RerankerFailed:
            raise
        except Exception as error:
            raise RerankerFailed(f"{self.name}: {type(error).__name__}") from error
        return probabilities(raw.tolist(), expected=len(passages))

    def _read(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        encodings = self._tokenizer.encode_batch(list(pairs))
        inputs = {
            port: np.array([getattr(one, _OF_TOKENIZER[port]) for one in encodings], np.int64)
            for port in self._ports
        }
        found = np.asarray(self._session.run(None, inputs)[0], float)
        if found.size != len(pairs):
            raise RerankerFailed(f"{self.name} gives {found.shape} for {len(pairs)} pairs")
        return found.reshape(-1)

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        tokenizer.enable_truncation(_WINDOW, strategy="only_second")
        tokenizer.enable_padding()
        return tokenizer

    @cached_property
    def _session(self) -> Any:
        import onnxruntime as ort

        path = next((p for name in _MODELS if (p := self._folder / name).is_file()), None)
        if path is None:
            raise RerankerFailed(f"There is no model.onnx in {self._folder}.")
        options = ort.SessionOptions()
        options.intra_op_num_threads = min(os.cpu_count() or 1, _MAX_THREADS)
        options.log_severity_level = 3
        # An idle model must not burn the cores of its neighbours.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        return ort.InferenceSession(
            str(path), sess_options=options, providers=["CPUExecutionProvider"]
        )

    @cached_property
    def _ports(self) -> list[str]:
        ports = [port.name for port in self._session.get_inputs()]
        if unknown := set(ports) - set(_OF_TOKENIZER):
            raise RerankerFailed(f"{self.name} wants {', '.join(sorted(unknown))}")
        return ports
