"""The blocks of a plain text: headings, paragraphs and turns. Pure.

Content of banks is plain or Markdown; what is read of Markdown is its headings, outside fences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import regex

from memory.facts.records import Turn
from memory.types import Block, BlockKind

_HEADING = regex.compile(r"(#{1,6})[ \t]+(?=\S)")
_FENCE = regex.compile(r"\s{0,3}(```+|~~~+)")
_ITEM = regex.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+\S")
_MARKS = regex.compile(r"^#{1,6}[ \t]+|[ \t]+#+$")


def blocks(text: str, turns: Sequence[Turn] = ()) -> list[Block]:
    """In order, none overlapping; offsets are those of ``text``."""
    found: list[Block] = []
    at = 0
    for turn in turns:
        found += _between(text, at, turn.line_start)
        found.append(Block(BlockKind.PARAGRAPH, turn.line_start, turn.end))
        at = turn.end
    return [*found, *_between(text, at, len(text))]


def title(heading: str) -> str:
    """A heading's words without its marks."""
    return _MARKS.sub("", heading).strip()


def is_heading(line: str) -> bool:
    return _HEADING.match(line) is not None


def _between(text: str, start: int, end: int) -> Iterator[Block]:
    for block in _paragraphs(text[start:end]):
        yield replace(block, start=start + block.start, end=start + block.end)


def _paragraphs(text: str) -> Iterator[Block]:
    kind: BlockKind | None = None
    start = end = at = 0
    fence = ""
    for line in text.split("\n"):
        line_end = at + len(line)
        mark = _FENCE.match(line)
        if fence:
            end = line_end
            if mark and mark[1].startswith(fence):
                yield Block(BlockKind.CODE, start, end)
                kind, fence = None, ""
        elif mark:
            if kind is not None:
                yield Block(kind, start, end)
            kind, start, end, fence = BlockKind.CODE, at, line_end, mark[1]
        elif not line.strip():
            if kind is not None:
                yield Block(kind, start, end)
            kind = None
        elif heading := _HEADING.match(line):
            if kind is not None:
                yield Block(kind, start, end)
            kind = None
            yield Block(BlockKind.HEADING, at, line_end, level=len(heading[1]))
        elif _ITEM.match(line):
            if kind is not None:
                yield Block(kind, start, end)
            kind, start, end = BlockKind.LIST_ITEM, at, line_end
        else:
            if kind is None:
                kind, start = BlockKind.PARAGRAPH, at
            end = line_end
        at = line_end + 1
    if kind is not None:
        yield Block(kind, start, end)
