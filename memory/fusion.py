"""Reciprocal rank fusion: candidates of several arms become one list. Pure.

    score(node) = sum over the arms that found it of 1 / (K + rank),   rank from 1

Ranks gather candidates; they do not decide the order that a reader sees (``memory.scoring``). An
arm that found nothing adds nothing, so it does not vote.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from memory.hits import Arm, ArmHit

K: Final = 60


@dataclass(frozen=True, slots=True)
class Fused:
    """A candidate with its place (from 1) and its score in each arm that found it."""

    node_id: UUID
    score: float
    ranks: Mapping[Arm, int]
    scores: Mapping[Arm, float]


def merge(lists: Iterable[Sequence[ArmHit]]) -> list[ArmHit]:
    """One arm's hits of several types, best first by the arm's own score. Ties keep their order."""
    return sorted((hit for hits in lists for hit in hits), key=lambda hit: -hit.score)


def fuse(
    arms: Mapping[Arm, Sequence[ArmHit]], *, k: int = K, most: int | None = None
) -> list[Fused]:
    """The ``most`` best, best first. Ties keep the order of the arms, then that of the hits in them."""
    # By number: a UUID computes its hash in Python, at every look into a dictionary.
    totals: dict[int, float] = {}
    ids: dict[int, UUID] = {}
    places: dict[Arm, dict[int, tuple[int, float]]] = {}
    for arm in Arm:
        own: dict[int, tuple[int, float]] = {}
        for hit in arms.get(arm, ()):
            number = hit.node_id.int
            if number not in own:
                rank = len(own) + 1
                own[number] = (rank, hit.score)
                totals[number] = totals.get(number, 0.0) + 1.0 / (k + rank)
                ids[number] = hit.node_id
        if own:
            places[arm] = own
    best = sorted(totals, key=totals.__getitem__, reverse=True)[:most]
    return [_fused(number, ids[number], totals[number], places) for number in best]


def _fused(
    number: int,
    node_id: UUID,
    total: float,
    places: Mapping[Arm, Mapping[int, tuple[int, float]]],
) -> Fused:
    own = [(arm, *found[number]) for arm, found in places.items() if number in found]
    return Fused(
        node_id,
        total,
        {arm: rank for arm, rank, _ in own},
        {arm: score for arm, _, score in own},
    )
