"""Cuts a page's text into chunks: the pieces that are indexed, ranked and shown to a model. Pure.

A page is a row of *units* that are never cut: a paragraph, a list item with its own paragraphs, a
table row, a code block, or a piece of one of these that was over the limit by itself. Every place
between two units has a price (cheap before a heading, dear between two rows), and so has a chunk
under the wanted size. The chunks are the cheapest way to cut:

    units   # Title | paragraph | item | item | # Next | paragraph | row | row
    price          never      1      2      2       0   never      1     3

No chunk overlaps another, none is blank, and together they hold every visible character.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from memory.cutting import cut
from memory.types import Block, BlockKind, ChunkSpan

CHUNKER_VERSION = 1
SECTIONS_VERSION = 1
MIN_TOKENS = 256
MAX_TOKENS = 512

# Prices of a cut before a unit, and of a chunk that is short of MIN_TOKENS by all of them.
_BEFORE_HEADING = (0.0, 0.0, 0.1, 0.2, 0.3, 0.4, 0.4)  # by level
_BEFORE_BLOCK = {
    BlockKind.PARAGRAPH: 1.0,
    BlockKind.CODE: 1.4,  # a code block belongs to the words that lead to it
    BlockKind.TABLE_HEADER: 1.4,
    BlockKind.LIST_ITEM: 1.8,
    BlockKind.TABLE_ROW: 2.0,
}
_INSIDE_BLOCK = 3.0
_AFTER_HEADING = 1_000.0
_SHORT = 4.0
_PER_CHUNK = 0.5


@dataclass(frozen=True, slots=True)
class Cutting:
    """What the chunks are to be like."""

    least: int  # tokens that one should have
    bonus: float = 0.0  # off the price of a cut before a heading
    shares_path: bool = False  # its headings stand above all of it, else above its beginning


PASSAGES = Cutting(least=MIN_TOKENS)
# A chunk for every heading, whatever follows it, unless that is next to nothing.
SECTIONS = Cutting(least=12, bonus=2.0, shares_path=True)


@dataclass(frozen=True, slots=True)
class _Unit:
    start: int
    end: int
    kind: BlockKind
    tokens: int
    level: int = 0
    header: tuple[int, int] | None = None
    inside: bool = False  # a later piece of a block that had to be cut
    price: float = 0.0  # of a cut before it


def chunk(
    text: str,
    blocks: Sequence[Block],
    count_tokens: Callable[[str], int],
    cutting: Cutting = PASSAGES,
) -> tuple[ChunkSpan, ...]:
    """Chunks of at most 512 tokens, of 256 and more where the page allows, in page order. With
    ``SECTIONS`` they follow the headings instead, however short what stands under one is.

    ``blocks`` are in order and do not overlap; visible text outside them is taken line by line, so
    plain text may come with none.
    """
    units = _priced(_units(text, blocks, count_tokens), cutting)
    ranges = _fitting(text, _cheapest(units, cutting), units, count_tokens)
    return tuple(_spans(text, units, ranges, count_tokens, cutting))


def heading_path(text: str, blocks: Sequence[Block], position: int) -> tuple[str, ...]:
    """The headings above ``position``, outermost first; a heading is under itself."""
    path: list[tuple[int, str]] = []
    for block in blocks:
        if block.start > position:
            break
        if block.kind is BlockKind.HEADING:
            _descend(path, block.level, text[block.start : block.end])
    return tuple(title for _, title in path)


def table_row(blocks: Sequence[Block], position: int) -> int | None:
    """Which row of its table stands at ``position``, counted from 1 below the header."""
    row, header = 0, None
    for block in blocks:
        if block.start > position:
            break
        if block.kind is not BlockKind.TABLE_ROW:
            row = 0
            continue
        row = row + 1 if block.header == header else 1
        header = block.header
        if position < block.end:
            return row
    return None


def _descend(path: list[tuple[int, str]], level: int, title: str) -> None:
    while path and path[-1][0] >= level:
        path.pop()
    path.append((level, " ".join(title.split())))


# -- units ----------------------------------------------------------------------------------------


def _units(text: str, blocks: Sequence[Block], count_tokens: Callable[[str], int]) -> list[_Unit]:
    units: list[_Unit] = []
    for block in _whole_items(_covering(text, blocks), text, count_tokens):
        tokens = count_tokens(text[block.start : block.end]) + 1  # and the line end after it
        if tokens <= MAX_TOKENS:
            units.append(
                _Unit(block.start, block.end, block.kind, tokens, block.level, block.header)
            )
            continue
        pieces = cut(text, block.start, block.end, _room(units, block), count_tokens)
        units += [
            _Unit(
                start,
                end,
                # Pieces of an over-long heading are no headings, or none could end a chunk.
                BlockKind.PARAGRAPH if block.kind is BlockKind.HEADING else block.kind,
                count_tokens(text[start:end]) + 1,
                block.level,
                block.header,
                inside=number > 0,
            )
            for number, (start, end) in enumerate(pieces)
        ]
    return units


def _room(units: list[_Unit], block: Block) -> int:
    """Tokens that a piece may have: the first one must fit under the headings before it."""
    above = 0
    for unit in reversed(units):
        if unit.kind is not BlockKind.HEADING:
            break
        above += unit.tokens
    return MAX_TOKENS - 1 - (above if above <= MAX_TOKENS // 4 else 0)


def _covering(text: str, blocks: Sequence[Block]) -> list[Block]:
    """The blocks, and a paragraph for each line of visible text that is in none of them."""
    covered: list[Block] = []
    position = 0
    for block in blocks:
        covered += _lines(text, position, block.start)
        covered.append(block)
        position = max(position, block.end)
    covered += _lines(text, position, len(text))
    return [block for block in covered if text[block.start : block.end].strip()]


def _lines(text: str, start: int, end: int) -> list[Block]:
    if not text[start:end].strip():
        return []
    found = []
    for line in text[start:end].split("\n"):
        if line.strip():
            found.append(Block(BlockKind.PARAGRAPH, start, start + len(line.rstrip())))
        start += len(line) + 1
    return found


def _whole_items(
    blocks: Sequence[Block], text: str, count_tokens: Callable[[str], int]
) -> list[Block]:
    """A list item and the paragraphs and code that belong to it as one block, where they fit."""
    joined: list[Block] = []
    for block in blocks:
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.kind is BlockKind.LIST_ITEM
            and block.kind in (BlockKind.PARAGRAPH, BlockKind.CODE)
            and block.level == last.level
            and (block.end - last.start) <= MAX_TOKENS * 8
            and count_tokens(text[last.start : block.end]) < MAX_TOKENS
        ):
            joined[-1] = replace(last, end=block.end)
        else:
            joined.append(block)
    return joined


# -- cutting --------------------------------------------------------------------------------------


def _priced(units: list[_Unit], cutting: Cutting) -> list[_Unit]:
    priced = units[:1]
    for before, unit in pairwise(units):
        if before.kind is BlockKind.HEADING:
            price = _AFTER_HEADING
        elif unit.kind is BlockKind.HEADING:
            price = _BEFORE_HEADING[min(unit.level, 6)] - cutting.bonus
        elif unit.inside:
            price = _INSIDE_BLOCK
        elif before.kind is BlockKind.TABLE_HEADER and unit.kind is BlockKind.TABLE_ROW:
            price = _AFTER_HEADING
        else:
            nested = 0.2 * (unit.level - 1) if unit.kind is BlockKind.LIST_ITEM else 0.0
            leaves_table = (
                before.kind is BlockKind.TABLE_ROW and unit.kind is not BlockKind.TABLE_ROW
            )
            price = 0.8 if leaves_table else _BEFORE_BLOCK[unit.kind] + nested
        priced.append(replace(unit, price=price))
    return priced


def _cheapest(units: list[_Unit], cutting: Cutting) -> list[tuple[int, int]]:
    """Half-open unit ranges of the chunks. Work grows with the page, not with its square."""
    total = len(units)
    best = [0.0] + [math.inf] * total
    back = [0] * (total + 1)
    for end in range(1, total + 1):
        tokens = 0
        for start in range(end - 1, -1, -1):
            tokens += units[start].tokens
            if tokens > MAX_TOKENS and start < end - 1:
                break
            whole_page = start == 0 and end == total
            missing = 0 if whole_page else max(0, cutting.least - tokens)
            short = missing / cutting.least * _SHORT
            cost = best[start] + units[start].price + short + _PER_CHUNK
            if cost < best[end]:
                best[end], back[end] = cost, start
    ranges = []
    while total:
        ranges.append((back[total], total))
        total = back[total]
    return ranges[::-1]


def _fitting(
    text: str,
    ranges: list[tuple[int, int]],
    units: list[_Unit],
    count_tokens: Callable[[str], int],
) -> list[tuple[int, int]]:
    """Counts of units do not add up exactly to that of a chunk; the rare one over is halved."""
    fitting: list[tuple[int, int]] = []
    for first, last in ranges:
        tokens = count_tokens(text[units[first].start : units[last - 1].end])
        if tokens > MAX_TOKENS and last - first > 1:
            middle = (first + last) // 2
            fitting += _fitting(text, [(first, middle), (middle, last)], units, count_tokens)
        else:
            fitting.append((first, last))
    return fitting


def _spans(
    text: str,
    units: list[_Unit],
    ranges: list[tuple[int, int]],
    count_tokens: Callable[[str], int],
    cutting: Cutting,
) -> list[ChunkSpan]:
    spans: list[ChunkSpan] = []
    path: list[tuple[int, str]] = []
    for first, last in ranges:
        chosen: tuple[str, ...] | None = None
        kind = BlockKind.HEADING
        for unit in units[first:last]:
            if unit.kind is BlockKind.HEADING:
                _descend(path, unit.level, text[unit.start : unit.end])
                continue
            above = tuple(title for _, title in path)
            if chosen is None:
                chosen, kind = above, unit.kind
            elif cutting.shares_path:
                chosen = _shared(chosen, above)
        start, end = units[first].start, units[last - 1].end
        spans.append(
            ChunkSpan(
                ordinal=len(spans),
                char_start=start,
                char_end=end,
                heading_path=tuple(title for _, title in path) if chosen is None else chosen,
                kind=kind,
                token_count=count_tokens(text[start:end]),
                header=units[first].header,
            )
        )
    return spans


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """What both begin with."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return tuple(title for title, _ in same)
