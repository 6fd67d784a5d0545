from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from memory.backends.generators.fake import FakeGenerator
from memory.backends.judges.embedded import EmbeddedJudge
from memory.backends.judges.fake import FakeJudge
from memory.backends.rerankers.fake import FakeReranker
from memory.errors import GeneratorFailed
from memory.reading import answer_features, features
from memory.reading.net import LEXICAL, WEIGHTS, load
from memory.reading.reader import read
from memory.seams import Generator, Judge
from memory.types import Draft


@pytest.mark.parametrize("judge", [EmbeddedJudge(), FakeJudge()])
def test_judges_follow_the_seam(judge: object) -> None:
    assert isinstance(judge, Judge)


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


# -- rerankers (the others: test_rerankers.py) ----------------------------------------------------


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
