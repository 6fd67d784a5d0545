"""Packs the rows of the keyword index into blocks, and clears blocks of nodes that have gone.

Only one transaction at a time packs a bank's level, and none waits for another: rows that somebody
else holds stay for the next time. A search sees what it would have seen without it.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection, transaction

from memory import tenancy
from memory.levels import Level
from memory.models import TermStatistics
from memory.postings import LARGEST, POSTING

PACKED_FROM = 2_000  # nodes in rows
PURGED_FROM = 0.2  # of the packed nodes have gone
BLOCK_BITS = 14  # a block holds the postings of 16,384 neighbouring numbers at most

# The bytes of ``memory.postings`` from the rows ``term`` and ``node``.
POSTINGS = (
    "string_agg(int4send(node.number)"
    f" || int2send(least(term.count, {LARGEST})::smallint)"
    f" || int2send(least(node.term_count, {LARGEST})::smallint), ''::bytea{{order}})"
)

_LOCK = "SELECT pg_try_advisory_xact_lock(hashtextextended(%(bank)s || %(level)s, 12))"

_IS_DUE = """
    SELECT count(*) >= %(from)s FROM (
        SELECT 1 FROM memory_term
        WHERE tenant_id = %(tenant)s AND bank_id = %(bank)s AND level = %(level)s AND term = ''
        LIMIT %(from)s
    ) AS counted
"""

_PACK = f"""
    WITH locked AS MATERIALIZED (
        SELECT ctid AS place FROM memory_term
        WHERE tenant_id = %(tenant)s AND bank_id = %(bank)s AND level = %(level)s
        FOR UPDATE SKIP LOCKED
    ),
    term AS (
        DELETE FROM memory_term WHERE ctid = ANY (ARRAY(SELECT place FROM locked))
        RETURNING term, node_id, count
    ),
    block AS (
        INSERT INTO memory_termblock (tenant_id, bank_id, level, term, block, postings)
        SELECT %(tenant)s, %(bank)s, %(level)s, term.term, node.number >> {BLOCK_BITS},
               {POSTINGS.format(order=" ORDER BY node.number")}
        FROM term JOIN memory_node node
          ON node.tenant_id = %(tenant)s AND node.id = term.node_id
        GROUP BY term.term, node.number >> {BLOCK_BITS}
        ON CONFLICT (tenant_id, bank_id, level, term, block)
        DO UPDATE SET postings = memory_termblock.postings || EXCLUDED.postings
    )
    INSERT INTO memory_termstatistics AS packed (tenant_id, bank_id, level, nodes, length)
    SELECT %(tenant)s, %(bank)s, %(level)s, count(*), coalesce(sum(least(count, {LARGEST})), 0)
    FROM term WHERE term = ''
    ON CONFLICT (tenant_id, bank_id, level) DO UPDATE
    SET nodes = packed.nodes + EXCLUDED.nodes, length = packed.length + EXCLUDED.length
"""

_BLOCKS = """
    SELECT term, postings FROM memory_termblock
    WHERE tenant_id = %(tenant)s AND bank_id = %(bank)s AND level = %(level)s AND block = %(block)s
"""
_PACKED = """
    SELECT postings FROM memory_termblock
    WHERE tenant_id = %(tenant)s AND bank_id = %(bank)s AND level = %(level)s AND term = ''
"""
_LIVE = """
    SELECT number FROM memory_node
    WHERE tenant_id = %(tenant)s AND bank_id = %(bank)s AND level = %(level)s
"""
_REWRITE = """
    WITH given AS (
        SELECT * FROM unnest(%(terms)s::text[], %(postings)s::bytea[]) AS given (term, postings)
    ),
    emptied AS (
        DELETE FROM memory_termblock block USING given
        WHERE block.tenant_id = %(tenant)s AND block.bank_id = %(bank)s
          AND block.level = %(level)s AND block.block = %(block)s
          AND block.term = given.term AND given.postings = ''
    )
    UPDATE memory_termblock block SET postings = given.postings FROM given
    WHERE block.tenant_id = %(tenant)s AND block.bank_id = %(bank)s AND block.level = %(level)s
      AND block.block = %(block)s AND block.term = given.term AND given.postings <> ''
"""
_RECOUNT = """
    UPDATE memory_termstatistics SET nodes = %(nodes)s, length = %(length)s
    WHERE tenant_id = %(tenant)s AND bank_id = %(bank)s AND level = %(level)s
"""


def pack_on_commit(bank_id: UUID, level: Level) -> None:
    """Once the caller's transaction has committed, pack the level if many rows lie there."""
    tenant_id = tenancy.require()

    def pack_if_due() -> None:
        with tenancy.scope(tenant_id):
            if is_due(bank_id, level):
                pack(bank_id, level)
                purge(bank_id, level)

    transaction.on_commit(pack_if_due, robust=True)


def is_due(bank_id: UUID, level: Level) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_IS_DUE, {**_key(bank_id, level), "from": PACKED_FROM})
        return bool(cursor.fetchone()[0])


def pack(bank_id: UUID, level: Level) -> bool:
    """Move the level's rows into blocks. False where somebody else is at it."""
    key = _key(bank_id, level)
    with connection.cursor() as cursor:
        if not _locked(cursor, key):
            return False
        cursor.execute(_PACK, key)
    return True


def purge(bank_id: UUID, level: Level, *, share: float = PURGED_FROM) -> int:
    """Clear the blocks of nodes that have gone, if they are more than this share of the packed ones.
    Returns how many nodes were cleared."""
    key = _key(bank_id, level)
    with connection.cursor() as cursor:
        if not _locked(cursor, key):
            return 0
        packed = _packed(cursor, key)
        cursor.execute(_LIVE, key)
        live = np.array([number for (number,) in cursor.fetchall()], np.int64)
        gone = np.setdiff1d(packed["number"], live)
        if len(gone) <= share * len(packed):
            return 0
        for block in np.unique(gone >> BLOCK_BITS).tolist():
            _clear(cursor, {**key, "block": block}, gone)
        kept = packed[~np.isin(packed["number"], gone)]
        cursor.execute(
            _RECOUNT, {**key, "nodes": len(kept), "length": int(kept["length"].sum(dtype=int))}
        )
    return len(gone)


def purge_all(tenant_id: UUID) -> int:
    """Clear every level of a tenant of all that has gone, each in a scope of its own."""
    with tenancy.scope(tenant_id):
        levels = list(TermStatistics.objects.values_list("bank_id", "level"))
    cleared = 0
    for bank_id, level in levels:
        with tenancy.scope(tenant_id):
            cleared += purge(bank_id, Level(level), share=0)
    return cleared


def _clear(cursor: Any, key: dict[str, Any], gone: np.ndarray) -> None:
    cursor.execute(_BLOCKS, key)
    terms, rewritten = [], []
    for term, stored in cursor.fetchall():
        rows = np.frombuffer(bytes(stored), POSTING)
        kept = rows[~np.isin(rows["number"], gone)]
        if len(kept) < len(rows):
            terms.append(term)
            rewritten.append(kept.tobytes())
    cursor.execute(_REWRITE, {**key, "terms": terms, "postings": rewritten})


def _packed(cursor: Any, key: dict[str, Any]) -> np.ndarray:
    cursor.execute(_PACKED, key)
    return np.frombuffer(b"".join(bytes(stored) for (stored,) in cursor.fetchall()), POSTING)


def _locked(cursor: Any, key: dict[str, Any]) -> bool:
    cursor.execute(_LOCK, {"bank": str(key["bank"]), "level": key["level"]})
    return bool(cursor.fetchone()[0])


def _key(bank_id: UUID, level: Level) -> dict[str, Any]:
    return {"tenant": tenancy.require(), "bank": bank_id, "level": level.value}
