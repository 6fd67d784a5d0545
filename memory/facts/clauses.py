"""Clauses of a statement that hold by themselves. Pure.

The office opens at 7:30 and closes at 19:00.     The office opens at 7:30 · The office closes at 19:00.
We upgraded: the server now runs Debian 12.       the server now runs Debian 12.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import regex

from memory.facts import cue_words
from memory.language.folding import fold

_FEWEST_WORDS: Final = 2  # of a subject
_WORD = regex.compile(r"[\p{L}\p{M}’']+")
_AND = regex.compile(r",?\s(?:and|und|et|y|e|и|và)\s(?=([\p{L}\p{M}]+)\s)")
_STATES = frozenset(map(fold, cue_words.STATES))
_DIGIT = regex.compile(r"\d")
_VALUE_LAST = regex.compile(r"\d\S*(?:\s?\p{L}+)?[.!\s]*$")
# Who did what stands before the colon, or a word for news; a place or a day would say where it holds.
_NEWS = regex.compile(
    r"^(?:(?:we|i)(?:\shave|['’]ve)?\s\p{L}*(?:ed|t)\b[^:]*|wir\shaben\s[^:]*"
    r"|news|updates?|correction|change|note|fyi|info|heads[- ]up|neu|neuigkeiten|änderung|korrektur"
    r"|nouveauté|changement|correction|novedad|cambio|novità|cambiamento|novidade|mudança):\s+(?=\p{L})",
    regex.IGNORECASE,
)


def within(text: str) -> Iterator[str]:
    """In order; nothing for a statement of one clause."""
    if (news := _NEWS.match(text)) and not _DIGIT.search(news.group()):
        if cue_words.CHANGE.search(text, news.end()):
            yield text[news.end() :]
        return
    yield from _coordinated(text)


def _coordinated(text: str) -> Iterator[str]:
    """Two predicates of one subject. What stands behind the last value may be said of both."""
    subject = _subject(text)
    conjunctions = [
        match for match in _AND.finditer(text, len(subject)) if fold(match[1]) in _STATES
    ]
    if len(subject.split()) < _FEWEST_WORDS or not conjunctions or not _VALUE_LAST.search(text):
        return
    starts = [len(subject), *(match.end() for match in conjunctions)]
    ends = [*(match.start() for match in conjunctions), len(text)]
    for start, end in zip(starts, ends, strict=True):
        yield f"{subject}{text[start:end]}"


def _subject(text: str) -> str:
    """What stands before the first predicate of a state."""
    for match in _WORD.finditer(text):
        if fold(match.group()) in _STATES:
            return text[: match.start()]
    return ""
