"""Rows of tables in a page's text: cells between tabs, under the row that names the columns. Pure."""

from __future__ import annotations

CELL = "\t"


def is_row(text: str) -> bool:
    return CELL in text


def cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.split(CELL)]


def labelled(row: str, names: tuple[str, ...] = ()) -> str:
    """``Tokyo — Per diem 72 · Hotel limit 170``: the cells behind the names of their columns, the
    first one alone; without names the cells alone. Empty cells are left out.
    """
    own = cells(row)
    if len(names) != len(own):
        return " · ".join(cell for cell in own if cell)
    first, *rest = zip(names, own, strict=True)
    told = " · ".join(f"{name} {cell}".strip() for name, cell in rest if cell)
    key = first[1] or first[0]
    return f"{key} — {told}" if told else key
