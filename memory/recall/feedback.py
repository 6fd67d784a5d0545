"""What the best candidates have in common says what the query meant.

the best few without it ─▶ mean of their vectors ─▶ cosine of every candidate to it
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final
from uuid import UUID

import numpy as np
from django.db import connection

from memory import relevance, tenancy
from memory.recall.scope import uuid_array
from memory.seams import KnownScores

BEST: Final = 2
FEWEST: Final = 8  # candidates; the mean of a few tells nothing about so few others

_COSINES = """
WITH centre AS (
    SELECT best.level, avg(best.embedding) AS embedding FROM memory_vector best
    WHERE best.tenant_id = %(tenant)s AND best.recipe = %(recipe)s
      AND best.node_id = ANY(%(best)s::uuid[])
    GROUP BY best.level
)
SELECT vector.node_id, 1 - (vector.embedding <=> centre.embedding)
FROM memory_vector vector JOIN centre ON centre.level = vector.level
WHERE vector.tenant_id = %(tenant)s AND vector.recipe = %(recipe)s
  AND vector.node_id = ANY(%(nodes)s::uuid[])
"""


def best(known: Mapping[UUID, KnownScores], recipe: str, *, is_dated: bool) -> list[UUID]:
    """Of one level's candidates, which come in the order of fusion, the most relevant. None where
    they are too few.

    ``is_dated``: the query names a time. Relevance knows of none, fusion does: its first count.
    """
    ids = list(known)
    if len(ids) < FEWEST:
        return []
    if is_dated:
        return ids[:BEST]
    scores = relevance.score(list(known.values()), relevance.of_recipe(recipe))
    return [ids[place] for place in np.argsort(-scores, kind="stable")[:BEST].tolist()]


def cosines(node_ids: Iterable[UUID], best: Iterable[UUID], *, recipe: str) -> dict[UUID, float]:
    """Of every node to the mean of the ``best`` of its level. A node whose vector is not there yet,
    or whose level has no best ones, is left out. One statement."""
    with connection.cursor() as cursor:
        cursor.execute(
            _COSINES,
            {
                "tenant": tenancy.require(),
                "recipe": recipe,
                "best": uuid_array(best),
                "nodes": uuid_array(node_ids),
            },
        )
        return dict(cursor.fetchall())
