"""What the times of a memory say, so that its words need not: when it held. Pure.

"When did the depot open in March 2024?" is answered by "The depot opens at 7.", told in January and
outdated in June.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import regex

from memory import dates
from memory.hits import Hit, Window
from memory.language.folding import fold
from memory.language.units import MONTH_WORDS

_MONTHS: Final = frozenset(map(fold, MONTH_WORDS))
_WORD: Final = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_FIGURE: Final = regex.compile(r"\p{N}+\.?")


def is_of_time(word: str) -> bool:
    """A month or a figure: of a period it is met by what held then."""
    return fold(word) in _MONTHS or _FIGURE.fullmatch(word) is not None


def months_of_dates(question: str) -> frozenset[str]:
    """Months beside a figure: "March 2024". One that stands alone may be somebody's name."""
    words = _WORD.findall(question)
    return frozenset(
        month
        for pair in pairwise(words)
        for month, figure in (pair, pair[::-1])
        if fold(month) in _MONTHS and _FIGURE.fullmatch(figure)
    )


def held_in(hit: Hit, window: Window) -> bool:
    """It happened in the period, was told in it, or held then and lost to something newer since."""
    if hit.occurred_start is not None:
        return (
            hit.occurred_start <= window.end
            and (hit.occurred_end or hit.occurred_start) >= window.start
        )
    if hit.mentioned_at is None or hit.mentioned_at > window.end:
        return False
    until = hit.superseded_at or hit.mentioned_at
    return until >= window.start


def words_of_period(question: str, hits: Sequence[Hit], window: Window | None) -> tuple[str, ...]:
    """The months and figures of a question that a former memory's times tell: its words need not."""
    if window is None or not any(hit.superseded_at and held_in(hit, window) for hit in hits):
        return ()
    return tuple(word for word in _WORD.findall(question) if is_of_time(word))


def without(question: str, words: Sequence[str]) -> str:
    return _WORD.sub(lambda match: "" if match.group() in words else match.group(), question)


def still_missing(
    words: Sequence[str], cited: Sequence[Hit], window: Window | None
) -> tuple[str, ...]:
    """``words`` of the question but those that the times of all ``cited`` memories meet: of the period
    that it asks about, and "before" where what they tell is no longer so."""
    if not cited:
        return tuple(words)
    was_then = window is not None and all(held_in(hit, window) for hit in cited)
    is_former = all(hit.superseded_at is not None for hit in cited)
    return tuple(
        word
        for word in words
        if not (was_then and is_of_time(word)) and not (is_former and dates.is_about_past(word))
    )
