"""From which cosine on two facts are near each other. Pure.

Cosines of two encoders are not comparable: e5 puts unrelated sentences at about 0.8, a bag of words
at 0. The numbers belong to a recipe, as the floor does to a reranker; docs/retain.md says how they
were found.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """``semantic``: for an edge. ``candidate``: to be compared word by word as a twin or a rival."""

    semantic: float
    candidate: float


_DEFAULT = Thresholds(semantic=0.7, candidate=0.5)
_BY_RECIPE = {
    "multilingual-e5-small": Thresholds(semantic=0.93, candidate=0.86),
    "fake-bag-of-words": Thresholds(semantic=0.7, candidate=0.4),
}


def thresholds(recipe: str) -> Thresholds:
    """Of the recipe's name up to its first slash; for an unknown one those of common encoders."""
    return _BY_RECIPE.get(recipe.partition("/")[0], _DEFAULT)
