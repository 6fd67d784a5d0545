"""From a page's text to its chunks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile

from memory.chunking.limits import MAX_TOKENS, PASSAGES, Cutting
from memory.chunking.places import descend
from memory.chunking.pricing import cheapest, priced
from memory.chunking.units import Unit, units_of
from memory.types import Block, BlockKind, ChunkSpan


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
    units = priced(units_of(text, blocks, count_tokens), cutting)
    ranges = _fitting(text, cheapest(units, cutting), units, count_tokens)
    return tuple(_spans(text, units, ranges, count_tokens, cutting))


def _fitting(
    text: str,
    ranges: list[tuple[int, int]],
    units: list[Unit],
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
    units: list[Unit],
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
                descend(path, unit.level, text[unit.start : unit.end])
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
