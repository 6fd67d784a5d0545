"""The graph arm: what is connected with the best hits of the other arms.

    entity      tanh(½ n), n = entities shared with the seeds or named in the query
    semantic    the heaviest edge to or from a seed
    causal      the same for causes, caused_by, enables, prevents
    neighbour   the turn before or after a seed in its document

A node's score is the sum of the four. A second hop starts from the best of the first and counts
half; a node is scored where it is met first, so cycles end by themselves. Each entity leads to 200
nodes at most, counted after the filters.

All of it is one statement: what a hop reaches goes on to the next without leaving the database.
"""

from __future__ import annotations

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

# ``start_N`` is where hop N starts from and ``met_N`` what was met before it, of every place.
_SEEDS = """
start_0 (place, node_id) AS (
    SELECT * FROM unnest(%(graph_places)s::int[], %(graph_seeds)s::uuid[])
),
met_0 AS (SELECT place, node_id FROM start_0)
"""

_HOP = """
signals_{hop} (place, signal, node_id, value) AS ({signals}),
reached_{hop} AS MATERIALIZED (
    SELECT place, node_id, {decay} * (
        tanh(0.5 * coalesce(max(value) FILTER (WHERE signal = 'entity'), 0))
        + coalesce(max(value) FILTER (WHERE signal = 'semantic'), 0)
        + coalesce(max(value) FILTER (WHERE signal = 'causal'), 0)
        + {neighbour} * coalesce(max(value) FILTER (WHERE signal = 'neighbour'), 0)
    ) AS score
    FROM signals_{hop}
    WHERE (place, node_id) NOT IN (SELECT place, node_id FROM met_{hop})
    GROUP BY place, node_id
),
start_{next} AS MATERIALIZED (
    SELECT place, node_id FROM (
        SELECT place, node_id,
            row_number() OVER (PARTITION BY place ORDER BY score DESC, node_id) AS rank
        FROM reached_{hop}
    ) AS ranked
    WHERE rank <= %(graph_next_seeds)s
),
met_{next} AS (
    SELECT place, node_id FROM met_{hop} UNION ALL SELECT place, node_id FROM reached_{hop}
)
"""

_BEST = """
SELECT place, node_id, score FROM (
    SELECT place, node_id, score,
        row_number() OVER (PARTITION BY place ORDER BY score DESC, node_id) AS rank
    FROM ({reached}) AS reached
) AS ranked
WHERE rank <= %(graph_width)s
ORDER BY place, rank
"""

_STARTS = "ARRAY(SELECT node_id FROM start_{hop} WHERE place = {place})"

# Nodes that were met before come back too, and leave the width to the others.
_BY_ENTITY = """
(SELECT {place} AS place, 'entity' AS signal, member.node_id, count(*)::float AS value
 FROM (
    SELECT entity_id FROM (
        SELECT entity_id FROM memory_nodeentity WHERE node_id = ANY({starts})
        UNION ALL SELECT unnest({named})
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
 ORDER BY count(*) DESC, member.node_id
 LIMIT %(graph_width)s + (SELECT count(*) FROM met_{hop} WHERE place = {place}))
"""

_BY_EDGE = """
(SELECT {place}, CASE WHEN edge.type = 'semantic' THEN 'semantic' ELSE 'causal' END,
    node.id, max(edge.weight)
 FROM memory_edge edge
 JOIN memory_node node ON node.tenant_id = edge.tenant_id AND node.id = edge.{far}
 WHERE edge.{near} = ANY({starts}) AND edge.type = ANY(%(graph_types)s) AND {condition}
 GROUP BY 2, node.id)
"""

_BY_PLACE = """
(SELECT {place}, 'neighbour', node.id, 1.0
 FROM memory_node seed
 JOIN memory_node node ON node.tenant_id = seed.tenant_id
  AND node.document_id = seed.document_id AND node.level = seed.level
  AND node.ordinal IN (seed.ordinal - 1, seed.ordinal + 1)
 WHERE seed.id = ANY({starts}) AND {condition})
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

    ``named`` are entities that the query names. One statement.
    """
    hits: list[list[ArmHit]] = [[] for _ in scopes]
    # References have neither edges nor entities.
    searched = {
        place: scope
        for place, scope in enumerate(scopes)
        if scope.level is not Level.R and (seeds[place] or named)
    }
    if not searched:
        return hits
    params: dict[str, Any] = {
        "graph_places": [place for place in searched for _ in seeds[place]],
        "graph_seeds": uuid_array(node_id for place in searched for node_id in seeds[place]),
        "graph_named": uuid_array(named),
        "graph_entities": _ENTITIES,
        "graph_fan_out": FAN_OUT,
        "graph_next_seeds": _NEXT_SEEDS,
        "graph_width": width,
        "graph_types": _TYPES,
    }
    for scope in searched.values():
        params |= scope.check()[1]
    with connection.cursor() as cursor:
        cursor.execute(_statement(searched, hops), params)
        for place, node_id, score in cursor.fetchall():
            hits[place].append(ArmHit(node_id, score))
    return hits


def _statement(scopes: dict[int, Scope], hops: int) -> str:
    steps = [
        _HOP.format(
            hop=hop,
            next=hop + 1,
            decay=DECAY**hop,
            neighbour=NEIGHBOUR,
            signals=" UNION ALL ".join(
                part for place, scope in scopes.items() for part in _signals(place, scope, hop)
            ),
        )
        for hop in range(hops)
    ]
    reached = " UNION ALL ".join(f"SELECT * FROM reached_{hop}" for hop in range(hops))
    return f"WITH {', '.join((_SEEDS, *steps))} {_BEST.format(reached=reached)}"


def _signals(place: int, scope: Scope, hop: int) -> list[str]:
    words = {
        "place": place,
        "hop": hop,
        "starts": _STARTS.format(place=place, hop=hop),
        "named": "%(graph_named)s::uuid[]" if hop == 0 else "'{}'::uuid[]",
        "condition": scope.check()[0],
    }
    return [
        _BY_ENTITY.format(**words),
        _BY_EDGE.format(**words, near="child_id", far="parent_id"),
        _BY_EDGE.format(**words, near="parent_id", far="child_id"),
        _BY_PLACE.format(**words),
    ]
