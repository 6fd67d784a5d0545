"""Which passages of many are worth reading closely. Pure, and cheap: no analysis, no encoder.

By their words, and by the cosine that the search gave them, where it did.
"""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import normalize

import numpy as np

from memory.reading.questions import Question
from memory.types import Passage


def closest(question: Question, passages: Sequence[Passage], *, count: int) -> list[Passage]:
    """The passages to read closely, in their own order."""
    if len(passages) <= count:
        return list(passages)
    scores = _standard(_mentions(question, passages))
    cosines = np.array([np.nan if p.semantic is None else p.semantic for p in passages])
    if not np.isnan(cosines).all():
        scores = scores + _standard(np.where(np.isnan(cosines), np.nanmean(cosines), cosines))
    best = sorted(np.argsort(-scores, kind="stable")[:count].tolist())
    return [passages[index] for index in best]


def _mentions(question: Question, passages: Sequence[Passage]) -> np.ndarray:
    """Rarity-weighted count of the question's words in each passage: plain search, since a long page
    has too many words to analyse each."""
    texts = [
        normalize("NFKC", " ".join((*p.heading_path, p.header, p.text))).casefold()
        for p in passages
    ]
    needles = {
        normalize("NFKC", question.text[term.start : term.end]).casefold()[: max(len(term.stem), 2)]
        if len(term.grams) > 1
        else term.stem
        for term in question.terms
    }
    counts = np.array([[text.count(needle) for needle in needles] for text in texts], float)
    rarity = np.log(1 + len(texts) / (1 + (counts > 0).sum(axis=0)))
    lengths = np.array([len(text) for text in texts], float)
    norm = 0.5 + 0.5 * lengths / max(lengths.mean(), 1.0)
    return (counts / (counts + norm[:, None])) @ rarity


def _standard(values: np.ndarray) -> np.ndarray:
    return (values - values.mean()) / max(float(values.std()), 1e-9)
