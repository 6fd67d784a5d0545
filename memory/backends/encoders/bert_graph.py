"""A BERT encoder as an ONNX graph with int8 arithmetic.

Published small encoders come with int8 or 4-bit *storage* and float arithmetic. The same weights
run about twice as fast, and in a quarter of the memory, when activations are quantised on the fly
and the products stay integer: that is what this graph does, with onnxruntime's fused operators.

    words -> + positions, norm -> [ attention -> +norm -> dense, gelu, dense -> +norm ] x layers -> hidden
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from memory.backends.encoders.onnx_wire import MICROSOFT, Node, Port, write_model

INT8, FLOAT, INT32, INT64 = (np.dtype(name) for name in ("i1", "<f4", "<i4", "<i8"))


@dataclass(frozen=True, slots=True)
class Quantised:
    """``values * scale`` is the matrix, (in, out): int8 with one float32 scale per column."""

    values: np.ndarray
    scale: np.ndarray


class Words(Protocol):
    """The word table. It stays outside the graph, compressed, since few rows are used at a time."""

    def rows(self, ids: np.ndarray) -> np.ndarray:
        """float32 vectors, shape of ``ids`` plus one dimension."""


@dataclass(frozen=True, slots=True)
class Dense:
    weight: Quantised | np.ndarray  # (in, out); an array is multiplied in float
    bias: np.ndarray


@dataclass(frozen=True, slots=True)
class Norm:
    gamma: np.ndarray
    beta: np.ndarray


@dataclass(frozen=True, slots=True)
class Layer:
    query: Dense
    key: Dense
    value: Dense
    attention_output: Dense
    attention_norm: Norm
    intermediate: Dense
    output: Dense
    output_norm: Norm


@dataclass(frozen=True, slots=True)
class Bert:
    words: Words
    positions: np.ndarray  # (window, hidden)
    segment: np.ndarray  # (hidden,), the only token type that is used
    norm: Norm
    layers: Sequence[Layer]
    heads: int
    epsilon: float = 1e-12


def quantise_columns(weight: np.ndarray) -> Quantised:
    """Symmetric int8 with one scale per column."""
    scale = np.maximum(np.abs(weight).max(axis=0), 1e-12).astype(np.float32) / 127
    return Quantised(np.rint(weight / scale).astype(np.int8), scale)


class _Builder:
    """Collects nodes and tensors under unique names."""

    def __init__(self, bert: Bert) -> None:
        self.bert = bert
        self.nodes: list[Node] = []
        self.tensors: dict[str, np.ndarray] = {}

    def tensor(self, name: str, array: np.ndarray, dtype: np.dtype = FLOAT) -> str:
        self.tensors[name] = np.ascontiguousarray(array, dtype)
        return name

    def add(
        self,
        op: str,
        inputs: Sequence[str],
        *outputs: str,
        domain: str = "",
        **attributes: int | float,
    ) -> str:
        self.nodes.append(Node(op, inputs, outputs, attributes, domain))
        return outputs[0]

    def embeddings(self) -> str:
        bert = self.bert
        self.tensor("positions", bert.positions + bert.segment)
        self.tensor("zero", np.zeros(1), INT64)
        self.add("Shape", ["words"], "length", start=1, end=2)
        self.add("Slice", ["positions", "zero", "length", "zero"], "positions.used")
        self.add("Add", ["words", "positions.used"], "embedded")
        return self.norm("embedded", "", bert.norm, "embeddings.norm")

    def norm(self, x: str, skip: str, norm: Norm, name: str) -> str:
        gamma = self.tensor(f"{name}.gamma", norm.gamma)
        beta = self.tensor(f"{name}.beta", norm.beta)
        if not skip:
            return self.add(
                "LayerNormalization",
                [x, gamma, beta],
                name,
                axis=-1,
                epsilon=float(self.bert.epsilon),
            )
        return self.add(
            "SkipLayerNormalization",
            [x, skip, gamma, beta],
            name,
            domain=MICROSOFT,
            epsilon=float(self.bert.epsilon),
        )

    def dense(self, x: str, dense: Dense, name: str) -> str:
        if isinstance(dense.weight, np.ndarray):
            exact = self.tensor(f"{name}.weight", dense.weight)
            self.add("MatMul", [x, exact], f"{name}.product")
            return self.add(
                "Add", [f"{name}.product", self.tensor(f"{name}.bias", dense.bias)], name
            )
        weight = self.tensor(f"{name}.weight", dense.weight.values, INT8)
        scale = self.tensor(f"{name}.scale", dense.weight.scale.reshape(-1))
        bias = self.tensor(f"{name}.bias", dense.bias)
        return self.add(
            "DynamicQuantizeMatMul", [x, weight, scale, "", bias], name, domain=MICROSOFT
        )

    def attention(self, x: str, layer: Layer, name: str) -> str:
        parts = (layer.query, layer.key, layer.value)
        weights = [part.weight for part in parts if isinstance(part.weight, Quantised)]
        values = np.concatenate([weight.values for weight in weights], axis=1)
        weight = self.tensor(f"{name}.weight", values, INT8)
        scale = self.tensor(
            f"{name}.scale", np.concatenate([weight.scale.reshape(-1) for weight in weights])
        )
        bias = self.tensor(f"{name}.bias", np.concatenate([p.bias for p in parts]))
        self.add("DynamicQuantizeLinear", [x], f"{name}.q", f"{name}.qs", f"{name}.qz")
        return self.add(
            "QAttention",
            [f"{name}.q", weight, bias, f"{name}.qs", scale, "lengths", f"{name}.qz"],
            name,
            domain=MICROSOFT,
            num_heads=self.bert.heads,
        )

    def layer(self, x: str, layer: Layer, name: str) -> str:
        attention = self.attention(x, layer, f"{name}.attention")
        attention = self.dense(attention, layer.attention_output, f"{name}.attention.output")
        x = self.norm(attention, x, layer.attention_norm, f"{name}.attention.norm")
        inner = self.dense(x, layer.intermediate, f"{name}.intermediate")
        inner = self.add("Gelu", [inner], f"{name}.gelu", domain=MICROSOFT)
        inner = self.dense(inner, layer.output, f"{name}.output")
        return self.norm(inner, x, layer.output_norm, f"{name}.norm")


def build(bert: Bert) -> bytes:
    """A model from ``words`` (batch, length, hidden) and ``lengths`` (batch) int32 to ``hidden``."""
    builder = _Builder(bert)
    x = builder.embeddings()
    for index, layer in enumerate(bert.layers):
        x = builder.layer(x, layer, f"layer{index}")
    builder.add("Identity", [x], "hidden")
    hidden = bert.positions.shape[1]
    return write_model(
        builder.nodes,
        tensors=builder.tensors,
        inputs=[
            Port("words", FLOAT, ("batch", "length", hidden)),
            Port("lengths", INT32, ("batch",)),
        ],
        outputs=[Port("hidden", FLOAT, ("batch", "length", hidden))],
    )
