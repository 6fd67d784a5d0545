"""Where a position of a page stands: under which headings, in which row of its table."""

from __future__ import annotations

from collections.abc import Sequence

from memory.language.tables import cells
from memory.types import Block, BlockKind


def heading_path(text: str, blocks: Sequence[Block], position: int) -> tuple[str, ...]:
    """The headings above ``position``, outermost first; a heading is under itself."""
    path: list[tuple[int, str]] = []
    for block in blocks:
        if block.start > position:
            break
        if block.kind is BlockKind.HEADING:
            descend(path, block.level, text[block.start : block.end])
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


def table_columns(text: str, blocks: Sequence[Block], position: int) -> tuple[str, ...]:
    """The names of the columns of the row at ``position``, one for each of its cells; () elsewhere."""
    for block in blocks:
        if block.start <= position < block.end:
            if block.kind is BlockKind.TABLE_ROW and block.header is not None:
                names = cells(text[slice(*block.header)])
                own = cells(text[block.start : block.end])
                return tuple(names) if len(names) == len(own) else ()
            return ()
    return ()


def descend(path: list[tuple[int, str]], level: int, title: str) -> None:
    """Step under the heading: ``path`` holds the levels and titles above, outermost first."""
    while path and path[-1][0] >= level:
        path.pop()
    path.append((level, " ".join(title.split())))
