"""What observations and facts were made of, as far as a reply carries it along."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from memory import chunk_ids
from memory.hits import ChunkText, Hit
from memory.language.tokens import clip_tokens, count_tokens
from memory.levels import EdgeType, FactType, Level
from memory.models import Edge
from memory.recall import rows
from memory.recall.planning import Plan
from memory.recall.ranking import Scored
from memory.recall.rows import Row

SourceIds = Mapping[UUID, tuple[UUID, ...]]


def facts_of(observations: Iterable[UUID]) -> SourceIds:
    """The facts of each observation, oldest link first."""
    edges = (
        Edge.objects.filter(
            child_id__in=list(observations),
            child_level=Level.L2,
            type=EdgeType.DERIVED_FROM.value,
        )
        .order_by("created_at", "parent_id")
        .values_list("child_id", "parent_id")
    )
    found: dict[UUID, list[UUID]] = defaultdict(list)
    for child_id, parent_id in edges:
        found[child_id].append(parent_id)
    return {child_id: tuple(parents) for child_id, parents in found.items()}


def prefer_observations(
    scored: Sequence[Scored], facts: SourceIds, *, within: int, only_copies: bool = False
) -> list[Scored]:
    """Without the facts that an observation among the first ``within`` was made of; ``only_copies``:
    without those of them that have its words and name no other speaker."""
    said = {
        (fact_id, _words(one.row) if only_copies else None)
        for one in scored[:within]
        if one.row.fact_type is FactType.OBSERVATION
        for fact_id in facts.get(one.row.id, ())
    }
    return [
        one for one in scored if (one.row.id, _words(one.row) if only_copies else None) not in said
    ]


def _words(row: Row) -> tuple[str, str]:
    return row.speaker, row.text


def chunks(plan: Plan, ranked: Sequence[Row], facts: SourceIds, limit: int) -> dict[str, ChunkText]:
    """The raw passages that rows came from, in their order, ``limit`` tokens in all.

    An observation stands for the passages of its facts. The last one is cut to fit.
    """
    of_facts = rows.fetch(
        [fact_id for row in ranked for fact_id in facts.get(row.id, ())],
        documents=plan.request.documents,
    )
    wanted: dict[UUID, None] = {}
    for row in ranked:
        for one in (row, *(of_facts[id] for id in facts.get(row.id, ()) if id in of_facts)):
            if one.level is Level.L0:
                wanted[one.id] = None
            elif one.chunk_id is not None and one.chunk_index is not None:
                wanted[one.chunk_id] = None
    stored = rows.fetch(list(wanted), documents=plan.request.documents)
    return _fitting(plan, [stored[chunk_id] for chunk_id in wanted if chunk_id in stored], limit)


def _fitting(plan: Plan, stored: Sequence[Row], limit: int) -> dict[str, ChunkText]:
    found: dict[str, ChunkText] = {}
    left = limit
    for row in stored:
        if left <= 0:
            break
        index = row.chunk_index or 0
        name = str(chunk_ids.ChunkId(plan.bank_name, row.document_name or "", index))
        length = count_tokens(row.text)
        is_cut = length > left
        text = clip_tokens(row.text, left) if is_cut else row.text
        found[name] = ChunkText(name, text, index, is_cut)
        left -= length
    return found


@dataclass(frozen=True, slots=True)
class Budgets:
    """Tokens for source facts: over all (-1: no limit), or for each observation where >= 0."""

    total: int
    per_observation: int = -1


def fitting_facts(
    hits: Sequence[Hit], facts: SourceIds, stored: Mapping[UUID, Hit], budgets: Budgets
) -> tuple[dict[UUID, Hit], bool]:
    """The facts of the hits that fit, in the order of the hits, and whether some did not.

    A fact that is too long is passed over; one that is there already costs nothing.
    """
    found: dict[UUID, Hit] = {}
    is_truncated = False
    left = budgets.total
    for hit in hits:
        if budgets.per_observation >= 0:
            left = budgets.per_observation
        for fact_id in facts.get(hit.id, ()):
            fact = stored.get(fact_id)
            if fact is None or fact_id in found:
                continue
            if left >= 0 and fact.tokens > left:
                is_truncated = True
                continue
            found[fact_id] = fact
            if left >= 0:
                left -= fact.tokens
    return found, is_truncated
