"""Tables as they are written in a text: between pipes, between tabs, in HTML. Pure.

| Valve | Pressure |
| ----- | -------- |
| V-097 | 14 bar   |          told: Valve V-097 — Pressure 14 bar
"""

from __future__ import annotations

import html
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import takewhile

import regex

from memory.language.tables import CELL, labelled
from memory.types import Block, BlockKind

Span = tuple[int, int]

_PIPE = regex.compile(r"(?<!\\)\|")
_RULE = regex.compile(r"[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?)?[ \t]*")
_FRAMED = regex.compile(r"[ \t]*\|.*\S.*\|[ \t]*")
_EMPHASIS = regex.compile(r"^(\*\*|__|\*|_|`)(.+)\1$")
_DIGIT = regex.compile(r"\d")

_TABLE = regex.compile(r"[ \t]*<table\b", regex.IGNORECASE)
_TABLE_END = regex.compile(r"</table\s*>[^\S\n]*", regex.IGNORECASE)
_ROW = regex.compile(r"<tr\b[^>]*>(?:(?!<tr\b).)*?</tr\s*>", regex.IGNORECASE | regex.DOTALL)
_CELL = regex.compile(
    r"<t(?P<kind>[hd])\b[^>]*>(?P<said>.*?)(?=</?t[hdr]\b)", regex.IGNORECASE | regex.DOTALL
)
_TAG = regex.compile(r"<[^<>]*>")


class Grids:
    """The tables of a text, looked for where its lines begin."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends = [match.end() for match in _TABLE_END.finditer(text)]

    def at(self, start: int) -> list[Block]:
        """The table that begins with the line at ``start``, the row that names its columns first;
        empty where none begins. A single row is none."""
        text = self._text
        lines = _lines(text, start)
        first, second = next(lines), next(lines, (start, start))
        # Without an end the rest of the text is looked through for what stands in the pattern.
        if _TABLE.match(text, *first):
            return self._marked_up(start)
        if _PIPE.search(text, *first) and _RULE.fullmatch(text, *second):
            rows = list(takewhile(lambda line: _PIPE.search(text, *line), lines))
            head = Block(BlockKind.TABLE_HEADER, first[0], second[1])
            return [head, *_rows(rows, first)] if rows else []
        width = _width(text, first)
        same = takewhile(lambda line: _width(text, line) == width, _lines(text, start))
        return _unruled(text, list(same)) if width else []

    def _marked_up(self, start: int) -> list[Block]:
        place = bisect_right(self._ends, start)
        end = self._ends[place] if place < len(self._ends) else start
        rows = [match.span() for match in _ROW.finditer(self._text, start, end)]
        if len(rows) < 2:
            return []
        kinds = {match["kind"].lower() for match in _CELL.finditer(self._text, *rows[0])}
        rows[-1] = rows[-1][0], end
        return _headed(rows) if kinds == {"h"} else _unruled(self._text, rows)


def cells(row: str) -> list[str]:
    """What stands in the cells of a row, without the marks of Markdown and HTML."""
    if match := list(_CELL.finditer(row)):
        return [_plain(html.unescape(_TAG.sub(" ", cell["said"]))) for cell in match]
    if CELL in row:
        return [_plain(cell) for cell in row.split(CELL)]
    parts = _PIPE.split(row.strip())
    framed = parts[0 if parts[0] else 1 : len(parts) if parts[-1] else -1]
    return [_plain(cell.replace("\\|", "|")) for cell in framed]


def told(row: str, header: str = "") -> str:
    """A row as it is understood alone: what is in its cells behind the names of their columns."""
    own, names = cells(row), cells(header) if header else []
    own += [""] * (len(names) - len(own))
    said = labelled(CELL.join(own), tuple(names))
    return f"{names[0]} {said}".strip() if own[0] and len(names) == len(own) else said


def row(said: str, *, names_columns: bool) -> str:
    """A row between tabs, as Markdown has it; below one that names the columns stands its rule."""
    own = [cell.replace("|", "\\|") for cell in cells(said)]
    written = f"| {' | '.join(own)} |"
    return f"{written}\n|{' --- |' * len(own)}" if names_columns else written


def _lines(text: str, start: int) -> Iterator[Span]:
    """Those from ``start`` on."""
    while start <= len(text):
        end = text.find("\n", start)
        yield start, end if end >= 0 else len(text)
        if end < 0:
            return
        start = end + 1


def _width(text: str, line: Span) -> int:
    """How many cells a row has that no rule tells from a sentence; 0 for what is none."""
    row = text[slice(*line)]
    return len(cells(row)) if CELL in row.strip() or _FRAMED.fullmatch(row) else 0


def _unruled(text: str, rows: list[Span]) -> list[Block]:
    """Their first row names the columns where one of these has figures from the second row on."""
    if len(rows) < 2:
        return []
    first, *rest = ([bool(_DIGIT.search(cell)) for cell in cells(text[slice(*r)])] for r in rows)
    counts = any(all(column) for column in zip(*rest, strict=False))
    return _headed(rows) if counts and not any(first) else _rows(rows)


def _headed(rows: Sequence[Span]) -> list[Block]:
    return [Block(BlockKind.TABLE_HEADER, *rows[0]), *_rows(rows[1:], rows[0])]


def _rows(rows: Sequence[Span], header: Span | None = None) -> list[Block]:
    return [Block(BlockKind.TABLE_ROW, *row, header=header) for row in rows]


def _plain(cell: str) -> str:
    return _EMPHASIS.sub(r"\2", " ".join(cell.split()))
