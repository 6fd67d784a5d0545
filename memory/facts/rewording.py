"""What a statement says now, in the plainest words: "has been moved to Thursday" is "is Thursday".
Pure.

Two statements of one thing are compared by their words, so that "The kickoff is on Tuesday" and "The
kickoff has been moved to Thursday" have to be put alike first. What is denied, possible or asked for
keeps its words around the value and is like neither.
"""

from __future__ import annotations

from functools import lru_cache

from memory.facts.rewording_words import CHANGED, STATED


@lru_cache(maxsize=8_192)
def settled(text: str) -> str:
    """The text with every change and state in its plainest words."""
    for pattern, plain in (*CHANGED, *STATED):
        text = pattern.sub(plain, text)
    return text


@lru_cache(maxsize=8_192)
def says_change(text: str) -> bool:
    """Whether it says by its verb that something was otherwise before."""
    return any(pattern.search(text) for pattern, _ in CHANGED)
