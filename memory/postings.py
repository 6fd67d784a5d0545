"""Postings as bytes and as arrays, and BM25 over them. Pure.

A posting is eight bytes, big-endian, as PostgreSQL's ``int4send`` and ``int2send`` write them: the
node's number, how often it has the term, and how many terms it has in all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
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
Forms = tuple[str, ...]  # the terms of which any stands for a word


@dataclass(frozen=True, slots=True)
class Size:
    """Of what is searched: how many nodes, and how many terms these have together."""

    nodes: int
    length: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """Node numbers with their scores, best first; of equals the older node comes first.

    ``ceiling`` is what a node would score that held every word as often as can count.
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


def of_words(postings: Postings, words: Iterable[Forms]) -> dict[Forms, np.ndarray]:
    """The postings of each word, as if its forms were one term. Empty where no node has any."""
    return {forms: _joined([postings[one] for one in forms if one in postings]) for forms in words}


def _joined(parts: Sequence[np.ndarray]) -> np.ndarray:
    """A node with several forms of a word has the word as often as it has them all."""
    if len(parts) < 2:
        return parts[0] if parts else np.zeros(0, POSTING)
    every = np.concatenate(parts)
    _, first, place = np.unique(every["number"], return_index=True, return_inverse=True)
    joined = every[first]
    joined["count"] = np.minimum(np.bincount(place, every["count"]), LARGEST)
    return joined


def bm25(postings: Postings, size: Size, *, asked: Mapping[Forms, int] | None = None) -> Ranking:
    """Every node that has a term of ``postings``, which are complete for ``size``.

    ``asked`` says how often the query has each word, also of those that no node has: a word counts
    as often as it is asked for.
    """
    if not postings:
        return NOTHING
    asked = asked or {(term,): 1 for term in postings}
    ceiling = 0.0
    numbers, weighed = [], []
    for forms, rows in of_words(postings, asked).items():
        ceiling += (K1 + 1) * asked[forms] * _rarity(len(rows), size)
        numbers.append(rows["number"].astype(np.int64))
        weighed.append(asked[forms] * weights(rows, size))
    found, scores = _sum(np.concatenate(numbers), np.concatenate(weighed))
    order = np.lexsort((found, -scores))
    return Ranking(found[order], scores[order], ceiling)


def weights(rows: np.ndarray, size: Size) -> np.ndarray:
    """What the postings of one word, which are complete for ``size``, are worth each."""
    average = max(size.length / max(size.nodes, 1), 1.0)
    counts = rows["count"].astype(float)
    saturated = counts + K1 * (1 - B + B / average * rows["length"])
    return _rarity(len(rows), size) * (K1 + 1) * counts / saturated


def _rarity(holding: int, size: Size) -> float:
    """Of a word that so many nodes hold."""
    nodes = size.nodes + BACKGROUND
    return float(np.log1p((max(nodes - holding, 0) + 0.5) / (holding + 0.5)))


def _sum(numbers: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    low = int(numbers.min())
    if int(numbers.max()) - low < _SPARSE + 4 * len(numbers):
        sums = np.bincount(numbers - low, weights)
        found = np.flatnonzero(sums)
        return found + low, sums[found]
    found, places = np.unique(numbers, return_inverse=True)
    return found, np.bincount(places, weights)
