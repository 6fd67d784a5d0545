"""Whether banks hold what recall relies on. Reads only; to be called inside a scope.

    edges     R has none, so its hits need no walk; ends exist, in the same bank; a fact is derived
              from one level down, never from itself by way of others
    vectors   every node has one of the encoder that is set, of its size and of unit length
    chunks    a passage is the slice of its document that its offsets name, to the code point; a
              fact in words of its own stands inside one of its passages

The database's own constraints forbid most of this. They can be dropped, and a dump can be restored
without them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db import connection

from memory import tenancy
from memory.backends import registry

MOST_TOLD = 1_000  # rows of one kind of fault; they are counted all the same


class Check(StrEnum):
    EDGES = "edges"
    VECTORS = "vectors"
    CHUNKS = "chunks"


@dataclass(frozen=True, slots=True)
class Fault:
    """One row that should not be. ``pair`` holds full shas (child, parent), or the node's alone."""

    check: Check
    reason: str
    pair: tuple[str, ...]
    detail: str = ""

    def __str__(self) -> str:
        detail = f" ({self.detail})" if self.detail else ""
        return f"{' → '.join(sha[:12] for sha in self.pair)}: {self.reason}{detail}"


@dataclass(frozen=True, slots=True)
class Verified:
    """The end of one check. ``found`` counts faults, of which ``faults`` tells the first."""

    check: Check
    rows: int
    found: int
    faults: tuple[Fault, ...]


_COUNTS = {
    Check.EDGES: """
        SELECT count(*) FROM memory_edge
        WHERE tenant_id = %(tenant)s AND bank_id = ANY(%(banks)s)
    """,
    Check.VECTORS: """
        SELECT count(*) FROM memory_vector
        WHERE tenant_id = %(tenant)s AND bank_id = ANY(%(banks)s) AND recipe = %(recipe)s
    """,
    Check.CHUNKS: """
        SELECT count(*) FROM memory_node
        WHERE tenant_id = %(tenant)s AND bank_id = ANY(%(banks)s)
    """,
}

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

# A fact that no document holds has no span (char_end 0); an observation has no document.
_CHUNKS = """
    WITH judged AS (
        SELECT node.sha, node.level, node.char_start, node.char_end, document.name,
            CASE
                WHEN document.id IS NULL THEN 'its document does not exist'
                WHEN document.bank_id <> node.bank_id THEN 'its document is of another bank'
                WHEN substr(document.text, node.char_start + 1,
                            node.char_end - node.char_start) = node.text THEN NULL
                WHEN node.level <> 'L1' THEN 'its document reads otherwise at its place'
                -- A model's fact, or one that was edited, has words of its own.
                WHEN node.char_end > 0 AND NOT EXISTS (
                    SELECT FROM memory_edge edge
                    JOIN memory_node passage
                      ON passage.tenant_id = edge.tenant_id AND passage.id = edge.parent_id
                    WHERE edge.tenant_id = node.tenant_id AND edge.child_id = node.id
                      AND edge.type = 'derived_from'
                      AND passage.document_id = node.document_id
                      AND passage.char_start <= node.char_start
                      AND passage.char_end >= node.char_end
                ) THEN 'its place is in none of its passages'
            END AS reason
        FROM memory_node node
        LEFT JOIN memory_document document
          ON document.tenant_id = node.tenant_id AND document.id = node.document_id
        WHERE node.tenant_id = %(tenant)s AND node.bank_id = ANY(%(banks)s)
          AND (node.level IN ('L0', 'R') OR (node.level = 'L1' AND node.document_id IS NOT NULL))
    )
    SELECT reason, sha, NULL,
        concat(level, ', ', COALESCE(name, 'no document'), ' ', char_start, '-', char_end),
        count(*) OVER ()
    FROM judged WHERE reason IS NOT NULL ORDER BY reason, sha LIMIT %(most)s
"""


def verify_edges(bank_ids: Sequence[UUID]) -> Verified:
    single, found = _faults(Check.EDGES, _EDGES, bank_ids)
    cycles, more = _faults(Check.EDGES, _CYCLES, bank_ids)
    return Verified(Check.EDGES, _count(Check.EDGES, bank_ids), found + more, single + cycles)


def verify_vectors(bank_ids: Sequence[UUID]) -> Verified:
    """Loads the encoder, whose recipe is compared."""
    recipe = registry.encoder().recipe
    about = {"recipe": recipe.name, "size": recipe.dimensions}
    faults, found = _faults(Check.VECTORS, _VECTORS, bank_ids, **about)
    return Verified(Check.VECTORS, _count(Check.VECTORS, bank_ids, **about), found, faults)


def verify_chunks(bank_ids: Sequence[UUID]) -> Verified:
    faults, found = _faults(Check.CHUNKS, _CHUNKS, bank_ids)
    return Verified(Check.CHUNKS, _count(Check.CHUNKS, bank_ids), found, faults)


CHECKS = {
    Check.EDGES: verify_edges,
    Check.VECTORS: verify_vectors,
    Check.CHUNKS: verify_chunks,
}


def _faults(
    check: Check, statement: str, bank_ids: Sequence[UUID], **about: Any
) -> tuple[tuple[Fault, ...], int]:
    """The first faults, and how many there are."""
    rows = _rows(statement, bank_ids, most=MOST_TOLD, **about)
    faults = tuple(
        Fault(check, reason, (child,) if parent is None else (child, parent), detail)
        for reason, child, parent, detail, _ in rows
    )
    return faults, rows[0][-1] if rows else 0


def _count(check: Check, bank_ids: Sequence[UUID], **about: Any) -> int:
    return int(_rows(_COUNTS[check], bank_ids, **about)[0][0])


def _rows(statement: str, bank_ids: Sequence[UUID], **about: Any) -> list[tuple]:
    with connection.cursor() as cursor:
        cursor.execute(statement, {"tenant": tenancy.require(), "banks": list(bank_ids), **about})
        return cursor.fetchall()
