"""How well units of text match a question, word by word. Pure; the page itself is the corpus.

Every question term meets every distinct word of the page once: equal stems count 1, words that share
n-grams count their overlap, an initialism counts as the words it stands for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from memory.terms import Term

K1, B = 1.2, 0.5
# Overlap of n-grams (Dice) below which two words are strangers.
SIMILAR = 0.5
# An expanded abbreviation is nearly, but not quite, the word itself.
EXPANDED = 0.9
# First parts of compounds that abbreviations take a letter from: OT is overtime, WFH is work from home.
_COMPOUNDS = (
    "over under out up down off on in back fore after mid non pre post sub super inter multi micro home"
    " work week pay time data head health life team web net soft hard key pass foot water fire air"
).split()


@dataclass(frozen=True, slots=True)
class Matches:
    """Question against units. ``strength`` is 0-1, shape (units, terms); ``idf`` is one per term."""

    strength: np.ndarray
    idf: np.ndarray
    lengths: np.ndarray  # terms per unit

    def bm25(self) -> np.ndarray:
        """Per unit, divided by the most that any unit could reach: 0-1."""
        if not len(self.idf) or not len(self.lengths):
            return np.zeros(len(self.lengths), np.float32)
        norm = K1 * (1 - B + B * self.lengths / max(float(self.lengths.mean()), 1.0))
        weighted = self.strength * (K1 + 1) / (self.strength + norm[:, None])
        total = float(self.idf.sum()) * (K1 + 1) / (1 + K1 * (1 - B))
        return (weighted @ self.idf / max(total, 1e-9)).astype(np.float32)

    def coverage(self) -> np.ndarray:
        """Share of the question's idf that a unit holds: 0-1."""
        return (self.strength @ self.idf / max(float(self.idf.sum()), 1e-9)).astype(np.float32)


def match(question: Sequence[Term], units: Sequence[Sequence[Term]]) -> Matches:
    strength = np.zeros((len(units), len(question)), np.float32)
    lengths = np.array([len(unit) for unit in units], np.float32)
    postings: dict[str, set[int]] = defaultdict(set)
    for row, unit in enumerate(units):
        for term in unit:
            postings[term.stem].add(row)
    words = {term.stem: term for unit in units for term in unit}
    by_gram: dict[str, list[Term]] = defaultdict(list)
    for term in words.values():
        for gram in term.grams:
            by_gram[gram].append(term)
    for column, term in enumerate(question):
        for stem, value in _alike(term, words, by_gram).items():
            rows = list(postings[stem])
            strength[rows, column] = np.maximum(strength[rows, column], value)
        if not strength[:, column].any():
            _expand(term, column, strength, units)
    found = strength.sum(axis=0)
    idf = np.log(1 + (len(units) - found + 0.5) / (found + 0.5)).astype(np.float32)
    return Matches(strength, idf, lengths)


def _alike(
    term: Term, words: dict[str, Term], by_gram: dict[str, list[Term]]
) -> dict[str, float]:
    alike: dict[str, float] = {term.stem: 1.0} if term.stem in words else {}
    shared: dict[str, int] = defaultdict(int)
    for gram in term.grams:
        for word in by_gram.get(gram, ()):
            shared[word.stem] += 1
    for stem, count in shared.items():
        value = 2 * count / (len(term.grams) + len(words[stem].grams))
        if value >= SIMILAR and value > alike.get(stem, 0.0):
            alike[stem] = value
    return alike


def _expand(
    term: Term, column: int, strength: np.ndarray, units: Sequence[Sequence[Term]]
) -> None:
    """Abbreviations that the page writes out: OT - overtime, PTO - paid time off, max - maximum."""
    letters = term.folded
    if not letters.isascii() or not letters.isalpha():
        return
    for row, unit in enumerate(units):
        folded = [word.folded for word in unit]
        if 2 <= len(letters) <= 5 and _spells(letters, folded):
            strength[row, column] = EXPANDED
        elif len(letters) >= 3 and any(
            word.startswith(letters) and len(word) >= len(letters) + 2 for word in folded
        ):
            strength[row, column] = EXPANDED


def _spells(letters: str, words: Sequence[str]) -> bool:
    """Do consecutive words begin with the letters, where a compound may give two of them?"""
    initials: list[str] = []
    for word in words:
        first = word[0]
        second = next(
            (
                word[len(part)]
                for part in _COMPOUNDS
                if word.startswith(part) and len(word) >= len(part) + 3
            ),
            "",
        )
        initials.append(first + second)
    for start in range(len(words)):
        rest, at, took = letters, start, 0
        while rest and at < len(words):
            both = initials[at]
            if len(both) == 2 and rest.startswith(both):
                rest, took = rest[2:], took + 2
            elif rest.startswith(both[0]):
                rest, took = rest[1:], took + 1
            else:
                break
            at += 1
        if not rest:
            return True
    return False
