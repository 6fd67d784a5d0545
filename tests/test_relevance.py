"""The embedded reranker's scale: absolute, calibrated, and honest about what it does not know."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from memory import relevance
from memory.relevance import LEXICAL, OTHER, SPEAKER, Feature, Learnt, Scale
from memory.seams import KnownScores

WORDS = Scale((Feature.SHARE,), (4.0,), -2.0)
BOTH = Scale((Feature.COSINE, Feature.SHARE), (10.0, 4.0), -9.0)
FULL = Scale((Feature.COSINE, Feature.SHARE, Feature.FEEDBACK), (10.0, 4.0, 2.0), -9.0)
LEARNT = Learnt((FULL, BOTH, WORDS), 0.2)


def known(
    keyword: float | None,
    semantic: float | None,
    *,
    ceiling: float | None = 10.0,
    feedback: float | None = None,
    is_speaker: bool = False,
) -> KnownScores:
    return KnownScores(keyword, semantic, ceiling, feedback, is_speaker)


def logistic(value: float) -> float:
    return float(1 / (1 + np.exp(-value)))


def test_relevance_is_the_logistic_of_the_weighted_features() -> None:
    found = relevance.score([known(5.0, 0.8, feedback=0.9)], LEARNT)
    assert found[0] == pytest.approx(logistic(8.0 + 2.0 + 1.8 - 9.0))


def test_a_passage_keeps_its_relevance_whatever_stands_beside_it() -> None:
    alone = relevance.score([known(5.0, 0.8)], LEARNT)
    beside = relevance.score([known(5.0, 0.8), known(9.0, 0.99), known(None, 0.1)], LEARNT)
    assert alone[0] == pytest.approx(beside[0])


def test_without_feedback_the_weights_without_it_are_used() -> None:
    found = relevance.score([known(5.0, 0.8)], LEARNT)
    assert found[0] == pytest.approx(logistic(8.0 + 2.0 - 9.0))


def test_a_passage_without_a_vector_is_scored_by_its_words_beside_one_that_has_one() -> None:
    found = relevance.score([known(5.0, None), known(5.0, 0.8)], LEARNT)
    assert found.tolist() == pytest.approx([logistic(0.0), logistic(1.0)])


def test_no_word_of_the_query_is_a_share_of_nothing() -> None:
    assert relevance.features([known(None, 0.5)])[Feature.SHARE].tolist() == [0.0]


def test_without_a_ceiling_the_best_passage_is_taken_to_have_met_half_of_it() -> None:
    shares = relevance.features([known(8.0, 0.5, ceiling=None), known(2.0, 0.5, ceiling=None)])
    assert shares[Feature.SHARE].tolist() == [0.5, 0.125]


def test_what_the_named_speaker_said_counts_more() -> None:
    plain, spoken = relevance.score([known(5.0, 0.8), known(5.0, 0.8, is_speaker=True)], LEARNT)
    assert np.log(spoken / (1 - spoken)) - np.log(plain / (1 - plain)) == pytest.approx(SPEAKER)


def test_cosines_of_an_unknown_encoder_count_by_their_place_among_the_others() -> None:
    wide = relevance.features([known(None, value) for value in (0.0, 0.8, 0.4)])
    narrow = relevance.features([known(None, value) for value in (0.80, 0.88, 0.84)])
    assert wide[Feature.RELATIVE] == pytest.approx(narrow[Feature.RELATIVE])


def test_one_cosine_alone_says_nothing_about_its_place() -> None:
    assert relevance.features([known(None, 0.9)])[Feature.RELATIVE].tolist() == [0.0]


def test_nothing_to_score_gives_nothing() -> None:
    assert relevance.score([], LEARNT).tolist() == []


# -- the weights of the package -------------------------------------------------------------------


def test_weights_are_there_for_the_default_encoder_for_words_alone_and_for_any_other() -> None:
    stored = json.loads(relevance.WEIGHTS.read_text(encoding="utf-8"))["learnt"]
    e5 = next(recipe for recipe in stored if recipe.startswith("multilingual-e5-small/"))
    assert relevance.of_recipe(e5).floor is not None
    assert relevance.of_recipe(None).floor is not None
    assert relevance.of_recipe("an encoder of tomorrow").floor is None
    assert {LEXICAL, OTHER} <= stored.keys()


@pytest.mark.parametrize("recipe", [None, "an encoder of tomorrow"])
def test_more_of_anything_never_lowers_the_relevance(recipe: str | None) -> None:
    for scale in relevance.of_recipe(recipe).scales:
        weights = dict(zip(scale.features, scale.weights, strict=True))
        weights.pop(Feature.DEMAND, None)  # the query's, the same for all of its passages
        assert min(weights.values()) > 0


def test_a_file_of_other_features_is_refused(tmp_path: Path) -> None:
    scale = {"weights": {"charm": 1.0}, "bias": 0.0}
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"learnt": {LEXICAL: {"scales": [scale], "floor": None}}}))
    with pytest.raises(ValueError, match="charm"):
        relevance.of_recipe(None, path)
