"""What the best candidates have in common says what the query meant.

the best few by fusion ─▶ mean of their vectors ─▶ cosine of every candidate to it
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from django.db import connection

from memory import tenancy
from memory.recall.scope import uuid_array

BEST: Final = 2
FEWEST: Final = 8  # candidates; the mean of a few tells nothing about so few others

_COSINES = """
WITH centre AS (
    SELECT avg(vector.embedding) AS embedding FROM memory_vector vector
    WHERE vector.tenant_id = %(tenant)s AND vector.recipe = %(recipe)s
      AND vector.node_id = ANY(%(best)s::uuid[])
)
SELECT vector.node_id, 1 - (vector.embedding <=> centre.embedding)
FROM memory_vector vector CROSS JOIN centre
WHERE vector.tenant_id = %(tenant)s AND vector.recipe = %(recipe)s
  AND vector.node_id = ANY(%(nodes)s::uuid[]) AND centre.embedding IS NOT NULL
"""


def cosines(node_ids: Sequence[UUID], *, recipe: str) -> dict[UUID, float]:
    """``node_ids`` are the candidates of one level, best first. Empty where they are too few.

    A node whose vector is not there yet is left out. One statement.
    """
    if len(node_ids) < FEWEST:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(
            _COSINES,
            {
                "tenant": tenancy.require(),
                "recipe": recipe,
                "best": uuid_array(node_ids[:BEST]),
                "nodes": uuid_array(node_ids),
            },
        )
        return dict(cursor.fetchall())
