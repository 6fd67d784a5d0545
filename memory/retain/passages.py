"""Cuts what one item says into raw passages (L0). Pure."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass

from memory.chunking import chunk
from memory.facts import layout
from memory.facts.records import Excerpt
from memory.language.analysis import detect_language
from memory.retain.wanted import Part
from memory.types import Block

_TELLING = 200  # characters from which a passage speaks for its own language


@dataclass(frozen=True, slots=True)
class Cut:
    """A passage: its place in the part's own text, the blocks it is of, and what stands above it."""

    start: int
    end: int
    blocks: tuple[Block, ...]
    heading_path: tuple[str, ...]
    language: str


def cut(part: Part, count_tokens: Callable[[str], int]) -> list[Cut]:
    """At most 512 tokens each, and so about 2,000 characters of most languages."""
    text, turns = part.told.text, part.told.turns
    whole = detect_language(text)
    blocks = layout.blocks(text, turns)
    starts, ends = [block.start for block in blocks], [block.end for block in blocks]
    return [
        Cut(
            span.char_start,
            span.char_end,
            tuple(blocks[bisect_right(ends, span.char_start) : bisect_left(starts, span.char_end)]),
            tuple(map(layout.title, span.heading_path)),
            _language(text[span.char_start : span.char_end]) or whole,
        )
        for span in chunk(text, blocks, count_tokens)
    ]


def excerpt(
    part: Part,
    piece: Cut,
    *,
    document: str,
    offset: int,
    names: frozenset[str] = frozenset(),
) -> Excerpt:
    """What an extractor is given of a passage of ``document``, where the part begins at ``offset``."""
    return Excerpt(
        document=document,
        start=offset + piece.start,
        end=offset + piece.end,
        turns=part.told.moved(offset).turns,
        blocks=tuple(layout.moved(piece.blocks, offset)),
        heading_path=piece.heading_path,
        context=part.context,
        language=piece.language,
        said_at=part.said_at,
        dates_are_given=part.is_dated,
        known_names=names,
    )


def lead(excerpt: Excerpt) -> str:
    """What a passage is found by beside its own words: its context, and the columns of its table."""
    columns = " | ".join(layout.columns_above(excerpt))
    return "\n".join(filter(None, (excerpt.context, columns)))


def _language(text: str) -> str:
    return detect_language(text) if len(text) >= _TELLING else ""
