"""The units of a page: pieces that are never cut, each small enough for a chunk of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from memory.chunking.limits import MAX_TOKENS
from memory.chunking.oversize import cut
from memory.types import Block, BlockKind


@dataclass(frozen=True, slots=True)
class Unit:
    start: int
    end: int
    kind: BlockKind
    tokens: int
    level: int = 0
    header: tuple[int, int] | None = None
    inside: bool = False  # a later piece of a block that had to be cut
    price: float = 0.0  # of a cut before it


def units_of(text: str, blocks: Sequence[Block], count_tokens: Callable[[str], int]) -> list[Unit]:
    units: list[Unit] = []
    for block in _whole_items(_covering(text, blocks), text, count_tokens):
        tokens = count_tokens(text[block.start : block.end]) + 1  # and the line end after it
        if tokens <= MAX_TOKENS:
            units.append(
                Unit(block.start, block.end, block.kind, tokens, block.level, block.header)
            )
            continue
        pieces = cut(text, block.start, block.end, _room(units, block), count_tokens)
        units += [
            Unit(
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


def _room(units: list[Unit], block: Block) -> int:
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
