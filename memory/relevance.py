"""How relevant passages are to a query, from what recall knows of them: one absolute scale. Pure.

    relevance = logistic(bias + Σ weight · feature)    the probability that the passage is relevant

    cosine      to the query
    share       BM25, as a share of the most that a passage could reach for this query
    feedback    cosine to the mean of the best candidates
    demand      the logarithm of what a passage could reach: a long query is met in part at best
    relative    cosine against the other candidates', for encoders that nothing was learnt about

Only feedback and relative depend on the other passages. Demand is the query's alone: it moves the
level of all passages together, never their order.
Weights are learnt per encoder (``bench/train_reranker.py``); a passage without a vector is scored by
its words alone, on the same scale.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from memory.seams import KnownScores

WEIGHTS: Final = Path(__file__).parent / "data" / "reranker.json"
LEXICAL, OTHER = "lexical", "other"  # no vector at all; an encoder that nothing was learnt about
# Said by the one person whom the query names. Set by hand: no conversations to learn from may be used.
SPEAKER: Final = 1.0
# Of a query of one or two words. What was learnt from are questions; a word that is typed into a box is
# asked for in earnest all the same.
LEAST_DEMAND: Final = 4.0
# Where nobody says what a query could reach, its best passage is taken to have met this much of it.
_TYPICAL_SHARE: Final = 0.5


class Feature(StrEnum):
    COSINE = "cosine"
    SHARE = "share"
    FEEDBACK = "feedback"
    DEMAND = "demand"
    RELATIVE = "relative"


@dataclass(frozen=True, slots=True)
class Scale:
    """One logistic model. It scores the passages of which all its features are known."""

    features: tuple[Feature, ...]
    weights: tuple[float, ...]
    bias: float

    def logits(self, columns: Mapping[Feature, np.ndarray]) -> np.ndarray:
        """NaN where a feature is unknown."""
        rows = np.stack([columns[feature] for feature in self.features], axis=1)
        return rows @ np.array(self.weights) + self.bias


@dataclass(frozen=True, slots=True)
class Learnt:
    """``scales`` of one encoder, the best informed first, and the floor of its relevance."""

    scales: tuple[Scale, ...]
    floor: float | None


def of_recipe(recipe: str | None, path: Path = WEIGHTS) -> Learnt:
    """What was learnt for vectors of a recipe; for None, without vectors."""
    learnt = _load(path)
    if recipe is None:
        return learnt[LEXICAL]
    return learnt.get(recipe, learnt[OTHER])


def score(known: Sequence[KnownScores], learnt: Learnt) -> np.ndarray:
    """0-1, one per passage."""
    spoken = np.array([SPEAKER if one.is_speaker else 0.0 for one in known])
    return probabilities(logits(features(known), learnt) + spoken)


def logits(columns: Mapping[Feature, np.ndarray], learnt: Learnt) -> np.ndarray:
    """One per row, by the first of the scales that knows all its features."""
    found = np.full(len(columns[Feature.SHARE]), np.nan)
    for scale in learnt.scales:
        unknown = np.isnan(found)
        if not unknown.any():
            break
        found[unknown] = scale.logits(columns)[unknown]
    return found


def probabilities(logits: np.ndarray) -> np.ndarray:
    chances: np.ndarray = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
    return chances


def features(known: Sequence[KnownScores]) -> dict[Feature, np.ndarray]:
    """A column each. A passage without a vector has NaN; one without a word of the query has share 0."""
    cosine = _column(one.semantic for one in known)
    keyword = np.array([one.keyword or 0.0 for one in known])
    most = max(float(keyword.max(initial=0.0)), 1e-9) / _TYPICAL_SHARE
    ceiling = np.array([one.ceiling or most for one in known])
    return {
        Feature.COSINE: cosine,
        Feature.SHARE: np.minimum(keyword / ceiling, 1.0),
        Feature.DEMAND: np.maximum(np.log1p(ceiling), LEAST_DEMAND),
        Feature.FEEDBACK: _column(one.feedback for one in known),
        Feature.RELATIVE: _standardised(cosine),
    }


def _column(values: Any) -> np.ndarray:
    return np.array([np.nan if value is None else value for value in values], float)


def _standardised(cosines: np.ndarray) -> np.ndarray:
    there = cosines[~np.isnan(cosines)]
    if len(there) < 2:
        return np.where(np.isnan(cosines), np.nan, 0.0)
    return (cosines - there.mean()) / max(float(there.std()), 1e-6)


@cache
def _load(path: Path) -> dict[str, Learnt]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    lexical = document["learnt"][LEXICAL]["scales"]
    return {
        recipe: Learnt(
            tuple(
                Scale(
                    tuple(Feature(name) for name in scale["weights"]),
                    tuple(scale["weights"].values()),
                    scale["bias"],
                )
                # Whatever the encoder, a passage without a vector is scored by its words.
                for scale in [*stored["scales"], *(lexical if recipe != LEXICAL else ())]
            ),
            stored["floor"],
        )
        for recipe, stored in document["learnt"].items()
    }
