"""What a cut costs at each place of a page, and the cheapest way to cut it."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

from memory.chunking.limits import MAX_TOKENS, Cutting
from memory.chunking.units import Unit
from memory.types import BlockKind

# Prices of a cut before a unit, and of a chunk that is short of MIN_TOKENS by all of them.
_BEFORE_HEADING = (0.0, 0.0, 0.1, 0.2, 0.3, 0.4, 0.4)  # by level
_BEFORE_BLOCK = {
    BlockKind.PARAGRAPH: 1.0,
    BlockKind.CODE: 1.4,  # a code block belongs to the words that lead to it
    BlockKind.TABLE_HEADER: 1.4,
    BlockKind.LIST_ITEM: 1.8,
    BlockKind.TABLE_ROW: 2.0,
}
_NESTED = 0.2  # more for each level of a list
_AFTER_TABLE = 0.8
_INSIDE_BLOCK = 3.0
_NEVER = 1_000.0  # below a heading or a table's header, where there is a choice
_SHORT = 4.0
_PER_CHUNK = 0.5


def priced(units: list[Unit], cutting: Cutting) -> list[Unit]:
    """The units with what a cut before each costs."""
    cut = [replace(unit, price=_price(before, unit, cutting)) for before, unit in pairwise(units)]
    return [*units[:1], *cut]


def cheapest(units: list[Unit], cutting: Cutting) -> list[tuple[int, int]]:
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


def _price(before: Unit, unit: Unit, cutting: Cutting) -> float:
    """Of a cut between two neighbours."""
    is_first_row = before.kind is BlockKind.TABLE_HEADER and unit.kind is BlockKind.TABLE_ROW
    if before.kind is BlockKind.HEADING:
        return _NEVER
    if unit.kind is BlockKind.HEADING:
        return _BEFORE_HEADING[min(unit.level, 6)] - cutting.bonus
    if unit.inside:
        return _INSIDE_BLOCK
    if is_first_row:
        return _NEVER
    if before.kind is BlockKind.TABLE_ROW and unit.kind is not BlockKind.TABLE_ROW:
        return _AFTER_TABLE
    nested = _NESTED * (unit.level - 1) if unit.kind is BlockKind.LIST_ITEM else 0.0
    return _BEFORE_BLOCK[unit.kind] + nested
