"""BM25 as a textbook has it, in memory: what every arm and the whole are measured against. Pure.

Folded words without stemming; pairs of letters where a script writes no spaces. It shares no code
with the product's keyword arm but the cutting of words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

import numpy as np
import regex

from memory.language.analysis import tokenise

K1, B = 1.2, 0.75
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")


class PlainBm25:
    def __init__(self, texts: Mapping[str, str]) -> None:
        self._names = list(texts)
        postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        lengths = np.zeros(len(texts))
        for row, text in enumerate(texts.values()):
            counts = Counter(_words(text))
            lengths[row] = counts.total()
            for word, count in counts.items():
                postings[word].append((row, count))
        self._norm = K1 * (1 - B + B * lengths / max(float(lengths.mean()), 1.0))
        self._postings = {word: np.array(found) for word, found in postings.items()}

    def search(self, query: str, *, limit: int) -> list[str]:
        """Names of the best texts that share a word with the query, best first."""
        scores = np.zeros(len(self._names))
        for word in set(_words(query)):
            if word in self._postings:
                rows, counts = self._postings[word].T
                rarity = np.log(1 + (len(scores) - len(rows) + 0.5) / (len(rows) + 0.5))
                scores[rows] += rarity * counts * (K1 + 1) / (counts + self._norm[rows])
        order = np.argsort(-scores, kind="stable")[:limit]
        return [self._names[row] for row in order if scores[row] > 0]


def _words(text: str) -> Iterator[str]:
    for token in tokenise(text):
        word = token.folded
        if _UNSPACED.match(word) and len(word) > 1:
            yield from (word[at : at + 2] for at in range(len(word) - 1))
        else:
            yield word
