"""What variants of the keyword arm find: other parameters, other terms.

    python -m bench.keyword_quality --data DIR [--per-group N]

In memory and without a database. nDCG@10, of locomo the share of the evidence among the first ten.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kb.evaluation.datasets import DataMissing, data_folder
from kb.evaluation.retrieval_sets import RetrievalSet, Shape, WantedBank, load
from memory import metrics
from memory.language import analysis
from memory.postings import K1, B

SETS = ("scifact", "cranfield", "cisi", "npl", "xquad", "locomo")
SEEN = 10

Analyse = Callable[[str, str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Terms:
    """How texts and questions become terms."""

    of_text: Analyse
    of_query: Analyse


@dataclass(frozen=True, slots=True)
class Formula:
    """BM25; ``least`` is what a term adds at least wherever it stands (BM25+)."""

    k1: float = K1
    b: float = B
    least: float = 0.0


def _words(text: str, language: str) -> list[str]:
    return [token.folded for token in analysis.tokenise(text, language)]


def _query_words(text: str, language: str) -> list[str]:
    """Words as they are, without English stop words: in no language there is nothing to stem."""
    return analysis.query_terms(text)


def _both(text: str, language: str) -> list[str]:
    return [*analysis.terms(text, language), *(f"={word}" for word in _words(text, language))]


def _query_both(text: str, language: str) -> list[str]:
    words = (f"={word}" for word in _query_words(text, language))
    return [*analysis.query_terms(text, language), *words]


STEMS = Terms(analysis.terms, analysis.query_terms)
TERMS = {
    "stems, identifiers, pieces of unspaced scripts": STEMS,
    "whole words": Terms(_words, _query_words),
    "stems and whole words": Terms(_both, _query_both),
    "stems and 4-letter pieces": Terms(
        lambda text, language: analysis.terms(text, language, grams=True),
        lambda text, language: analysis.query_terms(text, language, grams=True),
    ),
}
FORMULAS = {
    f"k1 {formula.k1}, b {formula.b}"
    + (f", at least {formula.least}" if formula.least else ""): formula
    for formula in (
        Formula(0.9, 0.4),
        Formula(0.9, 0.75),
        Formula(1.2, 0.5),
        Formula(),
        Formula(1.2, 0.9),
        Formula(1.6, 0.75),
        Formula(2.0, 0.75),
        Formula(least=0.5),
        Formula(least=1.0),
    )
}


class Index:
    def __init__(self, bank: WantedBank, terms: Terms) -> None:
        self._terms, self._language = terms, bank.language
        texts = bank.texts()
        self.names = list(texts)
        rows: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lengths = np.zeros(len(texts))
        self.postings = 0
        for row, text in enumerate(texts.values()):
            found = Counter(terms.of_text(text, bank.language))
            self._lengths[row] = found.total()
            self.postings += len(found)
            for term, count in found.items():
                rows[term].append((row, count))
        self._rows = {term: np.array(those) for term, those in rows.items()}

    def best(self, query: str, formula: Formula) -> list[str]:
        size = len(self.names)
        average = max(self._lengths.mean(), 1.0)
        scores = np.zeros(size)
        for term in self._terms.of_query(query, self._language):
            if (rows := self._rows.get(term)) is None:
                continue
            places, counts = rows[:, 0], rows[:, 1]
            rarity = np.log1p((size - len(rows) + 0.5) / (len(rows) + 0.5))
            length = 1 - formula.b + formula.b * self._lengths[places] / average
            saturated = (formula.k1 + 1) * counts / (counts + formula.k1 * length)
            scores[places] += rarity * (saturated + formula.least)
        order = np.argsort(-scores, kind="stable")[:SEEN]
        return [self.names[row] for row in order if scores[row] > 0]


def quality(found: RetrievalSet, indexes: Sequence[Index], formula: Formula) -> float:
    values = []
    for bank, index in zip(found.banks, indexes, strict=True):
        for query in bank.queries:
            best = index.best(query.text, formula)
            if found.shape is Shape.CONVERSATION:
                values.append(metrics.recall(best, set(query.relevant), SEEN))
            else:
                values.append(metrics.ndcg(best, query.relevant, SEEN))
    return float(np.mean(values))


def measure(folder: Path, per_group: int | None) -> dict[str, dict[str, dict[str, float]]]:
    """By kind of variant and variant: quality by set, and how many postings a set has."""
    found: dict[str, dict[str, dict[str, float]]] = {"terms": {}, "formula": {}, "postings": {}}
    for name in SETS:
        retrieval = load(folder, name, per_group=per_group)
        for label, terms in TERMS.items():
            indexes = [Index(bank, terms) for bank in retrieval.banks]
            found["terms"].setdefault(label, {})[name] = quality(retrieval, indexes, Formula())
            postings = sum(index.postings for index in indexes)
            found["postings"].setdefault(label, {})[name] = postings
            if terms is STEMS:
                for formula_label, formula in FORMULAS.items():
                    row = found["formula"].setdefault(formula_label, {})
                    row[name] = quality(retrieval, indexes, formula)
        print(f"{name} …", file=sys.stderr)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("FOOTNOTE_DATA"), metavar="DIR")
    parser.add_argument("--per-group", type=int, default=None, metavar="N")
    options = parser.parse_args()
    try:
        print(json.dumps(measure(data_folder(options.data), options.per_group), indent=1))
    except DataMissing as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
