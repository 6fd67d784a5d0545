from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from memory import answer_features, features
from memory.backends.encoders.fake import FakeEncoder
from memory.backends.generators.fake import FakeGenerator
from memory.backends.judges.embedded import EmbeddedJudge
from memory.backends.judges.fake import FakeJudge
from memory.backends.rerankers.embedded import EmbeddedReranker
from memory.backends.rerankers.fake import FakeReranker
from memory.errors import GeneratorFailed
from memory.net import LEXICAL, WEIGHTS, load
from memory.reading import read
from memory.seams import Generator, Judge, KnownScores, Reranker
from memory.types import Draft


@pytest.mark.parametrize("judge", [EmbeddedJudge(), FakeJudge()])
def test_judges_follow_the_seam(judge: object) -> None:
    assert isinstance(judge, Judge)


@pytest.mark.parametrize("reranker", [EmbeddedReranker(FakeEncoder()), FakeReranker()])
def test_rerankers_follow_the_seam(reranker: object) -> None:
    assert isinstance(reranker, Reranker)


def test_fake_generator_follows_the_seam() -> None:
    assert isinstance(FakeGenerator(), Generator)


# -- says ---------------------------------------------------------------------------------------


def test_words_that_stand_in_the_quote_are_said() -> None:
    judge = EmbeddedJudge()
    assert judge.says("Overtime is paid.", ["x. Overtime  is\npaid. y"]) == 1.0


def test_claim_of_other_words_is_not_said() -> None:
    assert EmbeddedJudge().says("Badges are blue.", ["Invoices come on Tuesdays."]) == 0.0


def test_paraphrase_with_most_words_is_partly_said() -> None:
    said = EmbeddedJudge().says(
        "Invoices are paid on Tuesday by finance.", ["Finance pays invoices on Tuesdays."]
    )
    assert said is not None
    assert 0.0 < said < 1.0


def test_claim_without_quotes_is_not_said() -> None:
    assert EmbeddedJudge().says("Anything", []) == 0.0


# -- rerankers ------------------------------------------------------------------------------------


def test_reranker_puts_the_passage_with_the_answer_first() -> None:
    scores = EmbeddedReranker(FakeEncoder()).score(
        "overtime hours per week",
        ["Invoices are paid on Tuesdays.", "Overtime shall not exceed 12 hours per week.", ""],
    )
    assert int(np.argmax(scores)) == 1
    assert all(0.0 <= score <= 1.0 for score in scores)


def test_reranker_of_nothing_gives_nothing() -> None:
    assert EmbeddedReranker(FakeEncoder()).score("q", []) == []


def known(*scores: tuple[float | None, float | None]) -> list[KnownScores]:
    return [KnownScores(keyword, semantic) for keyword, semantic in scores]


def test_reranker_encodes_nothing_when_the_scores_are_known() -> None:
    encoder = FakeEncoder()
    encoder.encode_passages = encoder.encode_queries = None  # type: ignore[method-assign,assignment]
    scores = EmbeddedReranker(encoder).score(
        "q", ["a", "b", "c"], known=known((4.0, 0.2), (2.0, 0.8), (None, None))
    )
    assert scores == pytest.approx([0.6, 0.7, 0.0])


def test_reranker_weighs_cosines_of_any_range_alike() -> None:
    wide, narrow = (
        EmbeddedReranker(FakeEncoder()).score(
            "q", ["a", "b", "c"], known=known(*zip((3.0, None, 1.0), cosines, strict=True))
        )
        for cosines in ((0.0, 0.8, 0.4), (0.8, 0.88, 0.84))
    )
    assert wide == pytest.approx(narrow)
    assert wide == pytest.approx([0.6, 0.4, 0.4])


def test_fake_reranker_scores_the_share_of_words() -> None:
    assert FakeReranker().score("paid leave", ["paid leave", "paid", "x"]) == [1.0, 0.5, 0.0]


# -- fakes ----------------------------------------------------------------------------------------


def test_fake_generator_returns_raises_or_calls_its_reply() -> None:
    reading = read("q", (), None)
    assert FakeGenerator(Draft(confidence=0.5)).draft("q", (), reading).confidence == 0.5
    with pytest.raises(GeneratorFailed):
        FakeGenerator(GeneratorFailed("down")).draft("q", (), reading)
    called = FakeGenerator(lambda question, passages, reading: Draft(missing=(question,)))
    assert called.draft("q", (), reading).missing == ("q",)
    assert called.asked == ["q"]


def test_fake_judge_gives_what_it_was_given() -> None:
    reading = read("q", (), None)
    assert FakeJudge(answers=0.2, says=None).answers("q", "a", [], reading) == 0.2
    assert FakeJudge(says=None).says("c", []) is None
    with pytest.raises(RuntimeError):
        FakeJudge(answers=RuntimeError()).answers("q", "a", [], reading)


# -- weights --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "names"), [("reader.json", features.NAMES), ("judge.json", answer_features.NAMES)]
)
def test_weights_are_finite_fit_the_features_and_say_where_they_come_from(
    name: str, names: tuple[str, ...]
) -> None:
    nets = load(WEIGHTS / name, features=names)
    assert LEXICAL in nets
    for net in nets.values():
        assert np.isfinite(net.of_columns(np.zeros((1, len(net.features))))).all()
    assert json.loads((WEIGHTS / name).read_text())["provenance"]


def test_weights_of_other_features_are_refused(tmp_path: Path) -> None:
    stored = {"features": ["gone"], "mean": [0], "scale": [1], "layers": [[[[1]], [0]]]}
    path = tmp_path / "net.json"
    path.write_text(json.dumps({"nets": {"lexical": stored}}))
    with pytest.raises(ValueError, match="gone"):
        load(path, features=("other",))
