"""Reciprocal rank fusion: candidates of several arms become one list. Pure.

    score(node) = sum over the arms that found it of 1 / (K + rank),   rank from 1

Ranks gather candidates; they do not decide the order that a reader sees (``memory.scoring``). An
arm that found nothing adds nothing, so it does not vote.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import Final
from uuid import UUID

from memory.hits import Arm, ArmHit

K: Final = 60


@dataclass(frozen=True, slots=True)
class Fused:
    """A candidate with its place (from 1) and its score in each arm that found it."""

    node_id: UUID
    score: float
    places: Mapping[Arm, tuple[int, float]]

    @property
    def ranks(self) -> dict[Arm, int]:
        return {arm: rank for arm, (rank, _) in self.places.items()}

    @property
    def scores(self) -> dict[Arm, float]:
        return {arm: score for arm, (_, score) in self.places.items()}


def merge(lists: Iterable[Sequence[ArmHit]]) -> list[ArmHit]:
    """One arm's hits of several types, best first by the arm's own score. Ties keep their order."""
    return sorted(chain.from_iterable(lists), key=attrgetter("score"), reverse=True)


def fuse(
    arms: Mapping[Arm, Sequence[ArmHit]], *, k: int = K, most: int | None = None
) -> list[Fused]:
    """The ``most`` best, best first. Ties keep the order of the arms, then that of the hits in them."""
    # By number: a UUID computes its hash in Python, at every look into a dictionary.
    totals: dict[int, float] = {}
    ids: dict[int, UUID] = {}
    places: dict[int, dict[Arm, tuple[int, float]]] = defaultdict(dict)
    for arm in Arm:
        rank = 0
        for hit in arms.get(arm, ()):
            number = hit.node_id.int
            own = places[number]
            if arm not in own:
                rank += 1
                own[arm] = (rank, hit.score)
                totals[number] = totals.get(number, 0.0) + 1.0 / (k + rank)
                ids[number] = hit.node_id
    best = sorted(totals, key=totals.__getitem__, reverse=True)[:most]
    return [Fused(ids[number], totals[number], places[number]) for number in best]
