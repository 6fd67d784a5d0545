"""Rerankers: the embedded one, a cross-encoder in a folder, a service; each on one 0-1 scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from django.core.checks import run_checks
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from memory.backends import completions, registry
from memory.backends.encoders.fake import FakeEncoder
from memory.backends.encoders.onnx_wire import Node, Port, write_model
from memory.backends.rerankers import scores
from memory.backends.rerankers.cross_encoder import CrossEncoder
from memory.backends.rerankers.embedded import EmbeddedReranker
from memory.backends.rerankers.fake import FakeReranker
from memory.backends.rerankers.hosted import HostedReranker
from memory.errors import RerankerFailed
from memory.seams import KnownScores, Reranker

FLOAT, INT64 = np.dtype("<f4"), np.dtype("<i8")
WORDS = {"[UNK]": 0, "[PAD]": 1, "overtime": 2, "is": 3, "paid": 4}
WEIGHTS = [-0.5, 0.0, 3.0, 0.0, 1.0]


def tiny_model(weights: Sequence[float], *, outputs: int = 1) -> bytes:
    """Adds up a weight for every token of a pair."""
    table = np.tile(np.array(weights, FLOAT)[:, None], (1, outputs))
    return write_model(
        [
            Node("Gather", ["table", "input_ids"], ["found"], {}),
            Node("Cast", ["attention_mask"], ["mask"], {"to": 1}),
            Node("Unsqueeze", ["mask", "last"], ["wide"], {}),
            Node("Mul", ["found", "wide"], ["kept"], {}),
            Node("ReduceSum", ["kept", "tokens"], ["logits"], {"keepdims": 0}),
        ],
        tensors={
            "table": table,
            "last": np.array([2], INT64),
            "tokens": np.array([1], INT64),
        },
        inputs=[
            Port("input_ids", INT64, ("batch", "length")),
            Port("attention_mask", INT64, ("batch", "length")),
        ],
        outputs=[Port("logits", FLOAT, ("batch", outputs))],
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "tiny-cross-encoder"
    made.mkdir()
    (made / "model.onnx").write_bytes(tiny_model(WEIGHTS))
    tokenizer = Tokenizer(WordLevel(WORDS, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(made / "tokenizer.json"))
    return made


def logistic(value: float) -> float:
    return float(1 / (1 + np.exp(-value)))


# -- embedded -------------------------------------------------------------------------------------


@pytest.mark.parametrize("reranker", [EmbeddedReranker(FakeEncoder()), FakeReranker()])
def test_every_reranker_is_one_and_scores_every_passage_from_0_to_1(reranker: Reranker) -> None:
    assert isinstance(reranker, Reranker)
    found = reranker.score("overtime", ["Overtime is paid.", "", "Tea at four."])
    assert len(found) == 3
    assert all(0.0 <= one <= 1.0 for one in found)


def test_the_passage_that_holds_the_words_comes_first() -> None:
    found = EmbeddedReranker(FakeEncoder()).score(
        "overtime hours per week",
        ["Invoices are paid on Tuesdays.", "Overtime shall not exceed 12 hours per week.", ""],
    )
    assert int(np.argmax(found)) == 1


def test_nothing_is_encoded_where_the_scores_are_known() -> None:
    encoder = FakeEncoder()
    encoder.encode_passages = encoder.encode_queries = None  # type: ignore[method-assign,assignment]
    known = [KnownScores(4.0, 0.2, 8.0), KnownScores(None, None, 8.0)]
    first, second = EmbeddedReranker(encoder).score("q", ["a", "b"], known=known)
    assert first > second


def test_for_an_encoder_that_nothing_was_learnt_about_there_is_no_floor() -> None:
    assert EmbeddedReranker(FakeEncoder()).floor is None


@pytest.mark.models
def test_fc_46_the_default_reranker_has_a_floor_of_its_own() -> None:
    from memory.backends.encoders.e5 import E5

    floor = EmbeddedReranker(E5()).floor
    assert floor is not None
    assert 0.0 < floor < 0.5


# -- a cross-encoder in a folder ------------------------------------------------------------------


def test_a_cross_encoder_gives_the_logistic_of_its_raw_scores(folder: Path) -> None:
    found = CrossEncoder(folder).score("paid", ["overtime is paid", "tea", "paid paid"])
    assert found == pytest.approx([logistic(5.0), logistic(0.5), logistic(3.0)])


def test_a_cross_encoder_scores_many_passages_in_their_order(folder: Path) -> None:
    passages = ["paid " * (1 + place % 7) for place in range(40)]
    found = CrossEncoder(folder).score("is", passages)
    assert found == pytest.approx([logistic(1.0 + place % 7) for place in range(40)])


def test_a_cross_encoder_is_known_by_its_folder_and_has_the_floor_that_was_set(
    folder: Path, settings: Any
) -> None:
    settings.FOOTNOTE = settings.FOOTNOTE | {
        "RERANKER": "memory.backends.rerankers.cross_encoder.CrossEncoder",
        "RERANKER_MODEL": str(folder),
        "RERANKER_FLOOR": 0.3,
    }
    reranker = registry.reranker()
    assert (reranker.name, reranker.floor) == ("tiny-cross-encoder", 0.3)


def test_a_model_that_gives_no_number_has_failed(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(tiny_model([float("nan")] * len(WORDS)))
    with pytest.raises(RerankerFailed, match="no number"):
        CrossEncoder(folder).score("paid", ["overtime"])


def test_a_model_that_gives_two_numbers_for_a_pair_has_failed(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(tiny_model(WEIGHTS, outputs=2))
    with pytest.raises(RerankerFailed, match="for 1 pairs"):
        CrossEncoder(folder).score("paid", ["overtime"])


def test_a_folder_without_a_model_has_failed(folder: Path) -> None:
    (folder / "model.onnx").unlink()
    with pytest.raises(RerankerFailed, match=r"no model\.onnx"):
        CrossEncoder(folder).score("paid", ["overtime"])


# -- a service ------------------------------------------------------------------------------------


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], list[dict[str, Any]]]:
    """Answers with what it is given, and keeps what it was asked."""

    def answering(reply: Any) -> list[dict[str, Any]]:
        asked: list[dict[str, Any]] = []

        def rerank(**arguments: Any) -> Any:
            asked.append(arguments)
            if isinstance(reply, Exception):
                raise reply
            return SimpleNamespace(results=reply(arguments["documents"]))

        litellm = SimpleNamespace(rerank=rerank)
        monkeypatch.setattr(
            "memory.backends.rerankers.hosted.litellm_module", lambda: litellm, raising=True
        )
        return asked

    assert callable(completions.litellm_module)
    return answering


def ranked(*pairs: tuple[int, float]) -> Callable[[Any], list[dict[str, Any]]]:
    return lambda documents: [{"index": at, "relevance_score": value} for at, value in pairs]


def test_a_service_that_answers_best_first_is_put_into_the_passages_order(service: Any) -> None:
    asked = service(ranked((2, 0.9), (0, 0.4), (1, 0.1)))
    assert HostedReranker("cohere/rerank").score("q", ["a", "b", "c"]) == [0.4, 0.1, 0.9]
    assert asked[0]["documents"] == ["a", "b", "c"]
    assert asked[0]["top_n"] == 3


def test_raw_scores_of_a_service_become_probabilities(service: Any) -> None:
    service(ranked((0, 4.0), (1, -4.0)))
    found = HostedReranker("local/rerank").score("q", ["a", "b"])
    assert found == pytest.approx([logistic(4.0), logistic(-4.0)])


def test_a_service_is_asked_in_parts_that_it_accepts(service: Any) -> None:
    asked = service(
        lambda documents: [{"index": at, "relevance_score": 0.5} for at in range(len(documents))]
    )
    assert HostedReranker("local/rerank").score("q", ["a"] * 230) == [0.5] * 230
    assert [len(one["documents"]) for one in asked] == [100, 100, 30]


@pytest.mark.parametrize(
    "reply",
    [ranked((0, 0.5)), ranked((0, 0.5), (0, 0.6)), ranked((0, 0.5), (1, float("nan")))],
    ids=["too few", "one twice", "no number"],
)
def test_a_reply_with_a_hole_has_failed(service: Any, reply: Any) -> None:
    service(reply)
    with pytest.raises(RerankerFailed):
        HostedReranker("local/rerank").score("q", ["a", "b"])


def test_a_service_that_fails_is_asked_once_more_and_quotes_nothing(service: Any) -> None:
    asked = service(RuntimeError("secret passage"))
    with pytest.raises(RerankerFailed) as failed:
        HostedReranker("local/rerank").score("q", ["a"])
    assert len(asked) == 2
    assert "secret" not in str(failed.value)


def test_of_nothing_no_service_is_asked(service: Any) -> None:
    asked = service(RuntimeError())
    assert HostedReranker("local/rerank").score("q", []) == []
    assert asked == []


# -- the scale ------------------------------------------------------------------------------------


def test_scores_from_0_to_1_stay_as_they_are() -> None:
    assert scores.shares([0.0, 0.25, 1.0], expected=3) == [0.0, 0.25, 1.0]


def test_a_very_large_raw_score_stays_a_probability() -> None:
    assert scores.probabilities([1e9, -1e9], expected=2) == [1.0, 0.0]


# -- the check ------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_reranker_without_a_known_floor_is_reported(folder: Path, settings: Any) -> None:
    settings.FOOTNOTE = settings.FOOTNOTE | {
        "RERANKER": "memory.backends.rerankers.cross_encoder.CrossEncoder",
        "RERANKER_MODEL": str(folder),
        "RERANKER_FLOOR": None,
    }
    reported = {one.id: one.msg for one in run_checks(databases=["default"])}
    assert "tiny-cross-encoder" in reported["memory.W002"]


@pytest.mark.django_db
def test_a_reranker_with_a_floor_is_not_reported() -> None:
    assert "memory.W002" not in {one.id for one in run_checks(databases=["default"])}
