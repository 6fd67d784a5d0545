"""What a recall did, for people who want to know why a memory was returned or not. Pure.

The names are those of the Hindsight API's trace.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from memory import tags
from memory.hits import Arm, ArmHit, Hit
from memory.levels import FactType, Level
from memory.recall.gathering import Gathered, LevelCandidates
from memory.recall.phases import Phase
from memory.recall.ranking import Ranked, Scored
from memory.recall.rows import Row
from memory.recall.scope import Scope

_METHODS: Final = {Arm.KEYWORD: "bm25"}
_SCORE_NAMES: Final = {
    Arm.SEMANTIC: "similarity",
    Arm.KEYWORD: "bm25_score",
    Arm.GRAPH: "activation",
    Arm.TEMPORAL: "temporal_score",
}
_ENTRY_POINTS: Final = 10


def build(gathered: Gathered, ranked: Ranked, hits: Sequence[Hit]) -> dict[str, Any]:
    """JSON values alone. ``hits`` are those that came back."""
    entry_points = _entry_points(gathered)
    visited = len(gathered.rows)
    width = gathered.plan.request.width
    return {
        "query": _query(gathered),
        "retrieval_results": _retrieval(gathered),
        "rrf_merged": [
            merged for candidates in gathered.levels for merged in _merged(gathered, candidates)
        ],
        "reranked": [_reranked(one, rank) for rank, one in enumerate(ranked.scored, start=1)],
        "entry_points": entry_points,
        "visits": [],
        "floor": _floor(ranked),
        "summary": {
            "total_nodes_visited": visited,
            "entry_points_found": len(entry_points),
            "budget_used": min(visited, width),
            "budget_remaining": max(width - visited, 0),
            "total_duration_seconds": gathered.phases.total,
            "results_returned": len(hits),
            "phase_metrics": [
                {
                    "phase_name": phase.value,
                    "duration_seconds": gathered.phases.seconds[phase],
                    "details": {},
                }
                for phase in Phase
                if phase in gathered.phases.seconds
            ],
        },
        "final_results": [
            {"rank": hit.rank, "node_id": str(hit.id), "level": hit.level.value, "text": hit.text}
            for hit in hits
        ],
    }


def _query(gathered: Gathered) -> dict[str, Any]:
    plan, request = gathered.plan, gathered.plan.request
    vector, window = gathered.encoded.vector, plan.window
    return {
        "query_text": request.query,
        "query_embedding": [] if vector is None else [round(float(value), 6) for value in vector],
        "timestamp": plan.anchor.isoformat(),
        "budget": request.width,
        "max_tokens": request.max_tokens,
        "levels": [level.value for level in plan.levels],
        "tags": None if request.tags is None else tags.describe(request.tags),
        "temporal_constraint": None
        if window is None
        else {"start": window.start.isoformat(), "end": window.end.isoformat()},
    }


def _retrieval(gathered: Gathered) -> list[dict[str, Any]]:
    """An entry for each arm that was asked, level and type."""
    seconds = gathered.phases.seconds
    return [
        {
            "method_name": _METHODS.get(arm, arm.value),
            "level": scope.level.value,
            "fact_type": _fact_type(scope),
            "results": [
                _found(gathered.rows.get(hit.node_id), hit, rank, arm)
                for rank, hit in enumerate(found[arm], start=1)
            ],
            "duration_seconds": seconds.get(arm.value, 0.0),
            "metadata": {},
        }
        for scope, found in zip(gathered.plan.scopes, gathered.found, strict=True)
        for arm in Arm
        if arm in found
    ]


def _fact_type(scope: Scope) -> str | None:
    if scope.level is Level.L2:
        return FactType.OBSERVATION.value
    return scope.types[0].value if scope.types else None


def _found(row: Row | None, hit: ArmHit, rank: int, arm: Arm) -> dict[str, Any]:
    return {
        "rank": rank,
        "node_id": str(hit.node_id),
        "text": row.text if row else "",
        "context": row.context if row else "",
        "event_date": _iso(row.occurred_start or row.mentioned_at) if row else None,
        "fact_type": row.fact_type.value if row and row.fact_type else None,
        "score": hit.score,
        "score_name": _SCORE_NAMES[arm],
    }


def _merged(gathered: Gathered, candidates: LevelCandidates) -> list[dict[str, Any]]:
    return [
        {
            "node_id": str(one.node_id),
            "level": candidates.level.value,
            "text": gathered.rows[one.node_id].text if one.node_id in gathered.rows else "",
            "rrf_score": one.score,
            "source_ranks": {
                f"{_METHODS.get(arm, arm.value)}_rank": rank for arm, rank in one.ranks.items()
            },
            "final_rrf_rank": rank,
        }
        for rank, one in enumerate(candidates.fused, start=1)
    ]


def _reranked(one: Scored, rank: int) -> dict[str, Any]:
    return {
        "node_id": str(one.row.id),
        "level": one.row.level.value,
        "text": one.row.text,
        "rerank_score": one.final,
        "rerank_rank": rank,
        "rrf_rank": one.fused_rank,
        "rank_change": one.fused_rank - rank,
        "score_components": {
            "reranker": one.reranker,
            "recency": one.boosts.recency,
            "temporal": one.boosts.temporal,
            "proof": one.boosts.proof,
            "rrf_score": one.fused.score,
        },
    }


def _floor(ranked: Ranked) -> dict[str, Any]:
    return {
        "reranker": ranked.reranker,
        "floor": ranked.floor,
        "best_score": ranked.best_score,
        "cut": ranked.below_floor,
        "failure": ranked.failure or None,
    }


def _entry_points(gathered: Gathered) -> list[Mapping[str, Any]]:
    nearest = sorted(
        (hit for found in gathered.found for hit in found.get(Arm.SEMANTIC, ())),
        key=lambda hit: -hit.score,
    )
    return [
        {
            "node_id": str(hit.node_id),
            "text": gathered.rows[hit.node_id].text if hit.node_id in gathered.rows else "",
            "similarity_score": hit.score,
            "rank": rank,
        }
        for rank, hit in enumerate(nearest[:_ENTRY_POINTS], start=1)
    ]


def _iso(value: datetime | None) -> str | None:
    return value.isoformat() if value else None
