"""Cuts one block that is over the limit: at line, then sentence, then word, then grapheme ends. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import regex

_LINE = regex.compile(r"[^\n]*\n?")
_SENTENCE = regex.compile(
    r".+?(?:[.!?…]+[\"'”’»)\]]*(?=\s)|[。！？｡؟۔।॥։።]+[\"'”’»」』）)\]]*|\Z)\s*", regex.DOTALL
)
_WORD = regex.compile(r"\s*\S+|\s+")
_GRAPHEME = regex.compile(r"\X")
_EVEN = 0.95  # of the limit is aimed at, since tokens are not spread evenly
_Span = tuple[int, int]


def cut(
    text: str, start: int, end: int, limit: int, count_tokens: Callable[[str], int]
) -> list[_Span]:
    """Spans in order, each of at most ``limit`` tokens, none blank, white space between them left out.

    A single grapheme over the limit (letters under hundreds of combining marks) is cut between
    code points: nothing else is left to cut at.
    """
    pieces = _cut(text, (start, end), limit, count_tokens, (_LINE, _SENTENCE, _WORD))
    return [trimmed for piece in pieces if (trimmed := _trim(text, piece))[0] < trimmed[1]]


def _cut(
    text: str,
    span: _Span,
    limit: int,
    count_tokens: Callable[[str], int],
    patterns: tuple[regex.Pattern[str], ...],
) -> Iterator[_Span]:
    if count_tokens(text[span[0] : span[1]]) <= limit:
        yield span
    elif not patterns:
        yield from _cut_run(text, span, limit, count_tokens)
    else:
        for part, tokens in _packed(text, span, limit, count_tokens, patterns[0]):
            if tokens <= limit:
                yield part
            else:
                yield from _cut(text, part, limit, count_tokens, patterns[1:])


def _packed(
    text: str,
    span: _Span,
    limit: int,
    count_tokens: Callable[[str], int],
    pattern: regex.Pattern[str],
) -> Iterator[tuple[_Span, int]]:
    """Neighbouring parts together, as many as fit, with their tokens. A part over the limit comes
    alone."""
    group: list[_Span] = []
    tokens = 0
    for match in pattern.finditer(text, span[0], span[1]):
        if match.end() == match.start():
            continue
        own = count_tokens(match.group())
        if group and tokens + own > limit:
            yield from _counted(text, group, limit, count_tokens)
            group, tokens = [], 0
        group.append(match.span())
        tokens += own
    if group:
        yield from _counted(text, group, limit, count_tokens)


def _counted(
    text: str, group: list[_Span], limit: int, count_tokens: Callable[[str], int]
) -> Iterator[tuple[_Span, int]]:
    """Parts may have more tokens together than one by one; such a group is halved."""
    whole = group[0][0], group[-1][1]
    tokens = count_tokens(text[whole[0] : whole[1]])
    if tokens <= limit or len(group) == 1:
        yield whole, tokens
    else:
        for half in (group[: len(group) // 2], group[len(group) // 2 :]):
            yield from _counted(text, half, limit, count_tokens)


def _cut_run(
    text: str, span: _Span, limit: int, count_tokens: Callable[[str], int]
) -> Iterator[_Span]:
    """Even pieces of a run without any gap, at grapheme ends."""
    run = text[span[0] : span[1]]
    ends = [match.end() for match in _GRAPHEME.finditer(run)]
    if len(ends) < 2:
        ends = list(range(1, len(run) + 1))
    first = 0
    share = 1 / math.ceil(count_tokens(run) / (limit * _EVEN))
    begin = 0
    while first < len(ends):
        last = min(len(ends), first + max(1, round(len(ends) * share)))
        while last - first > 1 and (tokens := count_tokens(run[begin : ends[last - 1]])) > limit:
            last = first + max(1, min(last - first - 1, int((last - first) * limit / tokens)))
        if (
            count_tokens(run[begin : ends[last - 1]]) > limit
            and last - first == 1
            and ends[first] - begin > 1
        ):
            yield from _cut_marks(span[0] + begin, span[0] + ends[first], text, limit, count_tokens)
        else:
            yield span[0] + begin, span[0] + ends[last - 1]
        begin, first = ends[last - 1], last


def _cut_marks(
    start: int, end: int, text: str, limit: int, count_tokens: Callable[[str], int]
) -> Iterator[_Span]:
    while start < end:
        stop = end
        while stop - start > 1 and count_tokens(text[start:stop]) > limit:
            stop = start + (stop - start) // 2
        yield start, stop
        start = stop


def _trim(text: str, span: _Span) -> _Span:
    piece = text[span[0] : span[1]]
    return span[0] + len(piece) - len(piece.lstrip()), span[0] + len(piece.rstrip())
