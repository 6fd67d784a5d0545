"""The keyword index: every node is in it once, with all of its terms, and the statistics say so.

Rows and packed blocks are summed by node: the empty term counts all terms of a node, and the others
have to come to that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np

from memory import keyword_packing
from memory.integrity import records
from memory.integrity.records import Check, Fault, Verified, select
from memory.levels import Level
from memory.postings import LARGEST, POSTING

_NODES = f"""
    SELECT number, sha, least(term_count, {LARGEST}) FROM memory_node
    WHERE tenant_id = %(tenant)s AND bank_id = ANY(%(banks)s) AND level = %(level)s
    ORDER BY number
"""

# Of the empty term and of all others: (is it the empty one, are they packed, postings).
_POSTINGS = f"""
    SELECT term = '', true, string_agg(postings, ''::bytea) FROM memory_termblock
    WHERE tenant_id = %(tenant)s AND bank_id = ANY(%(banks)s) AND level = %(level)s
    GROUP BY block, term = ''
    UNION ALL
    SELECT term.term = '', false, {keyword_packing.POSTINGS.format(order="")}
    FROM memory_term term
    JOIN memory_node node ON node.tenant_id = term.tenant_id AND node.id = term.node_id
    WHERE term.tenant_id = %(tenant)s AND term.bank_id = ANY(%(banks)s) AND term.level = %(level)s
    GROUP BY term.term = ''
"""

_STATISTICS = """
    SELECT nodes, length FROM memory_termstatistics
    WHERE tenant_id = %(tenant)s AND bank_id = ANY(%(banks)s) AND level = %(level)s
"""


@dataclass(frozen=True, slots=True)
class _Index:
    """What the index holds of a bank's level. Arrays of dtype ``POSTING``."""

    whole: np.ndarray  # postings of the empty term
    terms: np.ndarray  # those of all other terms
    packed: np.ndarray  # the part of ``whole`` that lies in blocks


def verify_keywords(bank_ids: Sequence[UUID]) -> Verified:
    faults: list[Fault] = []
    looked_at = 0
    for bank_id in bank_ids:
        for level in Level:
            nodes = select(_NODES, [bank_id], level=level.value)
            index = _read(bank_id, level)
            looked_at += len(nodes)
            faults += _of_nodes(level, nodes, index)
            faults += _of_statistics(bank_id, level, index)
    return Verified(Check.KEYWORDS, looked_at, len(faults), tuple(faults[: records.MOST_TOLD]))


def _read(bank_id: UUID, level: Level) -> _Index:
    parts = select(_POSTINGS, [bank_id], level=level.value)
    return _Index(
        whole=_joined(found for is_whole, _, found in parts if is_whole),
        terms=_joined(found for is_whole, _, found in parts if not is_whole),
        packed=_joined(found for is_whole, is_packed, found in parts if is_whole and is_packed),
    )


def _joined(parts: Iterable[bytes]) -> np.ndarray:
    return np.frombuffer(b"".join(map(bytes, parts)), POSTING)


def _of_nodes(level: Level, nodes: list[tuple[Any, ...]], index: _Index) -> Iterator[Fault]:
    """``nodes``: (number, sha, length), by number."""
    numbers = np.array([number for number, _, _ in nodes], np.int64)
    times = _sums(numbers, index.whole, np.ones(len(index.whole)))
    totals = _sums(numbers, index.whole, index.whole["count"])
    held = _sums(numbers, index.terms, index.terms["count"])
    for (_, sha, length), seen, total, sum_ in zip(nodes, times, totals, held, strict=True):
        if seen == 0:
            reason = "it is not in the keyword index"
        elif seen > 1:
            reason = "it is twice in the keyword index"
        elif total < LARGEST and sum_ != total:
            reason = f"the keyword index has {sum_} of its {total} terms"
        elif total != length:
            reason = f"it counts {length} terms, the keyword index {total}"
        else:
            continue
        yield Fault(Check.KEYWORDS, reason, (sha,), level.value)


def _sums(numbers: np.ndarray, postings: np.ndarray, weights: np.ndarray) -> list[int]:
    """The weights of each node's postings, added up. Postings of nodes that have gone match none."""
    if not len(numbers):
        return []
    places = np.searchsorted(numbers, postings["number"]).clip(max=len(numbers) - 1)
    match = numbers[places] == postings["number"]
    sums = np.bincount(places[match], weights[match], minlength=len(numbers))
    return [int(one) for one in sums]


def _of_statistics(bank_id: UUID, level: Level, index: _Index) -> Iterator[Fault]:
    found = select(_STATISTICS, [bank_id], level=level.value)
    said = tuple(map(int, found[0])) if found else (0, 0)
    held = len(index.packed), int(index.packed["length"].sum(dtype=int))
    if said != held:
        detail = f"{level}: {said[0]} nodes with {said[1]} terms, not {held[0]} with {held[1]}"
        reason = "the statistics of its keyword index are wrong"
        yield Fault(Check.KEYWORDS, reason, (f"bank {bank_id}",), detail)
