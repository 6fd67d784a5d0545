"""Which words of a claim its quotes carry. Pure.

Words meet by stem. Titles, headings and column names are *context*: they may carry a word or a
name, never a figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import regex

from memory.language.folding import fold
from memory.language.languages import STOP_WORDS
from memory.language.terms import terms
from memory.verification.figures import Figure, figures, unit_words

# A quote that holds less than this share of a claim's words has nothing to do with the claim.
RELATED_SHARE = 0.25
_SCRIPTS = {
    name: regex.compile(rf"\p{{Script={name}}}")
    for name in (
        ("Latin Cyrillic Greek Arabic Hebrew Devanagari Thai Han Hiragana Katakana Hangul").split()
    )
}
_STEM_PREFIX, _STEM_TAIL = 5, 3


@dataclass(frozen=True)
class Evidence:
    """The quotes of one claim, the whole sentences around them, and their context."""

    quotes: tuple[str, ...]
    sentences: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    language: str = ""

    @cached_property
    def words(self) -> frozenset[str]:
        """Stems in the quotes."""
        return stems(" \n ".join(self.quotes), self.language)

    @cached_property
    def context_words(self) -> frozenset[str]:
        return stems(" \n ".join(self.context), self.language)

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        return tuple(figure for quote in self.quotes for figure in figures(quote, self.language))

    @cached_property
    def context_figures(self) -> tuple[Figure, ...]:
        return tuple(figure for text in self.context for figure in figures(text, self.language))

    @cached_property
    def units(self) -> frozenset[str]:
        return unit_words("\n".join((*self.quotes, *self.context)))

    def carries(self, word: str) -> bool:
        return is_carried(word, self.words) or is_carried(word, self.context_words)


def stems(text: str, language: str = "") -> frozenset[str]:
    return frozenset(term.stem for term in terms(text, language))


@cache
def function_words(language: str) -> frozenset[str]:
    """Folded words that carry no content, of English and one more language."""
    own = STOP_WORDS.get(language.partition("-")[0], frozenset())
    return frozenset(fold(word) for word in own | STOP_WORDS["en"])


def content_words(text: str, language: str = "") -> dict[str, str]:
    """Stem → the word as it was written, without function words, in order of appearance."""
    found: dict[str, str] = {}
    empty = function_words(language)
    for term in terms(text, language):
        if term.folded not in empty:
            found.setdefault(term.stem, text[term.start : term.end])
    return found


def is_carried(stem: str, words: frozenset[str]) -> bool:
    """The same stem, or one that differs in a short ending only."""
    if stem in words:
        return True
    if len(stem) < _STEM_PREFIX or not stem.isalpha():
        return False
    return any(_differ_in_ending(stem, word) for word in words)


def _differ_in_ending(left: str, right: str) -> bool:
    shared = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        shared += 1
    return shared >= _STEM_PREFIX and max(len(left), len(right)) - shared <= _STEM_TAIL


def is_related(claim: str, quote: str, language: str = "") -> bool:
    """Does the quote speak of what the claim speaks of at all?

    Words cannot tell where claim and quote are written in different scripts: then yes.
    """
    if _script(claim) != _script(quote):
        return True
    wanted = content_words(claim, language) or stems(claim, language)
    held = stems(quote, language)
    carried = sum(is_carried(stem, held) for stem in wanted)
    return carried > 0 and carried >= RELATED_SHARE * len(wanted)


def cover(claim: str, quotes: Sequence[str], language: str = "") -> list[int]:
    """Indices of the fewest quotes that together carry what all of them carry, best first found.

    A quote that adds no word of the claim is no source of it. Returned in the order of ``quotes``.
    """
    wanted = set(content_words(claim, language))
    held = [stems(quote, language) for quote in quotes]
    holds = [{stem for stem in wanted if is_carried(stem, words)} for words in held]
    chosen: list[int] = []
    covered: set[str] = set()
    while True:
        gains = [len(found - covered) for found in holds]
        best = max(range(len(quotes)), key=gains.__getitem__, default=-1)
        if best < 0 or gains[best] == 0:
            return sorted(chosen)
        chosen.append(best)
        covered |= holds[best]


def _script(text: str) -> str:
    counts = {name: len(pattern.findall(text)) for name, pattern in _SCRIPTS.items()}
    counts["Han"] += counts.pop("Hiragana") + counts.pop("Katakana")
    name = max(counts, key=counts.__getitem__)
    return name if counts[name] else ""
