"""Entities of a bank: who and what its memories mention, and who is mentioned together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Count, Max, Min, Q, QuerySet
from django.db.models.functions import Coalesce

from memory import tenancy
from memory.browsing.filters import Page, tagged
from memory.browsing.memories import memories_of
from memory.levels import Level
from memory.models import Bank, Entity, Node, NodeEntity
from memory.recall import tag_sql
from memory.tags import TagFilter

# How often two entities stand in one current fact, and when that was last.
_TOGETHER = """
    SELECT one.entity_id, other.entity_id, count(*),
        max(coalesce(node.mentioned_at, node.created_at)), count(*) OVER ()
    FROM memory_node node
    JOIN memory_nodeentity one ON one.tenant_id = node.tenant_id AND one.node_id = node.id
    JOIN memory_nodeentity other
      ON other.tenant_id = node.tenant_id AND other.node_id = node.id
     AND other.entity_id > one.entity_id
    WHERE node.tenant_id = %(tenant)s AND node.bank_id = %(bank)s AND node.level = %(level)s
      AND node.superseded_at IS NULL AND {condition}
    GROUP BY one.entity_id, other.entity_id
    HAVING count(*) >= %(least)s
    ORDER BY count(*) DESC, one.entity_id, other.entity_id
    LIMIT %(most)s
"""


@dataclass(frozen=True, slots=True)
class EntityRow:
    """``mentions`` and both times are of the memories that the filter lets through."""

    id: UUID
    name: str
    mentions: int
    first_seen: datetime
    last_seen: datetime


@dataclass(frozen=True, slots=True)
class Pair:
    source: UUID
    target: UUID
    together: int
    last: datetime


@dataclass(frozen=True, slots=True)
class EntityGraph:
    nodes: Sequence[EntityRow]
    pairs: Sequence[Pair]
    total_nodes: int
    total_pairs: int


def listed(bank: Bank, wanted: TagFilter | None, *, limit: int, offset: int) -> Page[EntityRow]:
    """Most mentioned first."""
    counted = _counted(bank, wanted).order_by("-mentions", "entity__name")
    return Page(
        [_row(values) for values in counted[offset : offset + limit]],
        counted.count(),
        limit,
        offset,
    )


def find(bank: Bank, entity_id: UUID, wanted: TagFilter | None) -> EntityRow | None:
    """None also where no memory that the filter lets through mentions it."""
    values = _counted(bank, wanted).filter(entity_id=entity_id).order_by("entity_id").first()
    return _row(values) if values else None


def observations_about(bank: Bank, entity_id: UUID, wanted: TagFilter | None) -> list[Node]:
    """Current observations that mention it, latest first."""
    mentions = NodeEntity.objects.filter(entity_id=entity_id)
    nodes = tagged(memories_of(bank), wanted).filter(
        Q(superseded_at=None), level=Level.L2, pk__in=mentions.values("node_id")
    )
    return list(nodes.order_by("-mentioned_at", "pk")[:50])


def graph(bank: Bank, wanted: TagFilter | None, *, limit: int, least: int) -> EntityGraph:
    """The strongest ``limit`` pairs with the entities in them."""
    pairs, total = _pairs(bank, wanted, limit=limit, least=least)
    ends = {end for pair in pairs for end in (pair.source, pair.target)}
    counted = _counted(bank, wanted)
    nodes = [_row(values) for values in counted.filter(entity_id__in=ends)]
    return EntityGraph(
        sorted(nodes, key=lambda row: (-row.mentions, row.name)), pairs, counted.count(), total
    )


def _counted(bank: Bank, wanted: TagFilter | None) -> QuerySet[Any, Any]:
    nodes = tagged(memories_of(bank), wanted).filter(superseded_at=None)
    mentions = NodeEntity.objects.filter(node_id__in=nodes.values("pk"))
    mentions = mentions.filter(entity__in=Entity.objects.filter(bank_id=bank.pk))
    said = Coalesce("node__mentioned_at", "node__created_at")
    return (
        mentions.order_by()
        .values("entity_id", "entity__name")
        .annotate(mentions=Count("node_id"), first=Min(said), last=Max(said))
    )


def _row(values: Any) -> EntityRow:
    return EntityRow(
        values["entity_id"],
        values["entity__name"],
        values["mentions"],
        values["first"],
        values["last"],
    )


def _pairs(
    bank: Bank, wanted: TagFilter | None, *, limit: int, least: int
) -> tuple[list[Pair], int]:
    condition, params = tag_sql.condition(wanted) if wanted is not None else ("TRUE", {})
    with connection.cursor() as cursor:
        cursor.execute(
            _TOGETHER.format(condition=condition),
            {
                "tenant": tenancy.require(),
                "bank": bank.pk,
                "level": Level.L1,
                "least": least,
                "most": max(limit, 1),  # the total comes with a row
                **params,
            },
        )
        rows = cursor.fetchall()
    return [Pair(*row[:4]) for row in rows[:limit]], rows[0][4] if rows else 0
