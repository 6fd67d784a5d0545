"""The few messages of the ONNX file format that the encoders need, read and written directly.

An ONNX file is a protobuf message. Reading the weights of a published file and writing a small
graph takes six message types, which is less code than the ``onnx`` package is megabytes; the
weights are passed on as bytes and never copied more than once.
Field numbers are those of ``onnx.proto`` (IR version 8).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

IR_VERSION = 8
OPSET = 17
MICROSOFT = "com.microsoft"

_DTYPES: dict[int, np.dtype] = {
    1: np.dtype("<f4"),
    2: np.dtype("u1"),
    3: np.dtype("i1"),
    6: np.dtype("<i4"),
    7: np.dtype("<i8"),
}
_CODES = {dtype: code for code, dtype in _DTYPES.items()}


@dataclass(frozen=True, slots=True)
class Node:
    """One operation. ``domain`` is empty for the standard operators."""

    op: str
    inputs: Sequence[str]
    outputs: Sequence[str]
    attributes: dict[str, int | float]
    domain: str = ""


@dataclass(frozen=True, slots=True)
class Port:
    """A named input or output of a graph; a string dimension is free."""

    name: str
    dtype: np.dtype
    shape: Sequence[int | str]


def read_graph(path: Path) -> tuple[dict[str, np.ndarray], list[Node]]:
    """Initializers by name and nodes in file order (without attributes). Arrays are views."""
    model = memoryview(path.read_bytes())
    graph = next(value for number, value in _fields(model) if number == 7)
    tensors: dict[str, np.ndarray] = {}
    nodes: list[Node] = []
    for number, value in _fields(graph):
        if number == 5:
            name, array = _tensor(value)
            tensors[name] = array
        elif number == 1:
            nodes.append(_node(value))
    return tensors, nodes


def write_model(
    nodes: Iterable[Node],
    *,
    tensors: dict[str, np.ndarray],
    inputs: Sequence[Port],
    outputs: Sequence[Port],
) -> bytes:
    """A serialised model, ready for ``onnxruntime.InferenceSession``."""
    graph = [wire_bytes(1, _node_bytes(node)) for node in nodes]
    graph.append(wire_bytes(2, b"encoder"))
    graph += [wire_bytes(5, _tensor_bytes(name, array)) for name, array in tensors.items()]
    graph += [wire_bytes(11, _port_bytes(port)) for port in inputs]
    graph += [wire_bytes(12, _port_bytes(port)) for port in outputs]
    opsets = [wire_number(2, OPSET), wire_bytes(1, MICROSOFT.encode()) + wire_number(2, 1)]
    return b"".join(
        [
            wire_number(1, IR_VERSION),
            wire_bytes(7, b"".join(graph)),
            *(wire_bytes(8, opset) for opset in opsets),
        ]
    )


# -- reading ---------------------------------------------------------------------------------


def _fields(data: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Field numbers and payloads; a varint's payload is its eight bytes."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = _varint(data, at)
            yield key >> 3, memoryview(value.to_bytes(8, "little"))
        elif kind == 2:
            size, at = _varint(data, at)
            yield key >> 3, data[at : at + size]
            at += size
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
            yield key >> 3, data[at : at + size]
            at += size
        else:
            raise ValueError(f"not an ONNX file: wire type {kind}")


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, at
        shift += 7


def _tensor(data: memoryview) -> tuple[str, np.ndarray]:
    dims: list[int] = []
    name, code, raw = "", 0, memoryview(b"")
    for number, value in _fields(data):
        if number == 1:
            # Repeated numbers may be packed (one payload) or not (eight bytes each).
            dims += [int.from_bytes(value, "little")] if len(value) == 8 else _packed(value)
        elif number == 2:
            code = int.from_bytes(value, "little")
        elif number == 8:
            name = bytes(value).decode()
        elif number == 9:
            raw = value
    if code not in _DTYPES or not raw:
        return name, np.zeros(0, np.float32)
    return name, np.frombuffer(raw, _DTYPES[code]).reshape(dims)


def _packed(data: memoryview) -> list[int]:
    values, at = [], 0
    while at < len(data):
        value, at = _varint(data, at)
        values.append(value)
    return values


def _node(data: memoryview) -> Node:
    inputs: list[str] = []
    outputs: list[str] = []
    op = ""
    for number, value in _fields(data):
        if number == 1:
            inputs.append(bytes(value).decode())
        elif number == 2:
            outputs.append(bytes(value).decode())
        elif number == 4:
            op = bytes(value).decode()
    return Node(op, inputs, outputs, {})


# -- writing ---------------------------------------------------------------------------------


def _write_varint(value: int) -> bytes:
    value &= 0xFFFFFFFFFFFFFFFF
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def wire_float(field: int, raw: bytes) -> bytes:
    """A float given as its four little-endian bytes."""
    return _write_varint(field << 3 | 5) + raw


def wire_number(field: int, value: int) -> bytes:
    return _write_varint(field << 3) + _write_varint(value)


def wire_bytes(field: int, value: bytes) -> bytes:
    return _write_varint(field << 3 | 2) + _write_varint(len(value)) + value


def _tensor_bytes(name: str, array: np.ndarray) -> bytes:
    dims = b"".join(wire_number(1, size) for size in array.shape)
    raw = np.ascontiguousarray(array).tobytes()
    return (
        dims
        + wire_number(2, _CODES[array.dtype])
        + wire_bytes(8, name.encode())
        + wire_bytes(9, raw)
    )


def _node_bytes(node: Node) -> bytes:
    parts = [wire_bytes(1, name.encode()) for name in node.inputs]
    parts += [wire_bytes(2, name.encode()) for name in node.outputs]
    parts.append(wire_bytes(4, node.op.encode()))
    for name, value in node.attributes.items():
        if isinstance(value, float):
            body = wire_float(2, np.float32(value).tobytes()) + wire_number(20, 1)
        else:
            body = wire_number(3, value) + wire_number(20, 2)
        parts.append(wire_bytes(5, wire_bytes(1, name.encode()) + body))
    if node.domain:
        parts.append(wire_bytes(7, node.domain.encode()))
    return b"".join(parts)


def _port_bytes(port: Port) -> bytes:
    dims = b"".join(
        wire_bytes(
            1, wire_bytes(2, size.encode()) if isinstance(size, str) else wire_number(1, size)
        )
        for size in port.shape
    )
    tensor = wire_number(1, _CODES[port.dtype]) + wire_bytes(2, dims)
    return wire_bytes(1, port.name.encode()) + wire_bytes(2, wire_bytes(1, tensor))
