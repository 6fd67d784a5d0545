"""What a table of parsed HTML is and holds. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from kb.html_tree import HEADINGS, Element

_BLOCKS_OF_A_LAYOUT = frozenset({"table", "pre", "blockquote"}) | HEADINGS
_WIDEST = 200


def is_data(table: Element) -> bool:
    """False for a table that only places things on a page: with headings, code or tables inside, or
    with one column that nothing names."""
    if any(element.tag in _BLOCKS_OF_A_LAYOUT for element in table.elements()):
        return False
    return any(
        len(row_cells) > 1 or any(cell.tag == "th" for cell in row_cells)
        for row_cells in map(cells, rows(table))
    )


def rows(table: Element) -> Iterator[Element]:
    for child in table.children:
        if isinstance(child, Element):
            if child.tag == "tr":
                yield child
            elif child.tag in ("thead", "tbody", "tfoot"):
                yield from rows(child)


def cells(row: Element) -> list[Element]:
    return [c for c in row.children if isinstance(c, Element) and c.tag in ("td", "th")]


def captions(table: Element) -> list[Element]:
    return [c for c in table.children if isinstance(c, Element) and c.tag == "caption"]


def has_content(row: Element) -> bool:
    shows = bool(row.text().strip()) or any(element.tag == "img" for element in row.elements())
    return shows and bool(cells(row))


def header_count(table: Element, content: list[Element]) -> int:
    """How many leading rows name the columns: those of a thead, else a first row of th cells."""
    heads = {
        id(row)
        for part in table.children
        if isinstance(part, Element) and part.tag == "thead"
        for row in rows(part)
    }
    count = 0
    while count < len(content) and id(content[count]) in heads:
        count += 1
    if not count and len(content) > 1 and all(cell.tag == "th" for cell in cells(content[0])):
        count = 1
    return count


def cell_attributes(cell: Element) -> dict[str, str]:
    kept = {}
    for name in ("colspan", "rowspan"):
        value = cell.attributes.get(name, "")
        if value.isascii() and value.isdecimal() and 1 < int(value[:6]) <= _WIDEST:
            kept[name] = str(int(value[:6]))
    if cell.tag == "th" and cell.attributes.get("scope") in ("row", "col"):
        kept["scope"] = cell.attributes["scope"]
    return kept
