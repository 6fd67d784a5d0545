"""The temporal arm: what happened or was told in the period that the query speaks of.

It ranks and never filters. The most similar memories of the period enter; a score is how near the
middle of the period they lie (``scoring.proximity``). From ten of them, spread over the period, it
goes on along temporal and causal edges: what led to them and what came of it may lie outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

import numpy as np
from django.db import connection

from memory import scoring
from memory.hits import ArmHit, Window
from memory.levels import EdgeType
from memory.recall.scope import Scope
from memory.scoring import Times
from memory.seams import Recipe
from memory.vectors import as_literal

_LONGEST_SPAN: Final = timedelta(days=366)  # a memory of a longer span is not of a period
_FIRST: Final = datetime.min.replace(tzinfo=UTC)
_BUCKETS: Final = 8
_STARTS: Final = 10
_STEPS: Final = 2
_PER_SOURCE: Final = 10
_LOST: Final = 0.7  # what is left of a score after one edge
_LEAST: Final = 0.2
_LEAST_WEIGHT: Final = 0.1
_BOOST: Final = {
    EdgeType.CAUSES.value: 2.0,
    EdgeType.CAUSED_BY.value: 2.0,
    EdgeType.ENABLES.value: 1.5,
    EdgeType.PREVENTS.value: 1.5,
    EdgeType.TEMPORAL.value: 1.0,
}

_COLUMNS = "node.tenant_id, node.id, node.occurred_start, node.occurred_end, node.mentioned_at"

# Two ranges of two indexes: when it happened, and when it was told.
_IN_WINDOW = """
(SELECT {place}, node.id, node.occurred_start, node.occurred_end, node.mentioned_at,
    1 - (vector.embedding <=> %(time_vector)s::halfvec) AS similarity
 FROM (
    SELECT {columns} FROM memory_node node
    WHERE {condition}
      AND node.occurred_start BETWEEN %(time_earliest)s AND %(time_end)s
      AND coalesce(node.occurred_end, node.occurred_start) >= %(time_start)s
    UNION
    SELECT {columns} FROM memory_node node
    WHERE {condition} AND node.mentioned_at BETWEEN %(time_start)s AND %(time_end)s
 ) AS node
 LEFT JOIN memory_vector vector ON vector.tenant_id = node.tenant_id
  AND vector.node_id = node.id AND vector.recipe = %(time_recipe)s
 ORDER BY similarity DESC NULLS LAST, node.id
 LIMIT %(time_width)s)
"""

_ALONG = """
(SELECT {place}, start.id, start.score, edge.type, edge.weight, edge.node_id
 FROM unnest(%(time_starts_{place})s::uuid[], %(time_scores_{place})s::float[]) AS start (id, score)
 CROSS JOIN LATERAL (
    SELECT both_ways.type, both_ways.weight, node.id AS node_id
    FROM (
        SELECT type, weight, parent_id AS far FROM memory_edge WHERE child_id = start.id
        UNION ALL SELECT type, weight, child_id FROM memory_edge WHERE parent_id = start.id
    ) AS both_ways
    JOIN memory_node node ON node.id = both_ways.far
    WHERE both_ways.type = ANY(%(time_types)s) AND both_ways.weight >= %(time_weight)s
      AND {condition}
    ORDER BY both_ways.weight DESC, node.id LIMIT %(time_per_source)s
 ) AS edge)
"""


@dataclass(frozen=True, slots=True)
class _Entry:
    node_id: UUID
    times: Times
    score: float
    similarity: float


def search(
    scopes: Sequence[Scope],
    window: Window,
    *,
    vector: np.ndarray | None,
    recipe: Recipe | None,
    width: int,
) -> list[list[ArmHit]]:
    """For each scope up to ``width`` nodes, best first."""
    entries = _entries(scopes, window, vector, recipe, width)
    scores = [{entry.node_id: entry.score for entry in of_scope} for of_scope in entries]
    front = [
        {entry.node_id: entry.score for entry in _spread(of_scope, window)} for of_scope in entries
    ]
    for _ in range(_STEPS):
        front = [
            {
                node_id: score
                for node_id, score in reached.items()
                if score > found.get(node_id, 0.0)
            }
            for reached, found in zip(_along(scopes, front), scores, strict=True)
        ]
        if not any(front):
            break
        for found, reached in zip(scores, front, strict=True):
            found |= reached
    return [_best(found)[:width] for found in scores]


def _best(scores: dict[UUID, float]) -> list[ArmHit]:
    """Ties keep the order in which they were found: that of similarity."""
    ordered = sorted(scores.items(), key=lambda pair: -pair[1])
    return [ArmHit(node_id, score) for node_id, score in ordered]


def _entries(
    scopes: Sequence[Scope],
    window: Window,
    vector: np.ndarray | None,
    recipe: Recipe | None,
    width: int,
) -> list[list[_Entry]]:
    """Of each scope what lies in the window, the most similar first."""
    entries: list[list[_Entry]] = [[] for _ in scopes]
    if not scopes:
        return entries
    params: dict[str, Any] = {
        "time_vector": None if vector is None else as_literal(vector),
        "time_recipe": recipe.name if recipe else "",
        "time_earliest": window.start - min(_LONGEST_SPAN, window.start - _FIRST),
        "time_start": window.start,
        "time_end": window.end,
        "time_width": width,
    }
    parts = []
    for place, scope in enumerate(scopes):
        condition, of_scope = scope.condition()
        params |= of_scope
        parts.append(_IN_WINDOW.format(place=place, columns=_COLUMNS, condition=condition))
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts), params)
        for place, node_id, start, end, told, similarity in cursor.fetchall():
            times = Times(start, end, told)
            near = scoring.proximity(times, window)
            if near is not None:
                entries[place].append(_Entry(node_id, times, near, similarity or 0.0))
    for found in entries:
        found.sort(key=lambda entry: (-entry.similarity, entry.node_id))
    return entries


def _spread(entries: Sequence[_Entry], window: Window) -> list[_Entry]:
    """A few entries from all over the window: round by round the most similar of each part."""
    length = max((window.end - window.start) / _BUCKETS, timedelta(microseconds=1))
    buckets: list[list[_Entry]] = [[] for _ in range(_BUCKETS)]
    for entry in entries:
        at = entry.times.best
        place = 0 if at is None else int((at - window.start) / length)
        buckets[min(max(place, 0), _BUCKETS - 1)].append(entry)
    rounds = max(map(len, buckets), default=0)
    spread = [bucket[turn] for turn in range(rounds) for bucket in buckets if turn < len(bucket)]
    return spread[:_STARTS]


def _along(scopes: Sequence[Scope], front: Sequence[dict[UUID, float]]) -> list[dict[UUID, float]]:
    """One step along the edges, with what is left of the scores."""
    reached: list[dict[UUID, float]] = [{} for _ in scopes]
    params: dict[str, Any] = {
        "time_types": list(_BOOST),
        "time_weight": _LEAST_WEIGHT,
        "time_per_source": _PER_SOURCE,
    }
    parts = []
    for place, (scope, starts) in enumerate(zip(scopes, front, strict=True)):
        if not starts:
            continue
        condition, of_scope = scope.check()
        params |= of_scope | {
            f"time_starts_{place}": list(starts),
            f"time_scores_{place}": list(starts.values()),
        }
        parts.append(_ALONG.format(place=place, condition=condition))
    if not parts:
        return reached
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts), params)
        for place, _, score, kind, weight, node_id in cursor.fetchall():
            left = min(score * weight * _BOOST[kind] * _LOST, 1.0)
            if left > _LEAST:
                reached[place][node_id] = max(reached[place].get(node_id, 0.0), left)
    return reached
