"""Terms of a short text for matching a question with a unit. Pure.

A term of the analyser, together with the n-grams inside its word, so that two forms of a word match a
little even in a language without a stemmer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from memory.language.analysis import term_spans
from memory.language.folding import fold

GRAM = 4


@dataclass(frozen=True, slots=True)
class Term:
    """``text[start:end]`` is the word (or run) that the term comes from."""

    stem: str
    folded: str
    grams: frozenset[str]
    start: int
    end: int


@lru_cache(maxsize=4096)
def terms(text: str, language: str = "") -> tuple[Term, ...]:
    """In the order of the words; pieces of scripts without spaces overlap."""
    return tuple(
        Term(span.term, *_shape(span.term, text[span.start : span.end]), span.start, span.end)
        for span in term_spans(text, language)
    )


@lru_cache(maxsize=100_000)
def _shape(stem: str, written: str) -> tuple[str, frozenset[str]]:
    return fold(written), grams(stem)


def grams(word: str) -> frozenset[str]:
    """The n-grams inside a word; a short word is its own."""
    if len(word) <= GRAM:
        return frozenset((word,))
    return frozenset(word[at : at + GRAM] for at in range(len(word) - GRAM + 1))
