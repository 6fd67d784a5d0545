"""Recall, top to bottom:

    plan ─▶ encode ─▶ gather (arms, fusion) ─▶ rank (rerank, boosts, floors) ─▶ complete

``recall`` runs in the caller's scope. ``recall_as`` opens short ones of its own, so that no
connection is held while a model thinks.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from memory import events, tenancy
from memory.events import EventName
from memory.hits import Recalled
from memory.levels import Level
from memory.recall import completing, merging, planning, ranking, sources, trace
from memory.recall.encoding import Encoded, encode
from memory.recall.gathering import Gathered, gather
from memory.recall.phases import Phase, Phases
from memory.recall.planning import Plan
from memory.recall.ranking import Ranked, Scored
from memory.recall.request import RecallRequest

__all__ = ["Encoded", "encode", "recall", "recall_as"]


def recall(request: RecallRequest, *, encoded: Encoded | None = None) -> Recalled:
    """What the bank holds about the query, best first. Needs a scope.

    ``encoded`` is the query's vector, where the caller made it before its scope. Raises
    ``InvalidQuery`` and ``InvalidTags``.
    """
    planning.check(request.query)
    phases = Phases()
    encoded = encoded or _encode(request, phases)
    gathered = gather(planning.plan(request), encoded, phases)
    return _complete(gathered, _rank(gathered))


def recall_as(
    tenant_id: UUID, request: RecallRequest, *, encoded: Encoded | None = None
) -> Recalled:
    """The same for callers that hold no scope."""
    planning.check(request.query)
    phases = Phases()
    encoded = encoded or _encode(request, phases)
    with tenancy.scope(tenant_id):
        gathered = gather(planning.plan(request), encoded, phases)
    ranked = _rank(gathered)
    with tenancy.scope(tenant_id):
        return _complete(gathered, ranked)


def _encode(request: RecallRequest, phases: Phases) -> Encoded:
    with phases.measure(Phase.ENCODE):
        return encode(request.query)


def _rank(gathered: Gathered) -> Ranked:
    with gathered.phases.measure(Phase.RERANK):
        return ranking.rank(gathered)


def _complete(gathered: Gathered, ranked: Ranked) -> Recalled:
    plan, phases = gathered.plan, gathered.phases
    request = plan.request
    if ranked.failure:
        events.record(EventName.RERANKER_FAILED, failure=ranked.failure, reranker=ranked.reranker)
    facts = _facts(plan, ranked)
    with phases.measure(Phase.PREFER):
        kept: Sequence[Scored] = ranked.kept
        if plan.prefers_observations:
            kept = sources.prefer_observations(
                kept,
                facts,
                within=2 * request.width,
                only_copies=not request.prefer_observations,
            )
        kept = merging.share_places(kept, request.k)
        kept = completing.cap_per_document(kept[: 2 * request.width], request.per_document)
    with phases.measure(Phase.CHUNKS):
        chunks = completing.chunks(plan, kept, facts)
    with phases.measure(Phase.TOKENS):
        hits = completing.select(plan, kept)
    extras = completing.extras(plan, hits, facts, phases)
    return Recalled(
        hits=extras.hits,
        reranker=ranked.reranker,
        floor=ranked.floor,
        best_score=ranked.best_score,
        abstained=ranked.abstains,
        degraded=_degraded(gathered, ranked),
        chunks=chunks,
        source_facts=extras.source_facts,
        source_facts_truncated=extras.source_facts_truncated,
        entities=extras.entities,
        provenance=extras.provenance,
        trace=trace.build(gathered, ranked, extras.hits) if request.trace else None,
    )


def _facts(plan: Plan, ranked: Ranked) -> sources.SourceIds:
    include = plan.request.include
    needed = (
        plan.prefers_observations or include.chunks is not None or include.source_facts is not None
    )
    observations = [one.row.id for one in ranked.kept if one.row.level is Level.L2]
    return sources.facts_of(observations) if needed and observations else {}


def _degraded(gathered: Gathered, ranked: Ranked) -> tuple[str, ...]:
    found = {"vectors": gathered.vectors_missing, "reranker": bool(ranked.failure)}
    return tuple(name for name, is_so in found.items() if is_so)
