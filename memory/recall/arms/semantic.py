"""The semantic arm: nearest vectors under every filter, in one statement for all scopes.

    few rows pass the filters   exact: every one of them is compared
    many                        HNSW, walked on until ``width`` rows passed the filters
    the walk found fewer        exact after all

The index of a recipe and level (``memory.vector_indexes``) is known by its expression and its
condition, so both are written into the statement.

A level without a filter still leaves out the few facts that lost to newer ones. There the nodes of
twice as many vectors are looked up, instead of the nodes of all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from django.db import connection

from memory.hits import ArmHit
from memory.recall.scope import Scope
from memory.seams import Recipe
from memory.vectors import as_literal

EXACT: Final = 12_000  # so many vectors are compared one by one faster than a filtered walk ends
_MAX_SCAN_TUPLES: Final = 20_000
_LEAST_EF_SEARCH: Final = 200  # below, a walk to few rows misses some of the nearest
_MAX_EF_SEARCH: Final = 1_000  # pgvector's own limit

_COUNT = "(SELECT count(*) AS count FROM (SELECT 1 FROM {rows} LIMIT %(sem_most)s) AS counted)"

# Of a small level every node is compared, whatever the filters let pass of it.
_COUNT_IF_LARGE = """
(SELECT CASE WHEN level.count <= %(sem_exact)s THEN level.count ELSE {filtered} END
 FROM {level} AS level)
"""

_NEAREST = """
(SELECT {place}, vector.node_id, 1 - ({embedding} <=> {query}) AS score
 FROM {rows}
 ORDER BY {embedding} <=> {query}
 LIMIT %(sem_width)s)
"""

_NEAREST_CURRENT = """
(SELECT {place}, vector.node_id, 1 - vector.distance AS score
 FROM (
    SELECT vector.tenant_id, vector.node_id, {embedding} <=> {query} AS distance
    FROM {rows}
    ORDER BY {embedding} <=> {query}
    LIMIT %(sem_twice)s
 ) AS vector{join}
 WHERE {check}
 ORDER BY vector.distance
 LIMIT %(sem_width)s)
"""

_JOIN = " JOIN memory_node node ON node.tenant_id = vector.tenant_id AND node.id = vector.node_id"

# From the nodes of a type, which may be few, to their vectors. The recipe is compared in a way that
# no index answers, for the reason that ``Scope.check`` has.
_OF_TYPE = """
    memory_node node JOIN memory_vector vector
      ON vector.tenant_id = node.tenant_id AND vector.node_id = node.id
     AND vector.recipe IS NOT DISTINCT FROM %(sem_recipe)s
    WHERE {condition}
"""

_SETTINGS = (
    # Strict order would throw away what a later round finds nearer than what was handed out.
    "set_config('hnsw.iterative_scan', 'relaxed_order', true)",
    "set_config('hnsw.ef_search', %(sem_ef)s::text, true)",
    "set_config('hnsw.max_scan_tuples', %(sem_tuples)s::text, true)",
)


@dataclass(frozen=True, slots=True)
class Found:
    """``hits`` best first; ``vectors`` is no less than what passed the filters, as far as it
    matters."""

    hits: tuple[ArmHit, ...] = ()
    vectors: int = 0
    is_exact: bool = True


def search(
    scopes: Sequence[Scope],
    vector: np.ndarray,
    recipe: Recipe,
    *,
    width: int,
    minimum: float | None = None,
) -> list[Found]:
    """For each scope the ``width`` nearest nodes by cosine, none below ``minimum``."""
    if not scopes or width <= 0:
        return [Found() for _ in scopes]
    statement = _Statement(scopes, vector, recipe, width)
    counts = statement.count()
    ways = {
        place: _Way(is_exact=count <= EXACT, looks_up_all=scopes[place].is_narrow)
        for place, count in enumerate(counts)
        if count
    }
    hits = statement.nearest(ways)
    short = {
        place: _Way(is_exact=True, looks_up_all=True)
        for place, way in ways.items()
        if len(hits[place]) < min(width, counts[place])
        and not way.is_certain(counts[place], width=width)
    }
    hits |= statement.nearest(short)
    return [
        Found(
            tuple(hit for hit in hits.get(place, ()) if minimum is None or hit.score >= minimum),
            count,
            place not in ways or ways[place].is_exact or place in short,
        )
        for place, count in enumerate(counts)
    ]


@dataclass(frozen=True, slots=True)
class _Way:
    """How the nearest of one scope are found."""

    is_exact: bool
    looks_up_all: bool  # the node of every vector, to filter by it

    def is_certain(self, count: int, *, width: int) -> bool:
        """Nothing that exists can have been missed."""
        return self.is_exact and (self.looks_up_all or count <= 2 * width)


class _Statement:
    """The parts that the statements of one search share."""

    def __init__(
        self, scopes: Sequence[Scope], vector: np.ndarray, recipe: Recipe, width: int
    ) -> None:
        self._scopes = scopes
        self._dimensions = recipe.dimensions
        self._size = f"halfvec({recipe.dimensions})"
        self._params: dict[str, Any] = {
            "sem_vector": as_literal(vector),
            "sem_recipe": recipe.name,
            "sem_width": width,
            "sem_twice": 2 * width,
            "sem_exact": EXACT,
            "sem_most": max(EXACT, width) + 1,
            "sem_ef": min(max(2 * width, _LEAST_EF_SEARCH), _MAX_EF_SEARCH),
            "sem_tuples": _MAX_SCAN_TUPLES,
        }
        for scope in scopes:
            self._params |= scope.check()[1]

    def count(self) -> list[int]:
        """How many of each scope there may be (facts that lost are counted), and the settings of
        the walk, which last as long as the transaction."""
        columns = [_count(scope) for scope in self._scopes]
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {', '.join((*columns, *_SETTINGS))}", self._params)
            return list(cursor.fetchone()[: len(columns)])

    def nearest(self, ways: Mapping[int, _Way]) -> dict[int, list[ArmHit]]:
        """By the place of the scope, best first."""
        hits: dict[int, list[ArmHit]] = {place: [] for place in ways}
        if not ways:
            return hits
        parts = [self.part(place, way) for place, way in ways.items()]
        with connection.cursor() as cursor:
            cursor.execute(" UNION ALL ".join(parts), self._params)
            for place, node_id, score in cursor.fetchall():
                hits[place].append(ArmHit(node_id, score))
        for found in hits.values():
            found.sort(key=lambda hit: (-hit.score, hit.node_id))
        return hits

    def part(self, place: int, way: _Way) -> str:
        scope = self._scopes[place]
        words = {
            "place": place,
            # Without the index's own cast the expression is another one, and no index answers it.
            "embedding": "vector.embedding"
            if way.is_exact
            else f"(vector.embedding::{self._size})",
            "query": f"%(sem_vector)s::{self._size}",
        }
        indexed = "" if way.is_exact else f" AND vector_dims(vector.embedding) = {self._dimensions}"
        if scope.is_of_type and way.is_exact:
            return _NEAREST.format(**words, rows=_OF_TYPE.format(condition=scope.condition()[0]))
        if scope.is_whole or way.looks_up_all:
            rows = _rows(scope, looks_up=not scope.is_whole, indexed=indexed)
            return _NEAREST.format(**words, rows=rows)
        rows = _rows(scope, looks_up=False, indexed=indexed)
        return _NEAREST_CURRENT.format(**words, rows=rows, join=_JOIN, check=scope.check()[0])


def _count(scope: Scope) -> str:
    # A type's nodes are counted instead of its vectors: never fewer, and there is an index.
    if scope.is_of_type:
        return _COUNT.format(rows=f"memory_node node WHERE {scope.condition()[0]}")
    level = _COUNT.format(rows=_rows(scope, looks_up=False))
    if not scope.is_narrow:
        return level
    filtered = _COUNT.format(rows=_rows(scope, looks_up=True))
    return _COUNT_IF_LARGE.format(level=level, filtered=filtered)


def _rows(scope: Scope, *, looks_up: bool, indexed: str = "") -> str:
    """``indexed``: what the index's condition says besides, where it shall be walked."""
    of_level = (
        f"vector.bank_id = %(scope_bank)s AND vector.level = '{scope.level.value}'"
        f" AND vector.recipe = %(sem_recipe)s{indexed}"
    )
    if not looks_up:
        return f"memory_vector vector WHERE {of_level}"
    return f"memory_vector vector{_JOIN} WHERE {of_level} AND {scope.check()[0]}"
