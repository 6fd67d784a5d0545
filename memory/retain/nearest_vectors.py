"""The nearest vectors of many facts at once.

    few facts for a large bank   one search for each, through the index
    many                         one pass over the bank's vectors, all facts against each block

A pass compares every pair, so it finds what a search finds, and what the index's walk may miss.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

import numpy as np
from django.db import connection

from memory import tenancy
from memory.hits import ArmHit
from memory.models import Vector
from memory.recall.arms import semantic
from memory.recall.scope import Scope
from memory.seams import Recipe

_WORTH: Final = 250  # vectors are read in a pass in the time of one search
_BLOCK: Final = 4_096  # vectors of the bank at a time,
_ROWS: Final = 2_048  # and facts: 32 MiB of cosines

_GRAIN: Final = 1 << 20  # of a cosine: below lies what the order of summing changes
_BITS: Final = 32  # of a place
_LAST: Final = (1 << _BITS) - 1
_NOTHING: Final = -2 * _GRAIN << _BITS

_VECTORS: Final = """
    SELECT vector.node_id, halfvec_send(vector.embedding)
    FROM memory_vector vector
    JOIN memory_node node ON node.tenant_id = vector.tenant_id AND node.id = vector.node_id
    WHERE vector.tenant_id = %(tenant)s AND vector.bank_id = %(bank)s AND vector.level = '{level}'
      AND vector.recipe = %(recipe)s AND {check}
    ORDER BY vector.node_id
"""
# As PostgreSQL sends a halfvec: its size, an unused number, and the values.
_HEADER: Final = 2


def search(
    scope: Scope, fact_ids: Sequence[UUID], recipe: Recipe, *, width: int, minimum: float
) -> dict[UUID, tuple[ArmHit, ...]]:
    """For each fact that has a vector the ``width`` nearest others of the scope, best first."""
    asked = _vectors_of(fact_ids, recipe)
    # The same words are looked for once.
    rows = list({row.tobytes(): row for row in asked.values()}.values())
    if not rows:
        return {}
    # A fact is the nearest to itself.
    if _has_at_most(len(rows) * _WORTH, scope, recipe):
        found = _Pass(np.stack(rows), width=width + 1, minimum=minimum).over(scope, recipe)
    else:
        found = [
            semantic.search([scope], row, recipe, width=width + 1, minimum=minimum)[0].hits
            for row in rows
        ]
    by_row = {row.tobytes(): hits for row, hits in zip(rows, found, strict=True)}
    return {
        fact_id: tuple(hit for hit in by_row[row.tobytes()] if hit.node_id != fact_id)[:width]
        for fact_id, row in asked.items()
    }


def _vectors_of(fact_ids: Sequence[UUID], recipe: Recipe) -> dict[UUID, np.ndarray]:
    # The recipe is looked at here: without statistics PostgreSQL would read all of its vectors.
    stored = Vector.objects.filter(node_id__in=list(fact_ids))
    return {
        node_id: np.asarray(vector, np.float32)
        for node_id, of, vector in stored.values_list("node_id", "recipe", "embedding")
        if of == recipe.name
    }


def _has_at_most(most: int, scope: Scope, recipe: Recipe) -> bool:
    held = Vector.objects.filter(bank_id=scope.bank_id, level=scope.level, recipe=recipe.name)
    return held[: most + 1].count() <= most


class _Pass:
    """The nearest of ``rows``, one vector each, while the bank's vectors go by.

    A candidate is one number, its cosine above its place: of equals the one that went by first is
    kept, however many rows there are.
    """

    def __init__(self, rows: np.ndarray, *, width: int, minimum: float) -> None:
        self._rows, self._width = _normalised(rows), width
        self._least = round(minimum * _GRAIN)
        self._ids: list[UUID] = []
        self._best = np.full((len(rows), width), _NOTHING, np.int64)

    def over(self, scope: Scope, recipe: Recipe) -> list[tuple[ArmHit, ...]]:
        for ids, vectors in _blocks(scope, recipe):
            places = _LAST - np.arange(len(self._ids), len(self._ids) + len(ids))
            for at in range(0, len(self._rows), _ROWS):
                self._keep(slice(at, at + _ROWS), vectors, places)
            self._ids += ids
        return [self._hits(row) for row in self._best]

    def _keep(self, rows: slice, vectors: np.ndarray, places: np.ndarray) -> None:
        """The best of what was kept before and of a block."""
        cosines = np.rint(self._rows[rows] @ vectors.T * _GRAIN).astype(np.int64)
        candidates = np.concatenate((self._best[rows], (cosines << _BITS) + places), axis=1)
        self._best[rows] = np.partition(candidates, -self._width, axis=1)[:, -self._width :]

    def _hits(self, best: np.ndarray) -> tuple[ArmHit, ...]:
        kept = np.sort(best[best >> _BITS >= self._least])[::-1]
        cosines = (kept >> _BITS) / _GRAIN
        places = _LAST - (kept & _LAST)
        return tuple(
            ArmHit(self._ids[place], cosine)
            for place, cosine in zip(places.tolist(), cosines.tolist(), strict=True)
        )


def _blocks(scope: Scope, recipe: Recipe) -> Iterator[tuple[list[UUID], np.ndarray]]:
    check, of_scope = scope.check()
    statement = _VECTORS.format(level=scope.level.value, check=check)
    params: Mapping[str, Any] = {
        **of_scope,
        "tenant": tenancy.require(),
        "bank": scope.bank_id,
        "recipe": recipe.name,
    }
    with connection.chunked_cursor() as cursor:
        cursor.execute(statement, params)
        while rows := cursor.fetchmany(_BLOCK):
            ids, sent = zip(*rows, strict=True)
            values = np.frombuffer(b"".join(sent), ">f2").reshape(len(ids), -1)[:, _HEADER:]
            yield list(ids), _normalised(values.astype(np.float32))


def _normalised(rows: np.ndarray) -> np.ndarray:
    """Of unit length again: what is stored is rounded."""
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
