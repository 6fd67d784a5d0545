"""Edges: their ends, levels and weights, no cycles, and none that is missing."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from memory.integrity.records import Check, Verified, judge

_COUNT = """
    SELECT count(*) FROM memory_edge
    WHERE tenant_id = %(tenant)s AND bank_id = ANY(%(banks)s)
"""

# An end is named by its node's sha, or by its id where the node is gone. What a node *is* counts,
# not what the edge's own columns say of it.
_EDGES = """
    WITH judged AS (
        SELECT COALESCE(child.sha, edge.child_id::text) AS child,
            COALESCE(parent.sha, edge.parent_id::text) AS parent,
            edge.type, COALESCE(child.level, '?') AS child_level,
            COALESCE(parent.level, '?') AS parent_level, edge.weight, edge.id,
            CASE
                WHEN child.id IS NULL THEN 'the child does not exist'
                WHEN parent.id IS NULL THEN 'the parent does not exist'
                WHEN child.level = 'R' THEN 'a reference section is the child of an edge'
                WHEN parent.level = 'R' THEN 'a reference section is the parent of an edge'
                WHEN child.bank_id <> edge.bank_id OR parent.bank_id <> edge.bank_id
                    THEN 'the ends are not in the bank of the edge'
                WHEN edge.child_level <> child.level OR edge.parent_level <> parent.level
                    THEN 'the edge names other levels than its ends have'
                WHEN edge.child_id = edge.parent_id THEN 'an edge to itself'
                WHEN edge.type = 'derived_from'
                    AND (child.level, parent.level) NOT IN (('L1', 'L0'), ('L2', 'L1'))
                    THEN 'not derived from one level down'
                WHEN NOT (edge.weight BETWEEN 0 AND 1) THEN 'its weight is outside 0 to 1'
            END AS reason
        FROM memory_edge edge
        LEFT JOIN memory_node child
          ON child.tenant_id = edge.tenant_id AND child.id = edge.child_id
        LEFT JOIN memory_node parent
          ON parent.tenant_id = edge.tenant_id AND parent.id = edge.parent_id
        WHERE edge.tenant_id = %(tenant)s AND edge.bank_id = ANY(%(banks)s)
    )
    SELECT reason, child, parent,
        concat(child_level, ' ', type, ' ', parent_level, ', weight ', weight),
        count(*) OVER ()
    FROM judged WHERE reason IS NOT NULL ORDER BY reason, child, parent, id LIMIT %(most)s
"""

# Every step down takes a level, so a cycle holds an edge that goes another way. The walk starts from
# these alone, which are none in a sound bank.
_CYCLES = """
    WITH RECURSIVE suspect AS (
        SELECT edge.id, edge.child_id, edge.parent_id
        FROM memory_edge edge
        JOIN memory_node child ON child.tenant_id = edge.tenant_id AND child.id = edge.child_id
        JOIN memory_node parent ON parent.tenant_id = edge.tenant_id AND parent.id = edge.parent_id
        WHERE edge.tenant_id = %(tenant)s AND edge.bank_id = ANY(%(banks)s)
          AND edge.type = 'derived_from' AND edge.child_id <> edge.parent_id
          AND (child.level, parent.level) NOT IN (('L1', 'L0'), ('L2', 'L1'))
    ),
    walk (start_id, child_id, at_id) AS (
        SELECT id, child_id, parent_id FROM suspect
        UNION
        SELECT walk.start_id, walk.child_id, edge.parent_id
        FROM walk
        JOIN memory_edge edge ON edge.tenant_id = %(tenant)s AND edge.child_id = walk.at_id
         AND edge.type = 'derived_from'
        WHERE walk.at_id <> walk.child_id
    )
    SELECT 'derived from itself by way of others', child.sha, parent.sha,
        concat(child.level, ' derived_from ', parent.level), count(*) OVER ()
    FROM walk
    JOIN suspect ON suspect.id = walk.start_id
    JOIN memory_node child ON child.tenant_id = %(tenant)s AND child.id = suspect.child_id
    JOIN memory_node parent ON parent.tenant_id = %(tenant)s AND parent.id = suspect.parent_id
    WHERE walk.at_id = walk.child_id
    ORDER BY child.sha, parent.sha LIMIT %(most)s
"""

# What no passage is named by is a fault of the fact itself.
_MISSING = """
    SELECT 'it is not derived from the passage that it names', fact.sha, passage.sha,
        'L1 derived_from L0', count(*) OVER ()
    FROM memory_node fact
    JOIN memory_node passage
      ON passage.tenant_id = fact.tenant_id AND passage.id = fact.chunk_id AND passage.level = 'L0'
    WHERE fact.tenant_id = %(tenant)s AND fact.bank_id = ANY(%(banks)s) AND fact.level = 'L1'
      AND NOT EXISTS (
          SELECT FROM memory_edge edge
          WHERE edge.tenant_id = fact.tenant_id AND edge.child_id = fact.id
            AND edge.type = 'derived_from' AND edge.parent_id = passage.id
      )
    ORDER BY fact.sha, passage.sha LIMIT %(most)s
"""


def verify_edges(bank_ids: Sequence[UUID]) -> Verified:
    return judge(Check.EDGES, (_EDGES, _CYCLES, _MISSING), bank_ids, count=_COUNT)
