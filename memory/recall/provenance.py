"""What a hit rests on: its parents along ``derived_from``.

fact (L1)         one hop: its raw passages
observation (L2)  two hops: its facts, and their passages
reference (R)     none: it has no edges, and is not asked about
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db import connection

from memory.hits import Ancestor
from memory.levels import Level

_WALK = """
WITH RECURSIVE walk (root, node_id, via, depth) AS (
    SELECT edge.child_id, edge.parent_id, edge.child_id, 1
    FROM memory_edge edge
    WHERE edge.child_id = ANY(%(nodes)s) AND edge.type = 'derived_from'
    UNION
    SELECT walk.root, edge.parent_id, edge.child_id, walk.depth + 1
    FROM walk JOIN memory_edge edge ON edge.child_id = walk.node_id
    WHERE edge.type = 'derived_from' AND walk.depth < 2
)
SELECT walk.root, walk.depth, walk.via,
    node.id, node.sha, node.level, node.text, node.char_start, node.char_end,
    node.document_id, document.name, node.source_uri, node.mentioned_at, node.speaker
FROM walk
JOIN memory_node node ON node.id = walk.node_id
LEFT JOIN memory_document document
  ON document.tenant_id = node.tenant_id AND document.id = node.document_id
ORDER BY walk.depth, document.name NULLS LAST, node.char_start, node.ordinal, node.id
"""


def walk(node_ids: Sequence[UUID]) -> Mapping[UUID, tuple[Ancestor, ...]]:
    """Ancestors of each node, nearest first and then by place. One statement; nodes without any,
    such as all references, are absent. A passage that two facts came from is under both."""
    if not node_ids:
        return {}
    found: dict[UUID, list[Ancestor]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_WALK, {"nodes": list(node_ids)})
        for root, depth, via, node_id, sha, level, *rest in cursor.fetchall():
            ancestor = Ancestor(node_id, sha, Level(level), depth, via, *rest)
            found.setdefault(root, []).append(ancestor)
    return {root: tuple(ancestors) for root, ancestors in found.items()}
