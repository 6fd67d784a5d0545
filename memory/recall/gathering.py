"""Candidates: every arm under every filter, fused per level, and read.

Levels never meet here. What one of them holds changes no candidate, rank or score of another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

import numpy as np

from memory import fusion, keywords
from memory.fusion import Fused
from memory.hits import Arm, ArmHit
from memory.levels import Level
from memory.models import Node
from memory.postings import NOTHING, Ranking
from memory.recall import entities, feedback, rows, speakers, succession
from memory.recall.arms import graph, semantic, temporal
from memory.recall.encoding import Encoded
from memory.recall.phases import Phase, Phases
from memory.recall.planning import Plan
from memory.recall.rows import Row
from memory.recall.succession import Lost
from memory.seams import KnownScores
from memory.speaking import is_first_person

RERANKED = 300  # candidates of a level that go on from fusion

_SEMANTIC_SEEDS, _SEED_COSINE, _KEYWORD_SEEDS = 20, 0.3, 10


@dataclass(frozen=True, slots=True)
class LevelCandidates:
    """Of one level, best first by fusion."""

    level: Level
    arms: Mapping[Arm, Sequence[ArmHit]]
    fused: Sequence[Fused]


@dataclass(frozen=True, slots=True)
class Gathered:
    """``rows`` holds every candidate, ``known`` what a reranker need not find out about it again.
    ``found`` is each scope's hits by arm, for the trace. ``lost`` is about what lost to newer
    facts, where the query asks for the past."""

    plan: Plan
    encoded: Encoded
    levels: tuple[LevelCandidates, ...]
    rows: Mapping[UUID, Row]
    known: Mapping[UUID, KnownScores]
    found: Sequence[Mapping[Arm, Sequence[ArmHit]]]
    vectors_missing: bool
    phases: Phases = field(default_factory=Phases)
    lost: Mapping[UUID, Lost] = field(default_factory=dict)


def gather(plan: Plan, encoded: Encoded, phases: Phases) -> Gathered:
    with phases.measure(Phase.RETRIEVE):
        rankings = _rankings(plan, phases)
        found = _search(plan, encoded, rankings, phases)
    with phases.measure(Phase.FUSE):
        levels = tuple(_fused(plan, level, found) for level in plan.levels)
    with phases.measure(Phase.PREFILTER):
        levels = _thinned(plan, levels)
        ids = [one.node_id for level in levels for one in level.fused]
        stored = rows.fetch(ids, encoded, documents=plan.request.documents)
        known = _known(plan, levels, stored, rankings, encoded)
        asks_past = plan.asks_past or plan.past_window is not None
        lost = succession.lost(stored.values()) if asks_past else {}
    missing = encoded.vector is None or any(row.cosine is None for row in stored.values())
    return Gathered(plan, encoded, levels, stored, known, found, missing, phases, lost)


def _rankings(plan: Plan, phases: Phases) -> dict[Level, Ranking]:
    """All of a level that shares a word with the query. Types of one level share its statistics."""
    if Arm.KEYWORD not in plan.arms:
        return {}
    with phases.measure("keyword"):
        return {
            level: keywords.rank_query(plan.scopes[plan.places(level)[0]], plan.request.query)
            for level in plan.levels
        }


def _search(
    plan: Plan, encoded: Encoded, rankings: Mapping[Level, Ranking], phases: Phases
) -> list[dict[Arm, Sequence[ArmHit]]]:
    request, scopes = plan.request, plan.scopes
    found: list[dict[Arm, Sequence[ArmHit]]] = [{} for _ in scopes]
    if Arm.SEMANTIC in plan.arms and encoded.vector is not None and encoded.recipe is not None:
        with phases.measure("semantic"):
            nearest = semantic.search(
                scopes,
                encoded.vector,
                encoded.recipe,
                width=request.width,
                minimum=request.min_scores.semantic,
            )
        for of_scope, near in zip(found, nearest, strict=True):
            of_scope[Arm.SEMANTIC] = near.hits
    if Arm.KEYWORD in plan.arms:
        with phases.measure("keyword"):
            for of_scope, scope in zip(found, scopes, strict=True):
                ranking = rankings[scope.level].above(request.min_scores.keyword)
                of_scope[Arm.KEYWORD] = keywords.best(scope, ranking, limit=request.width)
    if Arm.GRAPH in plan.arms:
        with phases.measure("graph"):
            for of_scope, hits in zip(found, _graph(plan, found), strict=True):
                of_scope[Arm.GRAPH] = hits
    if plan.window is not None:
        with phases.measure("temporal"):
            dated = temporal.search(
                scopes,
                plan.window,
                vector=encoded.vector,
                recipe=encoded.recipe,
                width=request.width,
            )
        for of_scope, hits in zip(found, dated, strict=True):
            of_scope[Arm.TEMPORAL] = hits
    return found


def _known(
    plan: Plan,
    levels: Sequence[LevelCandidates],
    stored: Mapping[UUID, Row],
    rankings: Mapping[Level, Ranking],
    encoded: Encoded,
) -> dict[UUID, KnownScores]:
    """Both scores of every candidate, whichever arm found it, and what its level says about it."""
    known: dict[UUID, KnownScores] = {}
    best: list[UUID] = []
    for candidates in levels:
        found = [stored[one.node_id] for one in candidates.fused if one.node_id in stored]
        ranking = rankings.get(candidates.level, NOTHING)
        of_level = _known_of_level(plan.request.query, found, ranking)
        if encoded.recipe:
            is_dated = plan.window is not None
            best += feedback.best(of_level, encoded.recipe_name, is_dated=is_dated)
        known |= of_level
    if not best:
        return known
    alike = feedback.cosines(known, best, recipe=encoded.recipe_name)
    return {node_id: replace(one, feedback=alike.get(node_id)) for node_id, one in known.items()}


def _known_of_level(query: str, found: Sequence[Row], ranking: Ranking) -> dict[UUID, KnownScores]:
    own = ranking.among(np.array([row.number for row in found], int))
    keyword = dict(zip(own.numbers.tolist(), own.scores.tolist(), strict=True))
    speaker = speakers.named(query, {row.speaker for row in found})
    return {
        row.id: KnownScores(
            keyword.get(row.number),
            row.cosine,
            ceiling=ranking.ceiling or None,
            is_speaker=row.speaker == speaker and is_first_person(row.text),
        )
        for row in found
    }


def _graph(plan: Plan, found: Sequence[Mapping[Arm, Sequence[ArmHit]]]) -> list[list[ArmHit]]:
    """From the best hits of the other arms, and from what the query names."""
    seeds = [
        list(
            dict.fromkeys(
                [
                    *(
                        hit.node_id
                        for hit in of_scope.get(Arm.SEMANTIC, ())[:_SEMANTIC_SEEDS]
                        if hit.score >= _SEED_COSINE
                    ),
                    *(hit.node_id for hit in of_scope.get(Arm.KEYWORD, ())[:_KEYWORD_SEEDS]),
                ]
            )
        )
        for of_scope in found
    ]
    named = entities.named_in(plan.request.bank_id, plan.request.query)
    return graph.search(plan.scopes, seeds, named=named, width=plan.request.width)


def _fused(
    plan: Plan, level: Level, found: Sequence[Mapping[Arm, Sequence[ArmHit]]]
) -> LevelCandidates:
    """The types of a level come together in each arm before the arms come together."""
    places = plan.places(level)
    arms = {arm: fusion.merge(found[place].get(arm, ()) for place in places) for arm in Arm}
    most = RERANKED if plan.request.per_document is None else None
    return LevelCandidates(level, arms, fusion.fuse(arms, most=most))


def _thinned(plan: Plan, levels: Sequence[LevelCandidates]) -> tuple[LevelCandidates, ...]:
    """What goes on to the reranker. Where hits per document are limited, so are its candidates:
    one long document does not keep the others away."""
    most = plan.request.per_document
    if most is None:
        return tuple(levels)
    found = [one.node_id for level in levels for one in level.fused]
    document_of = dict(Node.objects.filter(pk__in=found).values_list("pk", "document_id"))
    return tuple(
        replace(level, fused=_capped(level.fused, document_of, 2 * most)[:RERANKED])
        for level in levels
    )


def _capped(
    fused: Sequence[Fused], document_of: Mapping[UUID, UUID | None], most: int
) -> list[Fused]:
    taken: Counter[UUID] = Counter()
    kept = []
    for one in fused:
        document_id = document_of.get(one.node_id)
        if document_id is not None:
            taken[document_id] += 1
        if document_id is None or taken[document_id] <= most:
            kept.append(one)
    return kept
