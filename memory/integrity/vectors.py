"""Vectors: one for every node, as the encoder that is set makes them."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from memory.backends import registry
from memory.integrity.records import Check, Verified, judge

_COUNT = """
    SELECT count(*) FROM memory_vector
    WHERE tenant_id = %(tenant)s AND bank_id = ANY(%(banks)s) AND recipe = %(recipe)s
"""

_VECTORS = """
    WITH judged AS (
        SELECT node.sha, node.level,
            CASE
                WHEN vector.node_id IS NULL THEN 'no vector of the encoder that is set'
                WHEN vector_dims(vector.embedding) <> %(size)s THEN 'a vector of another size'
                WHEN NOT (l2_norm(vector.embedding) BETWEEN 0.99 AND 1.01)
                    THEN 'a vector that is not of unit length'
                WHEN vector.bank_id <> node.bank_id OR vector.level <> node.level
                    THEN 'a vector of another bank or level'
            END AS reason
        FROM memory_node node
        LEFT JOIN memory_vector vector ON vector.tenant_id = node.tenant_id
         AND vector.node_id = node.id AND vector.recipe = %(recipe)s
        WHERE node.tenant_id = %(tenant)s AND node.bank_id = ANY(%(banks)s)
        UNION ALL
        SELECT vector.node_id::text, vector.level, 'a vector without a node'
        FROM memory_vector vector
        LEFT JOIN memory_node node
          ON node.tenant_id = vector.tenant_id AND node.id = vector.node_id
        WHERE vector.tenant_id = %(tenant)s AND vector.bank_id = ANY(%(banks)s) AND node.id IS NULL
    )
    SELECT reason, sha, NULL, level, count(*) OVER ()
    FROM judged WHERE reason IS NOT NULL ORDER BY reason, sha LIMIT %(most)s
"""


def verify_vectors(bank_ids: Sequence[UUID]) -> Verified:
    """Loads the encoder, whose recipe is compared."""
    recipe = registry.encoder().recipe
    return judge(
        Check.VECTORS,
        (_VECTORS,),
        bank_ids,
        count=_COUNT,
        recipe=recipe.name,
        size=recipe.dimensions,
    )
