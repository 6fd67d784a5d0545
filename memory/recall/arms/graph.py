"""The graph arm: what is connected with the best hits of the other arms.

    entity      tanh(½ n), n = entities shared with the seeds or named in the query
    semantic    the heaviest edge to or from a seed
    causal      the same for causes, caused_by, enables, prevents
    neighbour   the turn before or after a seed in its document

A node's score is the sum of the four. A second hop starts from the best of the first and counts
half; a node is scored where it is met first, so cycles end by themselves. Each entity leads to 200
nodes at most, counted after the filters.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.db import connection

from memory.hits import ArmHit
from memory.levels import CAUSAL, EdgeType, Level
from memory.recall.scope import Scope, uuid_array

HOPS: Final = 2
DECAY: Final = 0.5  # of the second hop
NEIGHBOUR: Final = 0.4
FAN_OUT: Final = 200
_ENTITIES: Final = 32  # that one hop goes through, those that most seeds mention first
_NEXT_SEEDS: Final = 10

_SEEDS = "%(graph_seeds_{place})s::uuid[]"

_BY_ENTITY = """
(SELECT {place} AS place, 'entity' AS signal, member.node_id, count(*)::float AS value
 FROM (
    SELECT entity_id FROM (
        SELECT entity_id FROM memory_nodeentity WHERE node_id = ANY({seeds})
        UNION ALL SELECT unnest(%(graph_named)s::uuid[])
    ) AS mentioned
    GROUP BY entity_id ORDER BY count(*) DESC, entity_id LIMIT %(graph_entities)s
 ) AS through
 CROSS JOIN LATERAL (
    SELECT link.node_id FROM memory_nodeentity link
    JOIN memory_node node ON node.tenant_id = link.tenant_id AND node.id = link.node_id
    WHERE link.entity_id = through.entity_id AND {condition}
    ORDER BY link.node_id LIMIT %(graph_fan_out)s
 ) AS member
 GROUP BY member.node_id
 ORDER BY count(*) DESC, member.node_id LIMIT %(graph_most)s)
"""

_BY_EDGE = """
(SELECT {place}, CASE WHEN edge.type = 'semantic' THEN 'semantic' ELSE 'causal' END,
    node.id, max(edge.weight)
 FROM memory_edge edge
 JOIN memory_node node ON node.tenant_id = edge.tenant_id AND node.id = edge.{far}
 WHERE edge.{near} = ANY({seeds}) AND edge.type = ANY(%(graph_types)s) AND {condition}
 GROUP BY 2, node.id)
"""

_BY_PLACE = """
(SELECT {place}, 'neighbour', node.id, 1.0
 FROM memory_node seed
 JOIN memory_node node ON node.tenant_id = seed.tenant_id
  AND node.document_id = seed.document_id AND node.level = seed.level
  AND node.ordinal IN (seed.ordinal - 1, seed.ordinal + 1)
 WHERE seed.id = ANY({seeds}) AND {condition})
"""

_TYPES: Final = [EdgeType.SEMANTIC.value, *(kind.value for kind in CAUSAL)]


def search(
    scopes: Sequence[Scope],
    seeds: Sequence[Sequence[UUID]],
    *,
    named: Sequence[UUID] = (),
    width: int,
    hops: int = HOPS,
) -> list[list[ArmHit]]:
    """For each scope up to ``width`` nodes, best first. Its seeds are not among them.

    ``named`` are entities that the query names. One statement for each hop.
    """
    scores: list[dict[UUID, float]] = [{} for _ in scopes]
    met = [set(of_scope) for of_scope in seeds]
    front: list[Sequence[UUID]] = list(seeds)
    for hop in range(hops):
        # Those that were met before come back too, and leave the width to the others.
        most = width + max(map(len, met), default=0)
        reached = _hop(scopes, front, named if hop == 0 else (), most=most)
        for place, found in enumerate(reached):
            fresh = {
                node_id: score * DECAY**hop
                for node_id, score in found.items()
                if node_id not in met[place]
            }
            scores[place] |= fresh
            met[place] |= fresh.keys()
            front[place] = _best(fresh)[:_NEXT_SEEDS]
        if not any(front):
            break
    return [
        [ArmHit(node_id, found[node_id]) for node_id in _best(found)[:width]] for found in scores
    ]


def _best(scores: dict[UUID, float]) -> list[UUID]:
    return sorted(scores, key=lambda node_id: (-scores[node_id], node_id))


def _hop(
    scopes: Sequence[Scope],
    seeds: Sequence[Sequence[UUID]],
    named: Sequence[UUID],
    *,
    most: int,
) -> list[dict[UUID, float]]:
    """What one step reaches from the seeds, by scope."""
    reached: list[dict[UUID, dict[str, float]]] = [{} for _ in scopes]
    params: dict[str, Any] = {
        "graph_named": uuid_array(named),
        "graph_entities": _ENTITIES,
        "graph_fan_out": FAN_OUT,
        "graph_most": most,
        "graph_types": _TYPES,
    }
    parts: list[str] = []
    for place, (scope, starts) in enumerate(zip(scopes, seeds, strict=True)):
        if scope.level is Level.R or not (starts or named):
            continue  # references have neither edges nor entities
        condition, of_scope = scope.check()
        params |= of_scope | {f"graph_seeds_{place}": uuid_array(starts)}
        where = {"place": place, "seeds": _SEEDS.format(place=place), "condition": condition}
        parts.append(_BY_ENTITY.format(**where))
        if starts:
            parts.append(_BY_EDGE.format(**where, near="child_id", far="parent_id"))
            parts.append(_BY_EDGE.format(**where, near="parent_id", far="child_id"))
            parts.append(_BY_PLACE.format(**where))
    if parts:
        with connection.cursor() as cursor:
            cursor.execute(" UNION ALL ".join(parts), params)
            for place, signal, node_id, value in cursor.fetchall():
                signals = reached[place].setdefault(node_id, {})
                signals[signal] = max(signals.get(signal, 0.0), value)
    return [{node_id: _sum(signals) for node_id, signals in found.items()} for found in reached]


def _sum(signals: dict[str, float]) -> float:
    return (
        math.tanh(0.5 * signals.get("entity", 0.0))
        + signals.get("semantic", 0.0)
        + signals.get("causal", 0.0)
        + NEIGHBOUR * signals.get("neighbour", 0.0)
    )
