"""Learns the weights of the embedded reranker and its floor: memory/data/reranker.json, docs/recall.md.

    python -m bench.train_reranker --data DIR [--cache DIR]

Order and scale are learnt one after the other, with few numbers each: which passage of a query comes
first (softmax over its candidates), then which probability that is (a slope, an offset, and what the
query demands). Queries
whose answer was taken out of the collection, or never was in it, teach the scale what nothing looks like.
Every figure is of a set that the weights in question have not seen.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np

from bench import data, passage_sets, recall_page
from bench.bm25 import Index
from bench.passage_sets import Asked, Collection
from bench.vector_store import VectorStore
from memory.backends.encoders.e5 import E5
from memory.relevance import (
    LEXICAL,
    OTHER,
    WEIGHTS,
    Feature,
    Learnt,
    Scale,
    features,
    logits,
    probabilities,
)
from memory.seams import KnownScores

SEED = 5
QUERIES = 120  # of each collection
STRAYS = 60  # of each collection, asked of another one
WIDTH = 50  # candidates by each arm
SHOWN = 5  # hits that a reader sees: a right answer is one of them
BEST, FEWEST = 2, 8  # as in memory.recall.feedback
CALIBRATED = 10  # candidates of a query that teach the scale
# The share of right answers that a floor may cost, out of fold, with room below the 5 % that are allowed.
COST = 0.03
# What a kind of query weighs when the scale is learnt.
SHARES = {"own": 1.0, "removed": 0.5, "elsewhere": 0.5}
FULL = (Feature.COSINE, Feature.SHARE, Feature.FEEDBACK)
PLAIN = (Feature.COSINE, Feature.SHARE)
STEPS, RATE = 150, 0.1


class Kind(StrEnum):
    """What a collection is to a query."""

    OWN = "own"
    REMOVED = "removed"  # the article that answers was taken out
    ELSEWHERE = "elsewhere"  # the query belongs to another collection


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates of one query."""

    name: str
    kind: Kind
    features: Mapping[Feature, np.ndarray]
    relevant: np.ndarray  # bool
    rows: np.ndarray  # of ``vectors``, which are those of the whole collection
    vectors: np.ndarray

    def columns(self, wanted: Sequence[Feature]) -> np.ndarray:
        return np.nan_to_num(np.stack([self.features[feature] for feature in wanted], axis=1))


def pools(collections: Sequence[Collection], store: VectorStore) -> list[Pool]:
    made: list[Pool] = []
    for place, collection in enumerate(collections):
        chance = random.Random(f"{SEED}/{place}")
        asked = chance.sample(collection.asked, min(QUERIES, len(collection.asked)))
        index = Index(collection.passages, collection.language[:2])
        vectors = store.passages(collection.passages)
        queries = store.queries([one.text for one in asked])
        articles = np.array(collection.articles)
        for one, query in zip(asked, queries, strict=True):
            bm25, ceiling = index.measured(one.text)
            found = _Found(bm25, ceiling, vectors @ query, vectors)
            made.append(_pool(collection, Kind.OWN, one, found, np.ones(len(bm25), bool)))
            there = ~np.isin(articles, articles[sorted(one.relevant)])
            if there.sum() >= WIDTH:
                made.append(_pool(collection, Kind.REMOVED, one, found, there))
        strays = [
            one
            for other in collections
            if origin(other.name) != origin(collection.name)
            and other.language == collection.language
            for one in other.asked
        ]
        strays = chance.sample(strays, min(STRAYS, len(strays)))
        if not strays:
            continue
        for one, query in zip(strays, store.queries([s.text for s in strays]), strict=True):
            bm25, ceiling = index.measured(one.text)
            found = _Found(bm25, ceiling, vectors @ query, vectors)
            stray = replace(one, relevant=frozenset())
            made.append(_pool(collection, Kind.ELSEWHERE, stray, found, np.ones(len(bm25), bool)))
    return made


@dataclass(frozen=True, slots=True)
class _Found:
    bm25: np.ndarray
    ceiling: float
    cosines: np.ndarray
    vectors: np.ndarray


def _pool(
    collection: Collection, kind: Kind, asked: Asked, found: _Found, there: np.ndarray
) -> Pool:
    by_words = _ranks(np.where(there, found.bm25, -1.0))
    by_meaning = _ranks(np.where(there, found.cosines, -2.0))
    chosen = there & (((by_words < WIDTH) & (found.bm25 > 0)) | (by_meaning < WIDTH))
    rows = np.flatnonzero(chosen)
    known = [
        KnownScores(float(found.bm25[row]) or None, float(found.cosines[row]), found.ceiling)
        for row in rows
    ]
    relevant = np.isin(rows, sorted(asked.relevant))
    return Pool(collection.name, kind, features(known), relevant, rows, found.vectors)


def fed_back(one: Pool, plain: Scale) -> Pool:
    """With the feedback of the candidates that are best by a scale that needs none."""
    if len(one.rows) < FEWEST:
        return one
    best = np.argsort(-plain.logits(one.features), kind="stable")[:BEST]
    centre = one.vectors[one.rows[best]].mean(axis=0)
    nearness = one.vectors[one.rows] @ (centre / np.linalg.norm(centre))
    return replace(one, features={**one.features, Feature.FEEDBACK: nearness})


def _ranks(scores: np.ndarray) -> np.ndarray:
    ranks = np.empty(len(scores), int)
    ranks[np.argsort(-scores, kind="stable")] = np.arange(len(scores))
    return ranks


# -- learning --------------------------------------------------------------------------------


def learn(made: Sequence[Pool], choices: Sequence[Sequence[Feature]]) -> tuple[Scale, ...]:
    """A scale for each choice of features. One with feedback rests on the last, which has none."""
    *fuller, plainest = choices
    plain = _learn(made, plainest)
    if fuller:
        made = [fed_back(one, plain) for one in made]
    return (*(_learn(made, wanted) for wanted in fuller), plain)


def _learn(made: Sequence[Pool], wanted: Sequence[Feature]) -> Scale:
    own = [one for one in made if one.kind is Kind.OWN and one.relevant.any()]
    direction = _order(own, wanted)
    slope, demand, offset = _calibrate(made, wanted, direction)
    weights = [*(direction * slope), demand]
    return Scale(
        (*wanted, Feature.DEMAND),
        tuple(float(f"{weight:.5g}") for weight in weights),
        round(offset, 4),
    )


def _order(own: Sequence[Pool], wanted: Sequence[Feature]) -> np.ndarray:
    """Weights by which the relevant passages of a query come first."""
    rows = [one.columns(wanted) for one in own]
    starts = np.cumsum([0, *map(len, rows[:-1])])
    query = np.repeat(np.arange(len(rows)), list(map(len, rows)))
    inputs = np.concatenate(rows)
    mean, spread = inputs.mean(axis=0), inputs.std(axis=0) + 1e-9
    inputs = (inputs - mean) / spread
    relevant = np.concatenate([one.relevant for one in own])
    weight = _shared([one.name for one in own])

    def gradient(weights: np.ndarray) -> np.ndarray:
        order = inputs @ weights
        raised = np.exp(order - np.maximum.reduceat(order, starts)[query])
        share = raised / np.add.reduceat(raised, starts)[query]
        right = np.where(relevant, share, 0.0)
        mass = np.maximum(np.add.reduceat(right, starts), 1e-9)[query]
        return inputs.T @ ((share - right / mass) * weight[query])

    return _descend(gradient, inputs.shape[1]) / spread


def _calibrate(
    made: Sequence[Pool], wanted: Sequence[Feature], direction: np.ndarray
) -> tuple[float, float, float]:
    """Slope, weight of the query's demand, and offset of the logistic over the best candidates."""
    rows, truths, weights = [], [], []
    for kind in Kind:
        those = [one for one in made if one.kind is kind]
        for one, weight in zip(those, _shared([one.name for one in those]), strict=True):
            order = one.columns(wanted) @ direction
            best = np.argsort(-order, kind="stable")[:CALIBRATED]
            rows.append(np.stack([order[best], one.features[Feature.DEMAND][best]], axis=1))
            truths.append(one.relevant[best])
            weights.append(np.full(len(best), weight * SHARES[kind]))
    inputs, truth, weight = np.concatenate(rows), np.concatenate(truths), np.concatenate(weights)
    mean, spread = inputs.mean(axis=0), inputs.std(axis=0) + 1e-9
    inputs = np.column_stack([(inputs - mean) / spread, np.ones(len(inputs))])

    def gradient(parameters: np.ndarray) -> np.ndarray:
        chance = 1 / (1 + np.exp(-np.clip(inputs @ parameters, -30, 30)))
        return inputs.T @ ((chance - truth) * weight)

    *slopes, offset = _descend(gradient, 3)
    slope, demand = np.array(slopes) / spread
    return float(slope), float(demand), float(offset - mean @ (slope, demand))


def _descend(gradient: Any, size: int) -> np.ndarray:
    """Adam from nothing; the losses are convex, so that nothing else is to be chosen."""
    weights, first, second = np.zeros(size), np.zeros(size), np.zeros(size)
    for step in range(1, STEPS + 1):
        slope = gradient(weights)
        first = 0.9 * first + 0.1 * slope
        second = 0.99 * second + 0.01 * slope**2
        moved = (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-9)
        weights = weights - RATE * (1 - step / STEPS) * moved
    return weights


def _shared(names: Sequence[str]) -> np.ndarray:
    """Every set weighs the same, its queries share that; they sum to one."""
    counts = {name: names.count(name) for name in set(names)}
    return np.array([1 / counts[name] / len(counts) for name in names])


# -- measuring -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ended:
    """How one query ended. ``best`` is the best relevance of all, ``right`` that of a right passage
    among those that are shown, None where there is none."""

    name: str
    kind: Kind
    best: float
    right: float | None


def ended(made: Sequence[Pool], learnt: Learnt) -> list[Ended]:
    found = []
    *fuller, plain = learnt.scales
    for one in (fed_back(each, plain) for each in made) if fuller else made:
        relevance = probabilities(logits(one.features, learnt))
        shown = np.argsort(-relevance, kind="stable")[:SHOWN]
        right = relevance[shown][one.relevant[shown]]
        found.append(
            Ended(
                one.name,
                one.kind,
                float(relevance.max(initial=0.0)),
                float(right.max()) if len(right) else None,
            )
        )
    return found


def out_of_fold(made: Sequence[Pool], choices: Sequence[Sequence[Feature]]) -> list[Ended]:
    """How the queries of each set end by what sets of another origin teach."""
    found: list[Ended] = []
    for left_out in sorted({origin(one.name) for one in made}):
        rest = [one for one in made if origin(one.name) != left_out]
        learnt = Learnt(learn(rest, choices), None)
        found += ended([one for one in made if origin(one.name) == left_out], learnt)
    return found


def origin(name: str) -> str:
    """Whose questions they are: a set and its single sentences ask the same ones."""
    return name.partition(".")[0]


def floor_of(found: Sequence[Ended]) -> float:
    """The highest floor that costs no more than ``COST`` of the right answers, sets weighing alike."""
    steps = np.arange(0.0, 1.0, 0.005)
    return round(float(max(step for step in steps if 1 - kept(found, step) <= COST)), 3)


def kept(found: Sequence[Ended], floor: float) -> float:
    """The share of right answers that clear a floor."""
    return _mean_of_sets([(one.name, one.right >= floor) for one in found if one.right is not None])


def abstains(found: Sequence[Ended], kind: Kind, floor: float) -> float:
    """The share of queries without an answer whose best passage falls below a floor."""
    return _mean_of_sets([(one.name, one.best < floor) for one in found if one.kind is kind])


def _mean_of_sets(held: Sequence[tuple[str, bool]]) -> float:
    names = sorted({name for name, _ in held})
    return float(np.mean([np.mean([is_so for n, is_so in held if n == name]) for name in names]))


# -- the files -------------------------------------------------------------------------------


def stored(scales: Sequence[Scale], floor: float | None) -> dict[str, Any]:
    return {
        "scales": [
            {
                "weights": dict(zip(scale.features, scale.weights, strict=True)),
                "bias": scale.bias,
            }
            for scale in scales
        ],
        "floor": floor,
    }


def figures(found: Sequence[Ended], floor: float) -> dict[str, Any]:
    return {
        "floor": floor,
        "kept": {
            name: round(kept([one for one in found if one.name == name], floor), 3)
            for name in sorted({one.name for one in found})
        },
        "kept_mean": round(kept(found, floor), 3),
        "abstains": {
            kind.value: round(abstains(found, kind, floor), 3)
            for kind in (Kind.REMOVED, Kind.ELSEWHERE)
        },
        "curve": [
            [round(step, 2), *(round(value, 4) for value in _point(found, step))]
            for step in np.arange(0.0, 1.0, 0.02)
        ],
    }


def _point(found: Sequence[Ended], floor: float) -> tuple[float, float, float]:
    return (
        kept(found, floor),
        abstains(found, Kind.REMOVED, floor),
        abstains(found, Kind.ELSEWHERE, floor),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data")
    parser.add_argument(
        "--cache", type=Path, default=Path(tempfile.gettempdir()) / "footnote-vectors"
    )
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--page", type=Path, default=Path("docs/recall.md"))
    options = parser.parse_args()
    collections = passage_sets.load(data.folder(options.data))
    encoder = E5()
    made = pools(collections, VectorStore(options.cache, encoder))
    words = (Feature.SHARE,)
    learnt: dict[str, Any] = {}
    measured: dict[str, Any] = {}
    for recipe, choices in ((encoder.recipe.name, (FULL, PLAIN)), (LEXICAL, (words,))):
        found = out_of_fold(made, choices)
        floor = floor_of(found)
        measured[recipe] = figures(found, floor)
        learnt[recipe] = stored(learn(made, choices), floor)
        print(recipe, json.dumps(learnt[recipe]), flush=True)
    learnt[OTHER] = stored(learn(made, ((Feature.RELATIVE, Feature.SHARE),)), None)
    provenance = {
        "script": "bench/train_reranker.py",
        "sets": list(passage_sets.NAMES),
        "queries": {kind.value: sum(one.kind is kind for one in made) for kind in Kind},
        "out_of_fold": measured,
    }
    options.out.write_text(
        json.dumps({"provenance": provenance, "learnt": learnt}, indent=1) + "\n"
    )
    recall_page.write(options.page, measured)


if __name__ == "__main__":
    main()
