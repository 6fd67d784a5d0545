"""Who is asked about: a turn counts more where the query names the one who said it. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from memory.facts.resolution import folded
from memory.language.analysis import tokenise


def without_possessive(word: str) -> str:
    """``melanie`` of ``melanie's``, of a folded word or name."""
    return word.removesuffix("'s")


def named(query: str, speakers: Iterable[str]) -> str | None:
    """The speaker whom the query names, by the whole name or its first word. None where it names
    none of them, or several: then the name says nothing about which turn is meant."""
    words = [without_possessive(token.folded) for token in tokenise(query)]
    text = f" {' '.join(words)} "
    found = set()
    for speaker in speakers:
        name = [token.folded for token in tokenise(folded(speaker))]
        if name and (f" {' '.join(name)} " in text or name[0] in words):
            found.add(speaker)
    return found.pop() if len(found) == 1 else None
