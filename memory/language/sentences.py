"""Cuts text into the units that can be cited: sentences, list items, table rows, lines of code.

Pure. Every break of a page's text is a line end and the cells of a row are separated by tabs, so a
line is never wider than its block; inside a line the stops of the script decide.
"""

from __future__ import annotations

from collections.abc import Iterator

import regex

from memory.language.abbreviations import goes_on

# Scripts written without spaces and without stops are cut at a space after this many characters.
# Shorter units hold an answer far less often (docs/judging.md).
UNSTOPPED_LENGTH = 170
# A "sentence" longer than this is cut at its next clause end, so that a quote stays readable.
LONG_SENTENCE = 600

_UNSTOPPED = regex.compile(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_STOP = regex.compile(
    r"""
    (?: [.!?…]+ ["'”’»›)\]]* (?=\s)            # needs a space behind it
      | [。！？｡]+ [」』”’）》】)]*               # needs none
      | [।॥؟۔።։။។]+ ["”’»)]* \s*
    )
    """,
    regex.VERBOSE,
)
_CLAUSE = regex.compile(r"[;；:：]\s|[，、]|,\s")
_TWO_LETTERS = regex.compile(r"\p{L}\P{L}*\p{L}")


def split_sentences(text: str, language: str = "") -> list[tuple[int, int]]:
    """Half-open spans of code points, in order, without the white space around them.

    Nothing but white space lies between two spans. A line with a tab is a table row and stays whole.
    """
    spans: list[tuple[int, int]] = []
    for start, end in _lines(text):
        if "\t" in text[start:end]:
            spans.append((start, end))
        else:
            spans += _in_line(text, start, end, language)
    return [span for span in (_trim(text, *span) for span in spans) if span[0] < span[1]]


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.split("\n"):
        yield start, start + len(line)
        start += len(line) + 1


def _in_line(text: str, start: int, end: int, language: str) -> Iterator[tuple[int, int]]:
    at = start
    for match in _STOP.finditer(text, start, end):
        stop = match.end()
        if stop >= end or not _ends_sentence(text, at, end, match, language):
            continue
        if not _has_words(text, at, stop):
            continue  # the number of a list item, a lone mark: it belongs to what follows
        yield from _shorten(text, at, stop)
        at = stop
    yield from _shorten(text, at, end)


def _ends_sentence(text: str, start: int, end: int, match: regex.Match[str], language: str) -> bool:
    mark = match.group()
    if mark[0] not in ".!?…":
        return True
    after = text[match.end() :].lstrip()[:1]
    if after.islower():
        return False
    if mark[0] != "." or mark[1:2] == ".":
        return True
    return not goes_on(text, match.start(), start=start, end=end, language=language)


def _has_words(text: str, start: int, end: int) -> bool:
    return _TWO_LETTERS.search(text, start, end) is not None


def _shorten(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    if end - start <= UNSTOPPED_LENGTH:
        yield start, end
        return
    unstopped = len(_UNSTOPPED.findall(text, start, end))
    if unstopped > (end - start) // 2:
        yield from _cut(text, start, end, UNSTOPPED_LENGTH, regex.compile(r"\s+"))
    elif end - start > LONG_SENTENCE:
        yield from _cut(text, start, end, LONG_SENTENCE // 2, _CLAUSE)
    else:
        yield start, end


def _cut(
    text: str, start: int, end: int, length: int, pattern: regex.Pattern
) -> Iterator[tuple[int, int]]:
    """Cuts after the first match that leaves ``length``, and keeps a short rest with its sentence."""
    while end - start > length:
        match = pattern.search(text, start + length, end)
        if match is None or end - match.end() < length // 2:
            break
        yield start, match.end()
        start = match.end()
    yield start, end


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
