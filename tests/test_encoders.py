from __future__ import annotations

import numpy as np
import pytest

from memory.backends.encoders.bert_graph import (
    Bert,
    Dense,
    Layer,
    Norm,
    build,
    quantise_columns,
)
from memory.backends.encoders.bert_session import BertSession
from memory.backends.encoders.e5 import E5
from memory.backends.encoders.fake import FakeEncoder
from memory.backends.encoders.minilm import MiniLM
from memory.reading.sentence_vectors import check_vectors
from memory.seams import Encoder

# -- the fake ---------------------------------------------------------------------------------


def test_fake_encoder_is_deterministic_and_near_for_shared_words() -> None:
    encoder = FakeEncoder()
    rows = encoder.encode_passages(["overtime hours", "hours overtime", "invoice", ""])
    check_vectors(rows, 4, encoder)
    assert rows[0] @ rows[1] == pytest.approx(1.0)
    assert rows[0] @ rows[2] < 0.5


def test_fake_encoder_is_an_encoder() -> None:
    assert isinstance(FakeEncoder(), Encoder)


# -- the graph ----------------------------------------------------------------------------------

HIDDEN, HEADS, INNER, WINDOW = 16, 2, 32, 12


class Table:
    def __init__(self, rows: np.ndarray) -> None:
        self._rows = rows

    def rows(self, ids: np.ndarray) -> np.ndarray:
        return self._rows[ids]


def tiny_bert(seed: int = 0) -> tuple[Bert, dict[str, np.ndarray]]:
    """A random two-layer model, and its float matrices by name for the reference below."""
    random = np.random.default_rng(seed)
    matrices: dict[str, np.ndarray] = {}

    def dense(name: str, inputs: int, outputs: int) -> Dense:
        weight = random.normal(0, 0.3, (inputs, outputs)).astype(np.float32)
        bias = random.normal(0, 0.1, outputs).astype(np.float32)
        quantised = quantise_columns(weight)
        matrices[f"{name}.w"] = quantised.values * quantised.scale
        matrices[f"{name}.b"] = bias
        return Dense(quantised, bias)

    def norm(name: str) -> Norm:
        gamma = random.normal(1, 0.1, HIDDEN).astype(np.float32)
        beta = random.normal(0, 0.1, HIDDEN).astype(np.float32)
        matrices[f"{name}.g"], matrices[f"{name}.b"] = gamma, beta
        return Norm(gamma, beta)

    layers = [
        Layer(
            query=dense(f"{i}.q", HIDDEN, HIDDEN),
            key=dense(f"{i}.k", HIDDEN, HIDDEN),
            value=dense(f"{i}.v", HIDDEN, HIDDEN),
            attention_output=dense(f"{i}.o", HIDDEN, HIDDEN),
            attention_norm=norm(f"{i}.an"),
            intermediate=dense(f"{i}.i", HIDDEN, INNER),
            output=dense(f"{i}.f", INNER, HIDDEN),
            output_norm=norm(f"{i}.on"),
        )
        for i in range(2)
    ]
    words = random.normal(0, 1, (20, HIDDEN)).astype(np.float32)
    positions = random.normal(0, 0.1, (WINDOW, HIDDEN)).astype(np.float32)
    segment = random.normal(0, 0.1, HIDDEN).astype(np.float32)
    matrices |= {"words": words, "positions": positions + segment}
    bert = Bert(Table(words), positions, segment, norm("e"), layers, HEADS)
    return bert, matrices


def in_floats(m: dict[str, np.ndarray], ids: list[int]) -> np.ndarray:
    """The same model written out, in float arithmetic."""

    def norm(x: np.ndarray, name: str) -> np.ndarray:
        centred = x - x.mean(axis=-1, keepdims=True)
        return (
            centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12) * m[f"{name}.g"]
            + m[f"{name}.b"]
        )

    def dense(x: np.ndarray, name: str) -> np.ndarray:
        return x @ m[f"{name}.w"] + m[f"{name}.b"]

    x = norm(m["words"][ids] + m["positions"][: len(ids)], "e")
    size = HIDDEN // HEADS
    for i in range(2):
        q, k, v = (
            dense(x, f"{i}.{part}").reshape(len(ids), HEADS, size).transpose(1, 0, 2)
            for part in "qkv"
        )
        weights = np.exp(q @ k.transpose(0, 2, 1) / np.sqrt(size))
        weights /= weights.sum(axis=-1, keepdims=True)
        mixed = (weights @ v).transpose(1, 0, 2).reshape(len(ids), HIDDEN)
        x = norm(dense(mixed, f"{i}.o") + x, f"{i}.an")
        inner = dense(x, f"{i}.i")
        erf = np.vectorize(__import__("math").erf)
        inner = inner * 0.5 * (1 + erf(inner / np.sqrt(2)))
        x = norm(dense(inner, f"{i}.f") + x, f"{i}.on")
    mean = x.mean(axis=0)
    return mean / np.linalg.norm(mean)


def test_int8_graph_follows_the_model_in_floats() -> None:
    bert, matrices = tiny_bert()
    session = BertSession(bert, start=0, end=1, window=WINDOW)
    rows = session.encode([[5, 6, 7, 8], [9]])
    assert rows[0] @ in_floats(matrices, [0, 5, 6, 7, 8, 1]) > 0.995
    assert rows[1] @ in_floats(matrices, [0, 9, 1]) > 0.995


def test_padding_in_a_batch_changes_no_vector() -> None:
    session = BertSession(tiny_bert()[0], start=0, end=1, window=WINDOW)
    alone = session.encode([[9]])[0]
    beside = session.encode([[9], [5, 6, 7, 8, 9, 10]])[0]
    # One scale per tensor: the neighbours shift the rounding, not the meaning.
    assert alone @ beside > 0.99


def test_text_longer_than_the_window_is_read_to_its_end() -> None:
    session = BertSession(tiny_bert()[0], start=0, end=1, window=WINDOW)
    long = [5] * 30
    assert session.encode([long + [9] * 10])[0] @ session.encode([long])[0] < 0.999


def test_empty_text_has_a_unit_vector() -> None:
    session = BertSession(tiny_bert()[0], start=0, end=1, window=WINDOW)
    assert np.linalg.norm(session.encode([[]])[0]) == pytest.approx(1.0, abs=1e-4)
    assert session.encode([]).shape == (0, HIDDEN)


def test_graph_is_the_same_bytes_every_time() -> None:
    assert build(tiny_bert()[0]) == build(tiny_bert()[0])


# -- the real ones ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def e5() -> E5:
    return E5()


@pytest.fixture(scope="module")
def minilm() -> MiniLM:
    return MiniLM()


@pytest.mark.models
def test_e5_vectors_are_finite_unit_rows_in_every_script(e5: E5) -> None:
    texts = [
        "Overtime",
        "加班",
        "العمل",
        "अतिरिक्त",
        "งาน",
        "🙂",
        "",
        " ",
        "\u200b",
        "a" * 5000,
        "\x00",
    ]
    check_vectors(e5.encode_passages(texts), len(texts), e5)
    check_vectors(e5.encode_queries(texts), len(texts), e5)


@pytest.mark.models
@pytest.mark.parametrize(
    "question",
    [
        "What is the maximum overtime per week?",
        "Wie viele Überstunden sind pro Woche erlaubt?",
        "每周最多可以加班多少小时？",
        "Số giờ làm thêm tối đa mỗi tuần là bao nhiêu?",
        "ما هو الحد الأقصى للعمل الإضافي في الأسبوع؟",
    ],
)
def test_e5_finds_the_english_sentence_for_a_question_in_any_language(
    e5: E5, question: str
) -> None:
    passages = [
        "Overtime shall not exceed 12 hours per week.",
        "Invoices are paid on Tuesdays.",
        "Badges must not be lent to visitors.",
    ]
    scores = e5.encode_passages(passages) @ e5.encode_queries([question])[0]
    assert int(scores.argmax()) == 0


@pytest.mark.models
def test_e5_tells_question_from_passage(e5: E5) -> None:
    assert e5.encode_queries(["overtime"])[0] @ e5.encode_passages(["overtime"])[0] < 0.999


@pytest.mark.models
def test_e5_reads_compatibility_forms_alike(e5: E5) -> None:
    ligature, plain = e5.encode_passages(["\ufb01re o\ufb03ce", "fire office"])
    assert ligature @ plain == pytest.approx(1.0, abs=1e-3)


@pytest.mark.models
def test_minilm_puts_the_answer_before_other_topics(minilm: MiniLM) -> None:
    rows = minilm.encode_passages(
        ["Overtime shall not exceed 12 hours per week.", "Invoices are paid on Tuesdays.", ""]
    )
    check_vectors(rows, 3, minilm)
    scores = rows @ minilm.encode_queries(["maximum overtime per week"])[0]
    assert scores[0] > 0.6 > scores[1] + 0.2


@pytest.mark.models
def test_recipes_of_different_encoders_differ(e5: E5, minilm: MiniLM) -> None:
    assert len({e5.recipe.name, minilm.recipe.name, FakeEncoder().recipe.name}) == 3
    assert isinstance(e5, Encoder)
    assert isinstance(minilm, Encoder)
