"""Learning the reranker's weights and floor, on made candidates."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench import passage_sets, recall_page, train_reranker
from bench.passage_sets import load, pieces
from bench.train_reranker import (
    COST,
    FULL,
    PLAIN,
    Ended,
    Kind,
    Pool,
    abstains,
    ended,
    fed_back,
    floor_of,
    kept,
    learn,
    out_of_fold,
    stored,
)
from memory.relevance import Feature, Learnt, Scale


def pool(kind: Kind, number: int, name: str = "a") -> Pool:
    """Thirty candidates; where there is a relevant one, it is nearer and holds more words."""
    chance = np.random.default_rng(number)
    cosine, share = chance.normal(0.8, 0.02, 30), chance.uniform(0, 0.3, 30)
    relevant = np.zeros(30, bool)
    if kind is Kind.OWN:
        relevant[number % 30] = True
        cosine[relevant] += 0.06
        share[relevant] += 0.4
    vectors = chance.normal(0, 1, (30, 4))
    columns = {
        Feature.COSINE: cosine,
        Feature.SHARE: share,
        Feature.DEMAND: np.full(30, 3.0),
        Feature.FEEDBACK: np.full(30, np.nan),
        Feature.RELATIVE: (cosine - cosine.mean()) / cosine.std(),
    }
    return Pool(name, kind, columns, relevant, np.arange(30), vectors)


@pytest.fixture(scope="module")
def pools() -> list[Pool]:
    return [
        pool(kind, number, name) for number in range(60) for kind in Kind for name in ("a", "b")
    ]


def test_what_is_learnt_puts_the_relevant_first_and_tells_nothing_from_something(
    pools: list[Pool],
) -> None:
    found = ended(pools, Learnt(learn(pools, (PLAIN,)), None))
    right = [one.right or 0.0 for one in found if one.kind is Kind.OWN]
    away = [one.best for one in found if one.kind is not Kind.OWN]
    assert np.mean(right) > 0.8
    assert np.mean(away) < 0.1


def test_a_floor_costs_no_more_than_is_allowed_and_no_higher_one_would(pools: list[Pool]) -> None:
    found = ended(pools, Learnt(learn(pools, (PLAIN,)), None))
    floor = floor_of(found)
    assert 1 - kept(found, floor) <= COST
    assert abstains(found, Kind.REMOVED, floor) > 0.9


def test_sets_weigh_alike_however_many_questions_they_have() -> None:
    many = [Ended("many", Kind.OWN, 0.9, 0.9)] * 9
    assert kept([*many, Ended("one", Kind.OWN, 0.1, 0.1)], 0.5) == 0.5


def test_a_query_without_a_right_passage_among_those_shown_costs_no_floor_anything() -> None:
    assert kept([Ended("a", Kind.OWN, 0.9, None), Ended("a", Kind.OWN, 0.9, 0.9)], 0.5) == 1.0


def test_weights_are_stored_by_the_names_of_their_features(pools: list[Pool]) -> None:
    scale = stored(learn(pools, (PLAIN,)), 0.1)["scales"][0]
    assert list(scale["weights"]) == ["cosine", "share", "demand"]
    assert json.loads(json.dumps(scale)) == scale


def test_feedback_is_nearness_to_the_two_that_are_best_without_it() -> None:
    one = replace(pool(Kind.OWN, 3), vectors=np.eye(30))
    plain = Scale((Feature.COSINE,), (1.0,), 0.0)
    best = set(np.argsort(-one.features[Feature.COSINE])[:2].tolist())
    nearness = fed_back(one, plain).features[Feature.FEEDBACK]
    assert set(np.flatnonzero(nearness > 0.5).tolist()) == best
    few = replace(one, rows=one.rows[:7])
    assert np.isnan(fed_back(few, plain).features[Feature.FEEDBACK]).all()


def test_a_scale_with_feedback_comes_before_the_one_that_it_rests_on(pools: list[Pool]) -> None:
    full, plain = learn(pools, (FULL, PLAIN))
    assert full.features == (*FULL, Feature.DEMAND)
    assert plain.features == (*PLAIN, Feature.DEMAND)


def test_pieces_are_whole_sentences_that_fit_and_cover_the_text() -> None:
    text = "One is here. Two is here. Three is a longer one. Four."
    found = list(pieces(text, 26))
    assert [text[a:b] for a, b in found] == [
        "One is here. Two is here. ",
        "Three is a longer one. ",
        "Four.",
    ]


def test_a_question_asks_for_the_sentence_that_answers_it(tmp_path: Path) -> None:
    text = "The depot in Lyon opens at six. The gate in Porto is shut. Nobody has the key to it."
    at = text.index("shut")
    answer = {"text": "shut", "char_start": at, "char_end": at + 4}
    asked = {"question": "How is the gate?", "answers": [answer], "answerable": True}
    documents = [{"doc_id": name, "text": text} for name in ("asked of", "not asked of")]
    (tmp_path / "docs.jsonl").write_text("\n".join(map(json.dumps, documents)))
    (tmp_path / "questions.jsonl").write_text(json.dumps({"doc_id": "asked of", **asked}))
    [found] = passage_sets._sentences(tmp_path)
    assert found.name == f"{tmp_path.name}.sentences"
    assert found.passages == (
        "The depot in Lyon opens at six.",
        "The gate in Porto is shut.",
        "Nobody has the key to it.",
    )
    assert found.asked == (passage_sets.Asked("How is the gate?", frozenset({1})),)


def test_a_set_and_its_sentences_are_learnt_from_together_or_not_at_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = [pool(Kind.OWN, 1, name) for name in ("a", "a.sentences", "b")]
    by_cosine = Scale((Feature.COSINE,), (1.0,), 0.0)
    seen: list[set[str]] = []

    def learn(rest: Sequence[Pool], choices: object) -> tuple[Scale]:
        seen.append({one.name for one in rest})
        return (by_cosine,)

    monkeypatch.setattr(train_reranker, "learn", learn)
    out_of_fold(made, (PLAIN,))
    assert seen == [{"b"}, {"a", "a.sentences"}]


def test_a_set_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path)


def test_the_page_keeps_what_people_wrote_around_the_generated_part(tmp_path: Path) -> None:
    page = tmp_path / "recall.md"
    page.write_text(f"# Title\n{recall_page.BEGIN}\nold\n{recall_page.END}\nafter\n")
    figures = {
        "floor": 0.1,
        "kept": {"a": 0.97},
        "kept_mean": 0.97,
        "abstains": {"removed": 0.5, "elsewhere": 0.9},
        "curve": [[0.0, 1.0, 0.0, 0.0], [0.5, 0.5, 0.9, 1.0]],
    }
    recall_page.write(page, {"e5": figures})
    text = page.read_text()
    assert text.startswith("# Title\n")
    assert text.endswith("after\n")
    assert "old" not in text
    assert "| e5 | 0.100 | 0.970 | 0.500 | 0.900 |" in text
    assert "<svg" in (tmp_path / "recall.svg").read_text()
