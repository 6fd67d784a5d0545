"""Storing edges, however many."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

from memory import tenancy
from memory.levels import EdgeType, Level
from memory.recall.scope import uuid_array

_BATCH: Final = 20_000

# Arrays, because an ORM insert of 100,000 edges takes longer to write than PostgreSQL to store.
_ADD: Final = """
    INSERT INTO memory_edge (id, tenant_id, bank_id, child_id, child_level, parent_id, parent_level,
        type, weight, created_at)
    SELECT gen_random_uuid(), %(tenant)s, %(bank)s, given.child, %(child_level)s, given.parent,
        %(parent_level)s, given.type, given.weight, now()
    FROM unnest(%(children)s::uuid[], %(parents)s::uuid[], %(types)s::text[], %(weights)s::float[])
        AS given (child, parent, type, weight)
    ON CONFLICT DO NOTHING
"""


class NewEdge(NamedTuple):
    """``weight`` is 0 to 1."""

    child: UUID
    type: EdgeType
    parent: UUID
    weight: float = 1.0


def add(
    bank_id: UUID,
    edges: Iterable[NewEdge],
    *,
    child: Level = Level.L1,
    parent: Level = Level.L1,
) -> None:
    """Edges between nodes of these levels. Those that are there already stay as they are."""
    given = list(edges)
    for at in range(0, len(given), _BATCH):
        children, types, parents, weights = zip(*given[at : at + _BATCH], strict=True)
        with connection.cursor() as cursor:
            cursor.execute(
                _ADD,
                {
                    "tenant": tenancy.require(),
                    "bank": bank_id,
                    "children": uuid_array(children),
                    "child_level": child.value,
                    "parents": uuid_array(parents),
                    "parent_level": parent.value,
                    "types": [kind.value for kind in types],
                    "weights": list(weights),
                },
            )
