"""Connects new facts with each other and with what the bank holds. Under the bank's lock.

temporal   within a day of each other, nearer is heavier; at most 20 of a fact
semantic   the nearest by meaning, from a cosine on that belongs to the encoder; at most 50
causal     what a fact says of the one before it
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import connection
from django.utils import timezone

from memory import entities, tenancy
from memory.entities import Mentioning
from memory.hits import ArmHit
from memory.levels import EdgeType, Level
from memory.models import Node
from memory.retain import edges, neighbours
from memory.retain.edges import NewEdge
from memory.retain.nearness import thresholds
from memory.retain.plans import Plan
from memory.seams import Recipe

_NEIGHBOURS: Final = 10  # facts of the same document, before a fact
_TEMPORAL: Final = 20
_DAY: Final = 24.0  # hours
_LIGHTEST: Final = 0.3

# The nearest in time on either side. Each branch walks an index from the fact's own time outwards and
# stops, so that a bank of one busy day costs no more than another.
_NEAR_IN_TIME = """
    SELECT fresh.id, near.id, near.at
    FROM unnest(%(ids)s::uuid[], %(times)s::timestamptz[], %(documents)s::uuid[])
        AS fresh (id, at, document_id)
    CROSS JOIN LATERAL (
        SELECT either.id, either.at FROM (
            {branches}
        ) AS either
        WHERE either.document_id <> fresh.document_id
        ORDER BY abs(extract(epoch FROM either.at - fresh.at)), either.id
        LIMIT %(most)s
    ) AS near
"""

_BRANCH = """
    (SELECT other.id, other.{column} AS at, other.document_id FROM memory_node other
     WHERE other.tenant_id = %(tenant)s AND other.bank_id = %(bank)s AND other.level = 'L1'
       AND other.{column} {after} fresh.at
       AND other.{column} {within} fresh.at {sign} interval '24 hours' {condition}
     ORDER BY other.{column} {order} LIMIT %(walk)s)
"""

_SIDES = (
    {"after": "<=", "within": ">=", "sign": "-", "order": "DESC"},
    {"after": ">", "within": "<=", "sign": "+", "order": "ASC"},
)
_COLUMNS = (
    {"column": "occurred_start", "condition": ""},
    {"column": "mentioned_at", "condition": "AND other.occurred_start IS NULL"},
)
_NEAR = _NEAR_IN_TIME.format(
    branches=" UNION ALL ".join(
        _BRANCH.format(**side, **column) for side in _SIDES for column in _COLUMNS
    )
)


def connect(bank_id: UUID, plans: Sequence[Plan], recipe: Recipe) -> dict[UUID, tuple[ArmHit, ...]]:
    """Entities and edges of the facts that ``plans`` added, which are saved already.

    Returns what each of them is near to by meaning, best first, whether it made an edge or not.
    """
    new = {node.pk for plan in plans for node in plan.added if node.level == Level.L1}
    facts = [fact for plan in plans for fact in plan.facts if fact.pk in new]
    now = timezone.now()
    entities.link(
        bank_id,
        [
            Mentioning(fact.pk, plan.mentions.get(fact.pk, ()), when(fact) or now)
            for plan in plans
            for fact in plan.facts
            if fact.pk in new
        ],
    )
    near = neighbours.near(bank_id, [fact.pk for fact in facts], recipe)
    _Edges(bank_id, plans, new).save(near, thresholds(recipe.name).semantic)
    return near


def when(fact: Node) -> datetime | None:
    """The one time by which a fact is near to others."""
    return fact.occurred_start or fact.mentioned_at


class _Edges:
    """The edges of one batch, each pair and type once."""

    def __init__(self, bank_id: UUID, plans: Sequence[Plan], new: set[UUID]) -> None:
        self._bank_id, self._plans, self._new = bank_id, plans, new
        self._edges: dict[tuple[UUID, UUID, EdgeType], NewEdge] = {}

    def save(self, near: dict[UUID, tuple[ArmHit, ...]], semantic_from: float) -> None:
        self._temporal()
        for child, hits in near.items():
            for hit in hits:
                if hit.score >= semantic_from:
                    self._add(child, EdgeType.SEMANTIC, hit.node_id, hit.score)
        for plan in self._plans:
            for cause in plan.causes:
                self._add(cause.child.pk, cause.type, cause.parent.pk, 1.0)
        edges.add(self._bank_id, self._edges.values())

    def _temporal(self) -> None:
        room: dict[UUID, int] = {}
        asked: list[Node] = []
        for plan in self._plans:
            for place, fact in enumerate(plan.facts):
                time = when(fact)
                if fact.pk not in self._new or time is None:
                    continue
                room[fact.pk] = _TEMPORAL
                asked.append(fact)
                for other in plan.facts[max(0, place - _NEIGHBOURS) : place]:
                    if (other_time := when(other)) is not None:
                        room[fact.pk] -= self._near(fact.pk, time, other.pk, other_time)
        if not asked:
            return
        times = {fact.pk: when(fact) for fact in asked}
        with connection.cursor() as cursor:
            cursor.execute(
                _NEAR,
                {
                    "ids": list(times),
                    "times": list(times.values()),
                    "documents": [fact.document_id for fact in asked],
                    "tenant": tenancy.require(),
                    "bank": self._bank_id,
                    "walk": _TEMPORAL * 2,
                    "most": _TEMPORAL,
                },
            )
            rows = cursor.fetchall()
        for child, parent, at in rows:
            time = times[child]
            if room[child] > 0 and time is not None:
                room[child] -= self._near(child, time, parent, at)

    def _near(self, child: UUID, time: datetime, parent: UUID, other: datetime) -> bool:
        hours = abs((time - other).total_seconds()) / 3600
        if hours > _DAY:
            return False
        return self._add(child, EdgeType.TEMPORAL, parent, max(_LIGHTEST, 1 - hours / _DAY))

    def _add(self, child: UUID, kind: EdgeType, parent: UUID, weight: float) -> bool:
        """False where the two are connected like this already, whichever is the child."""
        is_mutual = kind in (EdgeType.TEMPORAL, EdgeType.SEMANTIC)
        key = (child, parent, kind)
        if key in self._edges or (is_mutual and (parent, child, kind) in self._edges):
            return False
        self._edges[key] = NewEdge(child, kind, parent, min(1.0, weight))
        return True
