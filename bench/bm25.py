"""Plain BM25 over a corpus in memory, on the product's own terms: the keyword arm without SQL."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from memory.language.analysis import query_terms, terms
from memory.postings import K1, B

_NOWHERE = np.zeros(0, int), np.zeros(0)


class Index:
    def __init__(self, texts: Sequence[str], language: str = "", *, grams: bool = False) -> None:
        self._language, self._grams = language, grams
        rows: dict[str, list[int]] = defaultdict(list)
        counts: dict[str, list[int]] = defaultdict(list)
        lengths = np.zeros(len(texts))
        for row, text in enumerate(texts):
            found = Counter(terms(text, language, grams=grams))
            lengths[row] = sum(found.values())
            for term, count in found.items():
                rows[term].append(row)
                counts[term].append(count)
        self._norm = K1 * (1 - B + B * lengths / max(lengths.mean(), 1))
        self._postings = {
            term: (np.array(those), np.array(counts[term], float)) for term, those in rows.items()
        }

    def scores(self, query: str) -> np.ndarray:
        """One score per text, 0 where no term is shared."""
        return self.measured(query)[0]

    def measured(self, query: str) -> tuple[np.ndarray, float]:
        """The scores, and the most that a text could reach. A term that stands in the query several
        times counts as often."""
        found, ceiling = np.zeros(len(self._norm)), 0.0
        times = Counter(terms(query, self._language, grams=self._grams))
        for term in query_terms(query, self._language, grams=self._grams):
            rows, counts = self._postings.get(term, _NOWHERE)
            rarity = max(times[term], 1) * np.log(
                1 + (len(found) - len(rows) + 0.5) / (len(rows) + 0.5)
            )
            ceiling += rarity * (K1 + 1)
            found[rows] += rarity * counts * (K1 + 1) / (counts + self._norm[rows])
        return found, float(ceiling)
