"""How well units of text match a question, word by word. Pure; the page itself is the corpus.

Every question term meets every distinct word of the page once: equal stems count 1, words that share
n-grams count their overlap, an initialism counts as the words it stands for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from memory.language.terms import Term

K1, B = 1.2, 0.5
# Overlap of n-grams (Dice) below which two words are strangers.
SIMILAR = 0.5
# An expanded abbreviation is nearly, but not quite, the word itself.
EXPANDED = 0.9
GUESSED = 0.5
# Short forms that stand for what they begin; of others it would be chance: "war" begins "warden".
_SHORT_FORMS = frozenset(
    "max min avg approx dept info admin qty amt est temp tel addr mgr mgmt app apps auth config"
    " conf spec specs doc docs repo repos prod dev env lab demo exam ref refs perf freq calc"
    " desc eval prof univ corp govt intl natl tech orig prev misc param params var vars lang sys"
    " proc util utils org dir exec reg sched synch".split()
)
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

    def grouped(self, of: np.ndarray) -> Matches:
        """Neighbouring units put together; ``of`` is the group of each, rising from 0."""
        count = int(of.max(initial=-1)) + 1
        strength = np.zeros((count, self.strength.shape[1]), np.float32)
        np.maximum.at(strength, of, self.strength)
        lengths = np.bincount(of, weights=self.lengths, minlength=count).astype(np.float32)
        return Matches(strength, self.idf, lengths)

    def coverage(self) -> np.ndarray:
        """Share of the question's idf that a unit holds: 0-1."""
        return (self.strength @ self.idf / max(float(self.idf.sum()), 1e-9)).astype(np.float32)


def match(
    question: Sequence[Term], units: Sequence[Sequence[Term]], *, corpus: int | None = None
) -> Matches:
    """``corpus``: how many of the units, from the first, decide how rare a term is (default all)."""
    count = len(units) if corpus is None else corpus
    strength = np.zeros((len(units), len(question)), np.float32)
    lengths = np.array([len(unit) for unit in units], np.float32)
    postings: dict[str, list[int]] = defaultdict(list)
    words: dict[str, Term] = {}
    for row, unit in enumerate(units):
        for term in unit:
            words[term.stem] = term
            postings[term.stem].append(row)
    by_gram: dict[str, list[str]] = defaultdict(list)
    asked = frozenset().union(*(term.grams for term in question))
    for stem, term in words.items():
        for gram in term.grams & asked:
            by_gram[gram].append(stem)
    for column, term in enumerate(question):
        for stem, value in _alike(term, words, by_gram).items():
            rows = postings[stem]
            strength[rows, column] = np.maximum(strength[rows, column], value)
        if not strength[:, column].any():
            _expand(term, column, strength, words, postings, units)
    found = strength[:count].sum(axis=0)
    idf = np.log(1 + (count - found + 0.5) / (found + 0.5)).astype(np.float32)
    return Matches(strength, idf, lengths)


def _alike(term: Term, words: dict[str, Term], by_gram: dict[str, list[str]]) -> dict[str, float]:
    shared: dict[str, int] = defaultdict(int)
    for gram in term.grams:
        for stem in by_gram.get(gram, ()):
            shared[stem] += 1
    size = len(term.grams)
    alike = {
        stem: value
        for stem, count in shared.items()
        if (value := 2 * count / (size + len(words[stem].grams))) >= SIMILAR
    }
    if term.stem in words:
        alike[term.stem] = 1.0
    return alike


def _expand(
    term: Term,
    column: int,
    strength: np.ndarray,
    words: dict[str, Term],
    postings: dict[str, list[int]],
    units: Sequence[Sequence[Term]],
) -> None:
    """Abbreviations that the page writes out: OT - overtime, PTO - paid time off, max - maximum; or
    that the question does."""
    letters = term.folded
    if not letters.isascii() or not letters.isalpha():
        return
    for stem, word in words.items():
        if word.folded[:1] != letters[0]:
            continue
        short, long = sorted((letters, word.folded), key=len)
        if (
            len(short) >= 3
            and len(long) >= len(short) + 3
            and short in _SHORT_FORMS
            and long.startswith(short)
        ):
            strength[postings[stem], column] = EXPANDED
    if 2 <= len(letters) <= 5:
        for row, unit in enumerate(units):
            if found := _spells(letters, [word.folded for word in unit]):
                strength[row, column] = max(strength[row, column], found)


def _spells(letters: str, words: Sequence[str]) -> float:
    """Do consecutive words begin with the letters, where a compound may give two of them?"""
    return max(
        (
            _spells_from(letters, words, at)
            for at, word in enumerate(words)
            if word[:1] == letters[0]
        ),
        default=0.0,
    )


def _spells_from(letters: str, words: Sequence[str], at: int) -> float:
    # Two words that happen to begin with the two letters are mostly chance.
    sure = len(letters) > 2
    for word in words[at:]:
        if len(word) == 1:  # "with a release" is no WAR
            return 0.0
        both = _initials(word)
        taken = 2 if len(both) == 2 and letters.startswith(both) else 1
        sure = sure or taken == 2
        if not letters.startswith(both[:taken]):
            return 0.0
        letters = letters[taken:]
        if not letters:
            return EXPANDED if sure else GUESSED
    return 0.0


def _initials(word: str) -> str:
    """``ot`` of overtime; one letter of a word that is not a known compound."""
    for part in _COMPOUNDS:
        if word.startswith(part) and len(word) >= len(part) + 3:
            return word[0] + word[len(part)]
    return word[:1]
