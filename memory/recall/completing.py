"""What comes back: as many hits as fit, with what was asked for beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from memory import budget, chunk_ids
from memory.hits import Ancestor, Arm, ChunkText, EntityRef, Hit, Scores
from memory.language.tokens import count_tokens
from memory.levels import Level
from memory.recall import entities, provenance, rows, sources
from memory.recall.phases import Phase, Phases
from memory.recall.planning import Plan
from memory.recall.ranking import Scored
from memory.recall.rows import Row
from memory.recall.sources import Budgets, SourceIds


def cap_per_document(scored: Sequence[Scored], most: int | None) -> list[Scored]:
    """At most so many of one document. Memories without a document are not counted."""
    if most is None:
        return list(scored)
    taken: Counter[UUID] = Counter()
    kept = []
    for one in scored:
        if one.row.document_id is not None:
            taken[one.row.document_id] += 1
            if taken[one.row.document_id] > most:
                continue
        kept.append(one)
    return kept


def select(plan: Plan, scored: Sequence[Scored]) -> list[Hit]:
    """The hits that fit, ranked from 1."""
    request = plan.request
    lengths: list[int] = []

    def counted() -> Iterator[int]:
        """Counted as far as they are asked for."""
        for one in scored:
            lengths.append(count_tokens(one.row.text))
            yield lengths[-1]

    chosen = budget.select(counted(), request.max_tokens, most=request.k)
    return [
        replace(
            hit_of(plan.bank_name, scored[place].row, scores(scored[place]), rank=rank),
            tokens=lengths[place],
            over_budget=chosen.is_over,
        )
        for rank, place in enumerate(chosen.taken, start=1)
    ]


def chunks(plan: Plan, scored: Sequence[Scored], facts: SourceIds) -> dict[str, ChunkText] | None:
    """Raw passages of the best, whether or not their facts fit."""
    limit = plan.request.include.chunks
    if limit is None:
        return None
    return sources.chunks(plan, [one.row for one in scored[: plan.request.k]], facts, limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extras:
    """What was asked for beside the hits, which now carry what concerns one of them."""

    hits: tuple[Hit, ...]
    source_facts: Mapping[UUID, Hit] | None = None
    source_facts_truncated: bool | None = None
    entities: Mapping[str, EntityRef] | None = None
    provenance: Mapping[UUID, tuple[Ancestor, ...]] | None = None


def extras(plan: Plan, hits: Sequence[Hit], facts: SourceIds, phases: Phases) -> Extras:
    include = plan.request.include
    found = Extras(hits=tuple(hits))
    if include.source_facts is not None:
        with phases.measure(Phase.SOURCES):
            found = _with_source_facts(plan, found, facts)
    if include.entities:
        with phases.measure(Phase.ENTITIES):
            found = _with_entities(found)
    if include.provenance:
        asked = [hit.id for hit in hits if hit.level in (Level.L1, Level.L2)]
        found = replace(found, provenance=provenance.walk(asked))
    return found


def _with_source_facts(plan: Plan, found: Extras, facts: SourceIds) -> Extras:
    include = plan.request.include
    assert include.source_facts is not None
    stored = rows.fetch(
        [fact_id for hit in found.hits for fact_id in facts.get(hit.id, ())],
        documents=plan.request.documents,
    )
    shown = {
        fact_id: replace(
            hit_of(plan.bank_name, row, Scores(final=0.0), rank=0), tokens=count_tokens(row.text)
        )
        for fact_id, row in stored.items()
    }
    fitting, is_truncated = sources.fitting_facts(
        found.hits, facts, shown, Budgets(include.source_facts, include.per_observation)
    )
    return replace(
        found,
        hits=tuple(
            replace(hit, source_fact_ids=facts.get(hit.id, ())) if hit.level is Level.L2 else hit
            for hit in found.hits
        ),
        source_facts=fitting,
        source_facts_truncated=is_truncated,
    )


def _with_entities(found: Extras) -> Extras:
    """By name, on each hit and all together."""
    facts = tuple((found.source_facts or {}).values())
    mentioned = entities.of_nodes([hit.id for hit in (*found.hits, *facts)])

    def named(hit: Hit) -> Hit:
        return replace(hit, entities=tuple(one.name for one in mentioned.get(hit.id, ())))

    return replace(
        found,
        hits=tuple(map(named, found.hits)),
        source_facts=None if found.source_facts is None else {hit.id: named(hit) for hit in facts},
        entities={one.name: one for hit in found.hits for one in mentioned.get(hit.id, ())},
    )


def scores(scored: Scored) -> Scores:
    found = scored.fused.scores
    return Scores(
        final=scored.final,
        reranker=scored.reranker,
        semantic=found.get(Arm.SEMANTIC),
        keyword=found.get(Arm.KEYWORD),
    )


def hit_of(bank_name: str, row: Row, scores: Scores, *, rank: int) -> Hit:
    return Hit(
        id=row.id,
        sha=row.sha,
        level=row.level,
        fact_type=row.fact_type,
        text=row.text,
        scores=scores,
        rank=rank,
        heading_path=row.heading_path,
        source_uri=row.source_uri,
        speaker=row.speaker,
        context=row.context,
        metadata=row.metadata,
        tags=row.tags,
        occurred_start=row.occurred_start,
        occurred_end=row.occurred_end,
        mentioned_at=row.mentioned_at,
        superseded_at=row.superseded_at,
        trust=row.trust,
        proof_count=row.proof_count,
        document_id=row.document_id,
        document_name=row.document_name,
        chunk_id=chunk_id(bank_name, row),
        char_start=row.char_start,
        char_end=row.char_end,
    )


def chunk_id(bank_name: str, row: Row) -> str | None:
    """The raw passage's id as callers see it. A page has none of those: its chunk's own id."""
    if row.document_name is not None and row.chunk_index is not None:
        return str(chunk_ids.ChunkId(bank_name, row.document_name, row.chunk_index))
    if row.level is Level.R and row.chunk_id is not None:
        return str(row.chunk_id)
    return None
