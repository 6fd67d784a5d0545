"""Cuts a page's text into chunks: the pieces that are indexed, ranked and shown to a model. Pure.

A page is a row of *units* that are never cut: a paragraph, a list item with its own paragraphs, a
table row, a code block, or a piece of one of these that was over the limit by itself. Every place
between two units has a price (cheap before a heading, dear between two rows), and so has a chunk
under the wanted size. The chunks are the cheapest way to cut:

    units   # Title | paragraph | item | item | # Next | paragraph | row | row
    price          never      1      2      2       0   never      1     3

No chunk overlaps another, none is blank, and together they hold every visible character.
"""

from memory.chunking.chunks import chunk
from memory.chunking.limits import (
    CHUNKER_VERSION,
    MAX_TOKENS,
    MIN_TOKENS,
    PASSAGES,
    SECTIONS,
    SECTIONS_VERSION,
    Cutting,
)
from memory.chunking.places import heading_path, table_columns, table_row

__all__ = [
    "CHUNKER_VERSION",
    "MAX_TOKENS",
    "MIN_TOKENS",
    "PASSAGES",
    "SECTIONS",
    "SECTIONS_VERSION",
    "Cutting",
    "chunk",
    "heading_path",
    "table_columns",
    "table_row",
]
