"""The facts that have most words in common with each of many, by BM25.

What the index holds is read once for all of them; each is ranked in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from uuid import UUID

import numpy as np

from memory import keywords, postings
from memory.keywords import Found
from memory.language.queries import query_forms
from memory.postings import Forms
from memory.recall.scope import Scope


def search(scope: Scope, texts: Mapping[UUID, str], *, most: int) -> dict[UUID, list[UUID]]:
    """For each fact the ids of at most so many others of the scope, best first."""
    if not texts:
        return {}
    languages = keywords.languages(scope.bank_id, scope.level)
    asked = {pk: query_forms(text, languages) for pk, text in texts.items()}
    words = {forms for counted in asked.values() for forms in counted}
    index = _Index(keywords.read(scope.bank_id, scope.level, chain.from_iterable(words)), words)
    best = {pk: index.best(counted, most + 1) for pk, counted in asked.items()}  # and itself
    numbers = np.unique(np.concatenate(list(best.values())))
    ids = keywords.admitted_ids(scope, numbers)
    return {
        pk: [ids[number] for number in ranked.tolist() if number in ids and ids[number] != pk][
            :most
        ]
        for pk, ranked in best.items()
    }


class _Index:
    """Postings with their weights, by word, and the numbers of all nodes that have one."""

    def __init__(self, found: Found, words: Iterable[Forms]) -> None:
        held = [rows["number"].astype(np.int64) for rows in found.postings.values()]
        self._numbers = np.unique(np.concatenate(held)) if held else np.zeros(0, np.int64)
        self._postings = {
            forms: (
                np.searchsorted(self._numbers, rows["number"].astype(np.int64)),
                postings.weights(rows, found.size),
            )
            for forms, rows in postings.of_words(found.postings, words).items()
        }

    def best(self, asked: Mapping[Forms, int], most: int) -> np.ndarray:
        """The numbers of the best nodes; of equals the older come first."""
        if not asked:
            return self._numbers[:0]
        places = np.concatenate([self._postings[forms][0] for forms in asked])
        weights = np.concatenate([asked[forms] * self._postings[forms][1] for forms in asked])
        scores = np.bincount(places, weights)
        held = np.flatnonzero(scores)
        if len(held) > most:
            least = np.partition(scores[held], -most)[-most]
            above = held[scores[held] > least]
            level = held[scores[held] == least]
            held = np.concatenate((above, level[: most - len(above)]))
        return self._numbers[held[np.lexsort((held, -scores[held]))]]
