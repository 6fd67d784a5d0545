"""The blocks of a plain text: headings, paragraphs, tables, code and turns. Pure.

Content of banks is plain or Markdown; what is read of Markdown is its headings, tables and fences.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import regex

from memory.facts.grids import Grids, Span, cells
from memory.facts.records import Excerpt, Turn
from memory.types import Block, BlockKind

_HEADING = regex.compile(r"(#{1,6})[ \t]+(?=\S)")
_FENCE = regex.compile(r"\s*(```+(?!.*`)|~~~+)")
_ITEM = regex.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+\S")
_MARKS = regex.compile(r"^#{1,6}[ \t]+|[ \t]+#+$")
# A fence that nothing closes, or nothing but tags.
_MARKUP = regex.compile(r"\s*(?:(?:```+|~~~+)[\w+.-]*|(?:</?[a-zA-Z][^<>]*>\s*|<!--.*?-->\s*)+)\s*")


def blocks(text: str, turns: Sequence[Turn] = ()) -> list[Block]:
    """In order, none overlapping; offsets are those of ``text``."""
    found: list[Block] = []
    at = 0
    for turn in turns:
        found += _between(text, at, turn.line_start)
        found.append(Block(BlockKind.PARAGRAPH, turn.line_start, turn.end))
        at = turn.end
    return [*found, *_between(text, at, len(text))]


def moved(blocks: Iterable[Block], by: int) -> Iterator[Block]:
    """The same where their text begins ``by`` code points into another."""
    for block in blocks:
        header = block.header and (block.header[0] + by, block.header[1] + by)
        yield replace(block, start=block.start + by, end=block.end + by, header=header)


def title(heading: str) -> str:
    """A heading's words without its marks."""
    return _MARKS.sub("", heading).strip()


def is_markup(line: str) -> bool:
    """Whether it says nothing: marks of Markdown or HTML alone."""
    return _MARKUP.fullmatch(line) is not None


def code(text: str, block: Block) -> Span:
    """What stands between the fences."""
    first = text.find("\n", block.start, block.end) + 1 or block.end
    last = text.rfind("\n", first, block.end)
    end = max(first, last)
    return first, first + len(text[first:end].rstrip())


def columns_above(excerpt: Excerpt) -> list[str]:
    """The names of the columns of a table that goes on in this passage."""
    first = excerpt.blocks[0] if excerpt.blocks else None
    if first is None or first.header is None or first.header[0] >= excerpt.start:
        return []
    return cells(excerpt.document[slice(*first.header)])


def _between(text: str, start: int, end: int) -> Iterator[Block]:
    return moved(_blocks(text[start:end]), start)


def _blocks(text: str) -> list[Block]:
    """Line by line: the last block goes on while it ``is_open``, code until its fence is closed."""
    grids = Grids(text)
    found: list[Block] = []
    is_open, fence = False, ""
    at = 0
    while at <= len(text):
        end = text.find("\n", at)
        end = end if end >= 0 else len(text)
        line = text[at:end]
        mark = _FENCE.match(line)
        is_item = _ITEM.match(line) is not None
        if fence:
            found[-1] = replace(found[-1], end=end)
            if mark and mark[1].startswith(fence):
                is_open, fence = False, ""
        elif mark:
            found.append(Block(BlockKind.CODE, at, end))
            is_open, fence = True, mark[1]
        elif not line.strip():
            is_open = False
        elif heading := _HEADING.match(line):
            found.append(Block(BlockKind.HEADING, at, end, level=len(heading[1])))
            is_open = False
        elif not is_item and (table := grids.at(at)):
            found += table
            is_open, end = False, table[-1].end
        elif is_item or not is_open:
            kind = BlockKind.LIST_ITEM if is_item else BlockKind.PARAGRAPH
            found.append(Block(kind, at, end))
            is_open = True
        else:
            found[-1] = replace(found[-1], end=end)
        # A table may end before its line does.
        at = end + 1 if text[end : end + 1] in ("", "\n") else end
    if fence:
        found[-1] = replace(found[-1], kind=BlockKind.PARAGRAPH)
    return found
