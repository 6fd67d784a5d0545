"""What of a passage is shown for a query: its best sentences, and where the query's words stand. Pure.

Words are found by the analyser's own terms, so what is marked is what was found: another form of the
word, a ligature, letters that change their length when folded. Nothing here makes markup.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import regex

from memory.language.analysis import is_unspaced, term_spans
from memory.language.folding import fold
from memory.language.sentences import split_sentences

LENGTH = 240  # code points; one sentence may be longer, up to TOO_LONG
_ENOUGH = 90  # with so many, what follows is shown from the same paragraph alone
TOO_LONG = 360
_LEAD = 60  # what is shown before the first found word of a sentence that has to be cut
_CLUSTER = regex.compile(r"\X")
_SPACE = regex.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Snippet:
    """``text`` is the passage's ``[start:end]``; ``marks`` are half-open ranges of code points in it."""

    text: str
    start: int
    end: int
    marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    term: str


def snippet(text: str, terms: Collection[str], language: str = "") -> Snippet:
    """The sentences that hold most of ``terms``; the opening where none does."""
    found = sorted(_find(text, terms, language), key=lambda one: (one.start, one.end))
    start, end = _window(text, found, language)
    return Snippet(text[start:end], start, end, tuple(_marks(found, start, end)))


def _find(text: str, terms: Collection[str], language: str) -> Iterator[_Found]:
    wanted = frozenset(terms)
    for span in term_spans(text, language):
        if span.term not in wanted:
            continue
        word = text[span.start : span.end]
        if is_unspaced(word):
            # The analyser names the whole run; what was found is a piece of it.
            yield from _pieces(word, span.term, span.start, language)
        else:
            yield _Found(span.start, span.end, span.term)


def _pieces(run: str, term: str, offset: int, language: str) -> Iterator[_Found]:
    folded, origins = [], []
    for cluster in _CLUSTER.finditer(run):
        letters = fold(cluster.group(), language)
        folded.append(letters)
        origins += [cluster.span()] * len(letters)
    written = "".join(folded)
    at = written.find(term)
    while at >= 0:
        last = origins[at + len(term) - 1]
        yield _Found(offset + origins[at][0], offset + last[1], term)
        at = written.find(term, at + 1)


def _window(text: str, found: Sequence[_Found], language: str) -> tuple[int, int]:
    """The sentence that holds most of the terms, and its neighbours as far as they fit: what stands
    before it where that adds a term, what follows in any case. A row of a table stands alone."""
    sentences = split_sentences(text, language)
    if not sentences:
        return 0, min(len(text), LENGTH)
    starts = [one.start for one in found]

    def held(start: int, end: int) -> int:
        here = found[bisect_left(starts, start) : bisect_right(starts, end - 1)]
        return len({one.term for one in here})

    def rank(at: int) -> tuple[int, bool, int]:
        is_row = "\t" in text[slice(*sentences[at])]
        return held(*sentences[at]), not is_row, -at  # the first, and prose before tables

    best = max(range(len(sentences)), key=rank)
    start, end = sentences[best]
    if end - start > TOO_LONG:
        return _cut(text, start, end, found)
    if "\t" in text[start:end]:
        return start, end
    for before, _ in reversed(sentences[:best]):
        if end - before > LENGTH or held(before, end) == held(start, end):
            break
        start = before
    for follows, after in sentences[best + 1 :]:
        is_next_paragraph = "\n" in text[end:follows]
        if after - start > LENGTH or (is_next_paragraph and end - start >= _ENOUGH):
            break
        end = after
    return start, end


def _cut(text: str, start: int, end: int, found: Sequence[_Found]) -> tuple[int, int]:
    """A part of a sentence that is too long to show, from a little before its first found word."""
    first = next((one for one in found if start <= one.start < end), None)
    if first is not None and first.start - start > _LEAD:
        start = _next_edge(text, first.start - _LEAD, first.start)
    last = start + LENGTH
    if first is not None:
        last = max(last, first.end)  # a word is never cut
    return start, end if last >= end else _previous_edge(text, max(start, last - 40), last)


def _next_edge(text: str, at: int, limit: int) -> int:
    """After the next white space, else at the next whole character."""
    if space := _SPACE.search(text, at, limit):
        return space.end()
    return next((at + cluster.end() for cluster in _CLUSTER.finditer(text[at:limit])), limit)


def _previous_edge(text: str, at: int, limit: int) -> int:
    spaces = [space.start() for space in _SPACE.finditer(text, at, limit)]
    if spaces:
        return spaces[-1]
    clusters = [at + cluster.end() for cluster in _CLUSTER.finditer(text[at : limit + 8])]
    return max((edge for edge in clusters if edge <= limit), default=limit)


def _marks(found: Iterable[_Found], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Relative to the snippet, in order; what overlaps or touches is one."""
    pending: tuple[int, int] | None = None
    for one in found:
        if one.start < start or one.end > end:
            continue
        left, right = one.start - start, one.end - start
        if pending is not None and left <= pending[1]:
            pending = pending[0], max(pending[1], right)
            continue
        if pending is not None:
            yield pending
        pending = left, right
    if pending is not None:
        yield pending
