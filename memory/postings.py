"""Postings as bytes and as arrays, and BM25 over them. Pure.

A posting is eight bytes, big-endian, as PostgreSQL's ``int4send`` and ``int2send`` write them: the
node's number, how often it has the term, and how many terms it has in all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

K1, B = 1.2, 0.75
# Nodes that are thought to be there besides, without any of the words: in a bank of three facts a word
# that one of them holds is not a common word.
BACKGROUND = 100
POSTING = np.dtype([("number", ">i4"), ("count", ">i2"), ("length", ">i2")])
LARGEST = 32_767  # what a count and a length are cut at
_SPARSE = 1 << 20  # a span of numbers that is cheaper to fill than to sort

Postings = Mapping[str, np.ndarray]  # of each term, of dtype POSTING


@dataclass(frozen=True, slots=True)
class Size:
    """Of what is searched: how many nodes, and how many terms these have together."""

    nodes: int
    length: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """Node numbers with their scores, best first; of equals the older node comes first.

    ``ceiling`` is what a node would score that held every term as often as can count.
    """

    numbers: np.ndarray  # int
    scores: np.ndarray  # float, positive
    ceiling: float = 0.0

    def __len__(self) -> int:
        return len(self.numbers)

    def above(self, minimum: float | None) -> Ranking:
        """Those that score at least ``minimum``."""
        if minimum is None:
            return self
        kept = self.scores >= minimum
        return Ranking(self.numbers[kept], self.scores[kept], self.ceiling)

    def among(self, numbers: np.ndarray) -> Ranking:
        kept = np.isin(self.numbers, numbers)
        return Ranking(self.numbers[kept], self.scores[kept], self.ceiling)


NOTHING = Ranking(np.zeros(0, int), np.zeros(0))


def decode(blocks: Iterable[tuple[str, bytes]]) -> dict[str, np.ndarray]:
    """The blocks of each term, joined. Terms come in alphabetical order, so that sums over them are
    the same wherever their blocks lie."""
    joined: dict[str, list[bytes]] = defaultdict(list)
    for term, block in blocks:
        joined[term].append(bytes(block))
    return {term: np.frombuffer(b"".join(parts), POSTING) for term, parts in sorted(joined.items())}


def within(postings: Postings, numbers: np.ndarray) -> dict[str, np.ndarray]:
    """Only the postings of these nodes, and only terms that have one."""
    kept = {term: rows[np.isin(rows["number"], numbers)] for term, rows in postings.items()}
    return {term: rows for term, rows in kept.items() if len(rows)}


def bm25(postings: Postings, size: Size, *, asked: Mapping[str, int] | None = None) -> Ranking:
    """Every node that has a term of ``postings``, which are complete for ``size``.

    ``asked`` says how often the query has each term, also those that no node has: a term counts as
    often as it is asked for.
    """
    if not postings:
        return NOTHING
    asked = asked or dict.fromkeys(postings, 1)
    average = max(size.length / max(size.nodes, 1), 1.0)
    numbers, weights = [], []
    nodes = size.nodes + BACKGROUND
    nowhere = sum(times for term, times in asked.items() if term not in postings)
    ceiling = (K1 + 1) * nowhere * float(np.log1p((nodes + 0.5) / 0.5))
    for term, rows in postings.items():
        counts = rows["count"].astype(float)
        rarity = np.log1p((max(nodes - len(rows), 0) + 0.5) / (len(rows) + 0.5))
        rarity *= asked.get(term, 1)
        saturated = counts + K1 * (1 - B + B / average * rows["length"])
        ceiling += (K1 + 1) * float(rarity)
        numbers.append(rows["number"].astype(np.int64))
        weights.append(rarity * (K1 + 1) * counts / saturated)
    found, scores = _sum(np.concatenate(numbers), np.concatenate(weights))
    order = np.lexsort((found, -scores))
    return Ranking(found[order], scores[order], ceiling)


def _sum(numbers: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    low = int(numbers.min())
    if int(numbers.max()) - low < _SPARSE + 4 * len(numbers):
        sums = np.bincount(numbers - low, weights)
        found = np.flatnonzero(sums)
        return found + low, sums[found]
    found, places = np.unique(numbers, return_inverse=True)
    return found, np.bincount(places, weights)
