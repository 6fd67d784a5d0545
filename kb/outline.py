"""Text and blocks of canonical HTML. Pure, and the only place where a page's text is made.

The text is every text node in order: what ``article.textContent`` is in a browser.
"""

from __future__ import annotations

from html.parser import HTMLParser

from kb.html_tree import HEADINGS, names
from memory.types import Block, BlockKind

_FLUSHING = names("p pre ul ol dl li dt dd blockquote table caption tr hr") | HEADINGS
_BREAKS = "\n\t "


def outline(markup: str) -> tuple[str, tuple[Block, ...]]:
    """``markup`` must be canonical HTML as ``kb.rendering`` stores it."""
    reader = _Outliner()
    reader.feed(markup)
    reader.close()
    reader.flush()
    return "".join(reader.parts), tuple(reader.blocks)


class _Outliner(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.blocks: list[Block] = []
        self._length = 0
        self._start = -1
        self._end = -1
        self._visible = False
        self._tags: list[str] = []
        self._depth = 0
        self._item_begins = False
        self._header: tuple[int, int] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _FLUSHING:
            if tag in ("thead", "tbody"):
                self._tags.append(tag)
            return
        self.flush()
        if tag == "hr":
            return
        self._tags.append(tag)
        if tag in ("ul", "ol", "dl"):
            self._depth += 1
        elif tag == "table":
            self._header = None
        elif tag in ("li", "dt"):
            self._item_begins = True

    def handle_endtag(self, tag: str) -> None:
        if tag in _FLUSHING:
            self.flush()
        if tag in _FLUSHING or tag in ("thead", "tbody"):
            self._tags.pop()
            if tag in ("ul", "ol", "dl"):
                self._depth -= 1
                self._item_begins = False

    def handle_data(self, data: str) -> None:
        visible = data.strip(_BREAKS)
        if visible or (self._tags and self._tags[-1] == "tr" and data == "\t"):
            lead = len(data) - len(data.lstrip(_BREAKS)) if visible else 0
            if self._start < 0:
                self._start = self._length + (0 if self._in_pre else lead)
            self._visible = self._visible or bool(visible)
            if visible:
                self._end = self._length + len(data.rstrip(_BREAKS))
            else:
                self._end = self._length + len(data)
        self.parts.append(data)
        self._length += len(data)

    @property
    def _in_pre(self) -> bool:
        return bool(self._tags) and self._tags[-1] == "pre"

    def flush(self) -> None:
        start, end, visible = self._start, self._end, self._visible
        self._start = self._end = -1
        self._visible = False
        if not visible:
            return
        kind, level = self._kind()
        header = None
        if kind is BlockKind.TABLE_HEADER:
            self._header = (self._header[0] if self._header else start, end)
        elif kind is BlockKind.TABLE_ROW:
            header = self._header
        self.blocks.append(Block(kind, start, end, level, header))

    def _kind(self) -> tuple[BlockKind, int]:
        tag = self._tags[-1] if self._tags else ""
        if tag in HEADINGS:
            return BlockKind.HEADING, int(tag[1])
        if tag == "tr":
            return BlockKind.TABLE_HEADER if "thead" in self._tags else BlockKind.TABLE_ROW, 0
        if tag == "pre":
            self._item_begins = False
            return BlockKind.CODE, self._depth
        if self._item_begins and self._depth:
            self._item_begins = False
            return BlockKind.LIST_ITEM, self._depth
        return BlockKind.PARAGRAPH, self._depth
