"""A tree of parsed HTML to canonical HTML: the one form in which pages are stored. Pure.

Canonical HTML is what the offsets of citations stand on: in a browser the article's ``textContent``
is the page's text, character by character. Three things make it so.

* Only shapes that the HTML parser leaves alone are written: phrases inside one block, blocks inside
  lists, quotes and tables, never a block inside a phrase. Reading it back gives the same tree.
* White space is written as a browser shows it: one space between words, none at the edges of a
  block, everything in ``<pre>``.
* What a reader sees as a break is a character: a line end between blocks and after ``<br>``, a tab
  between cells. A table row is always one line.

Elements are opened late, when the first visible thing inside them arrives, so empty ones vanish.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

from kb.html_tree import Element
from kb.links import WIKI_SCHEME, heading_anchor, safe_href

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
INLINE = frozenset(
    "a abbr b bdi bdo cite code del dfn em i ins kbd q rp rt ruby s samp small strong sub sup u var".split()
)
DROPPED = frozenset({"title", "rp"})
_RENAMED = {"b": "strong", "i": "em", "strike": "s", "tt": "code", "summary": "p"}
_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form header hgroup hr html legend li main menu ol p pre section summary table tbody td tfoot "
    "th thead tr ul search option optgroup".split()
)
_LAYOUT = frozenset({"table", "pre", "blockquote"}) | HEADINGS
_SPACE = re.compile(r"[ \t\n\r\f]+")
_BARE_URL = re.compile(r"https?://[^\s<>\"'`{}|\\^]+[^\s<>\"'`{}|\\^.,;:!?)\]*_~]")
_LANGUAGE = re.compile(r"(?:language|lang)-([\w+#.-]{1,32})")
_MAX_NESTING = 12  # of lists and quotes; deeper ones go on at the last depth
_DIRECTED = frozenset({"p", "pre", "ul", "ol", "dl", "table", "caption", "dt"}) | HEADINGS


@dataclass(eq=False, slots=True)
class _Box:
    """A block element that is open, or will be once it has something to show."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    phrasing: bool = False  # text may stand in it directly


@dataclass(eq=False, slots=True)
class _Phrase:
    tag: str
    attributes: dict[str, str] = field(default_factory=dict)


def canonical_html(root: Element, *, autolink: bool = False) -> str:
    """``root`` must hold visible, sanitised elements only; unknown ones are unwrapped.

    Two blocks of text never touch, and nothing but a line end or a tab stands between them.
    """
    writer = _Writer(autolink=autolink)
    writer.flow(root.children)
    return writer.finish()


class _Writer:
    def __init__(self, *, autolink: bool) -> None:
        self._out: list[str] = []
        self._autolink = autolink
        self._wanted: list[_Box] = []
        self._open: list[_Box] = []
        self._phrases: list[_Phrase] = []
        self._open_phrases: list[_Phrase] = []
        self._has_text = False  # anything visible on the page so far
        self._needs_break = False  # the next block of text must begin with a line end
        self._space = False  # white space seen, not written yet
        self._ends_with_space = False  # the block so far, images aside
        self._breaks = 0  # <br> seen, not written yet
        self._block_has_text = False
        self._anonymous: _Box | None = None
        self._one_line = False
        self._pre = False
        self._ids: set[str] = set()
        self._source_ids: list[str] = []
        self._moved_ids: dict[str, str] = {}

    # -- the tree ---------------------------------------------------------------------------

    def flow(self, nodes: Iterable[Element | str]) -> None:
        for node in nodes:
            if isinstance(node, str):
                self._text(node)
            else:
                self._element(node)

    def _element(self, node: Element) -> None:
        tag = _RENAMED.get(node.tag, node.tag)
        if tag in DROPPED:
            return
        self._source_ids += [node.attributes[n] for n in ("id", "name") if node.attributes.get(n)]
        if tag == "br":
            self._breaks += 1
            self._space = False
        elif tag == "img":
            self._image(node)
        elif tag in INLINE:
            self._phrase(tag, node)
        elif self._one_line:
            self._inside_line(tag, node)
        elif tag in HEADINGS:
            self._heading(tag, node)
        elif tag == "hr":
            self._rule()
        elif tag == "pre":
            self._preformatted(node)
        elif tag == "p":
            self._box(_Box(tag, phrasing=True), node.children)
        elif tag == "dt":
            self._line(_Box(tag, phrasing=True), node.children)
        elif tag in ("ul", "ol", "menu", "dir", "dl"):
            self._list(tag, node)
        elif tag in ("li", "dd"):
            self._item(tag, node)
        elif tag == "blockquote":
            self._nest(_Box(tag), node.children)
        elif tag == "table":
            self._table(node)
        elif tag in _BLOCKS:
            self._end_block()
            self.flow(node.children)
            self._end_block()
        else:
            self.flow(node.children)

    def _box(self, box: _Box, nodes: Iterable[Element | str]) -> None:
        self._end_block()
        self._wanted.append(box)
        self.flow(nodes)
        self._end_block()
        self._wanted.pop()

    def _line(self, box: _Box, nodes: Iterable[Element | str]) -> None:
        self._end_block()
        self._one_line = True
        self._wanted.append(box)
        self.flow(nodes)
        self._one_line = False
        self._end_block()
        self._wanted.pop()

    def _nest(self, box: _Box, nodes: Iterable[Element | str]) -> None:
        if sum(open_box.tag in ("ul", "ol", "dl", "blockquote") for open_box in self._wanted) < _MAX_NESTING:
            self._box(box, nodes)
        else:
            self._end_block()
            self.flow(nodes)
            self._end_block()

    def _list(self, tag: str, node: Element) -> None:
        tag = {"menu": "ul", "dir": "ul"}.get(tag, tag)
        attributes = {}
        if tag == "ol" and re.fullmatch(r"-?\d{1,6}", node.attributes.get("start", "")):
            attributes["start"] = node.attributes["start"]
        self._nest(_Box(tag, attributes), node.children)

    def _item(self, tag: str, node: Element) -> None:
        lists = ("dl",) if tag == "dd" else ("ul", "ol")
        if self._wanted and self._wanted[-1].tag in lists:
            self._box(_Box(tag, phrasing=True), node.children)
        else:  # an item outside a list, or a list too deep to be one
            self._end_block()
            self.flow(node.children)
            self._end_block()

    def _heading(self, tag: str, node: Element) -> None:
        title = " ".join(node.text().split())
        if not title:
            self.flow(node.children)  # an image may still be there
            return
        anchor = self._unique_id(heading_anchor(title))
        own = [e.attributes[n] for e in node.elements() for n in ("id", "name") if e.attributes.get(n)]
        for source_id in (*self._source_ids, *own):
            self._moved_ids.setdefault(source_id, anchor)
        self._source_ids.clear()
        self._line(_Box(tag, {"id": anchor}, phrasing=True), node.children)

    def _unique_id(self, base: str) -> str:
        anchor, number = base, 1
        while anchor in self._ids:
            number += 1
            anchor = f"{base}-{number}"
        self._ids.add(anchor)
        return anchor

    def _rule(self) -> None:
        self._end_block()
        if self._has_text:
            self._sync(self._wanted_for_blocks())
            self._out.append("<hr>")

    def _preformatted(self, node: Element) -> None:
        text = _pre_text(node).replace("\r\n", "\n").replace("\r", "\n").strip("\n")
        if not text.strip():
            return
        self._end_block()
        language = next((name for name in map(_code_language, (node, *node.elements())) if name), "")
        box = _Box("pre", phrasing=True)
        self._wanted.append(box)
        phrases, self._phrases = self._phrases, []
        self._phrases.append(_Phrase("code", {"class": f"language-{language}"} if language else {}))
        self._write(text)
        self._phrases = phrases
        self._end_block()
        self._wanted.pop()

    # -- tables -----------------------------------------------------------------------------

    def _table(self, table: Element) -> None:
        if any(element.tag in _LAYOUT for element in table.elements()) or not _is_grid(table):
            self._layout(table)
            return
        rows = [row for row in _rows(table) if _has_content(row)]
        captions = [c for c in table.children if isinstance(c, Element) and c.tag == "caption"]
        head = _header_rows(table, rows)
        self._end_block()
        self._wanted.append(_Box("table"))
        for caption in captions[:1]:
            self._line(_Box("caption", phrasing=True), caption.children)
        for tag, group in (("thead", rows[:head]), ("tbody", rows[head:])):
            self._wanted.append(_Box(tag))
            for row in group:
                self._row(row)
            self._wanted.pop()
        self._wanted.pop()
        self._end_block()

    def _row(self, row: Element) -> None:
        self._end_block()
        self._wanted.append(_Box("tr"))
        self._break_line()
        self._one_line = True
        for number, cell in enumerate(_cells(row)):
            box = _Box(cell.tag, _cell_attributes(cell), phrasing=True)
            self._wanted.append(box)
            if number:
                self._sync(self._wanted[:-1])
                self._out.append("\t")
            self._sync(self._wanted)  # an empty cell keeps its column
            self._block_has_text = False
            self.flow(cell.children)
            self._reset_spaces()
            self._wanted.pop()
        self._one_line = False
        self._wanted.pop()
        self._has_text = self._needs_break = True

    def _inside_line(self, tag: str, node: Element) -> None:
        """A row, a heading and a term are one line: a block inside becomes a break with a space."""
        if tag in _BLOCKS:
            self._breaks += self._block_has_text and not self._breaks
            self._space = False
            self.flow(node.children)
            self._breaks += self._block_has_text and not self._breaks
        else:
            self.flow(node.children)

    def _layout(self, table: Element) -> None:
        """A table that only places things on a page: its cells follow one another."""
        for caption in (c for c in table.children if isinstance(c, Element) and c.tag == "caption"):
            self._box(_Box("p", phrasing=True), caption.children)
        for row in _rows(table):
            for cell in _cells(row):
                self._end_block()
                self.flow(cell.children)
                self._end_block()

    # -- phrases ----------------------------------------------------------------------------

    def _phrase(self, tag: str, node: Element) -> None:
        phrase = _Phrase(tag)
        if tag == "a":
            phrase.attributes = _link_attributes(node.attributes.get("href", ""))
        elif tag == "bdo":
            phrase.attributes = {"dir": "rtl" if node.attributes.get("dir") == "rtl" else "ltr"}
        known = any(open_phrase.tag == tag for open_phrase in self._phrases)
        if known or (tag == "a" and not phrase.attributes):
            self.flow(node.children)
            return
        self._phrases.append(phrase)
        self.flow(node.children)
        self._phrases.remove(phrase)

    def _image(self, node: Element) -> None:
        source = safe_href(node.attributes.get("src", ""))
        if source is None or re.match(r"[a-zA-Z][\w+.-]*:|//|/?%5C", source):
            return  # an image from elsewhere would call out
        self._write("")
        alt = html.escape(" ".join(node.attributes.get("alt", "").split()))
        self._out.append(f'<img src="{html.escape(source)}" alt="{alt}" loading="lazy">')

    def _text(self, text: str) -> None:
        position = 0
        for space in _SPACE.finditer(text):
            self._words(text[position : space.start()])
            self._space = True
            position = space.end()
        self._words(text[position:])

    def _words(self, text: str) -> None:
        if not text:
            return
        if self._autolink and "://" in text and not self._inside("a", "code"):
            self._autolinked(text)
        else:
            self._write(text)

    def _autolinked(self, text: str) -> None:
        position = 0
        for match in _BARE_URL.finditer(text):
            attributes = _link_attributes(match.group())
            if attributes:
                self._write(text[position : match.start()])
                self._phrases.append(_Phrase("a", attributes))
                self._write(match.group())
                self._phrases.pop()
                position = match.end()
        self._write(text[position:])

    def _inside(self, *tags: str) -> bool:
        return any(phrase.tag in tags for phrase in self._phrases)

    # -- writing ----------------------------------------------------------------------------

    def _wanted_for_blocks(self) -> list[_Box]:
        return [box for box in self._wanted if not box.phrasing or box.tag in ("li", "dd")]

    def _write(self, text: str) -> None:
        """Visible text, or with an empty ``text`` the place for an image."""
        boxes = self._wanted
        if not boxes or not boxes[-1].phrasing:
            if self._anonymous is None:
                self._anonymous = _Box("p", phrasing=True)
            boxes = [*boxes, self._anonymous]
        self._break_line(boxes)
        self._sync(boxes)
        if self._block_has_text:
            self._pending_spaces()
        self._reset_spaces()
        self._sync_phrases(self._phrases)
        if text:
            self._out.append(html.escape(text, quote=False))
            self._has_text = self._block_has_text = True
            self._ends_with_space = False
            self._source_ids.clear()

    def _pending_spaces(self) -> None:
        common = self._common(self._open_phrases, self._phrases)
        self._close_phrases(common)
        if self._breaks:
            self._out.append(("<br> " if self._one_line else "<br>\n") * min(self._breaks, 2))
        elif self._space and not self._ends_with_space:
            self._out.append(" ")
        self._ends_with_space = self._ends_with_space or self._space or self._breaks > 0

    def _reset_spaces(self) -> None:
        self._breaks, self._space = 0, False

    def _break_line(self, boxes: list[_Box] | None = None) -> None:
        """Puts the line end between two blocks where it belongs to neither."""
        if self._needs_break:
            boxes = self._wanted if boxes is None else boxes
            self._sync(boxes[: self._common(self._open, boxes)])
            self._out.append("\n")
            self._needs_break = False

    def _end_block(self) -> None:
        self._reset_spaces()
        if self._block_has_text:
            self._needs_break = True
        self._close_phrases(0)
        self._block_has_text = False
        if self._anonymous is not None and self._anonymous in self._open:
            self._sync(self._open[: self._open.index(self._anonymous)])
        self._anonymous = None

    def _sync(self, boxes: list[_Box]) -> None:
        common = self._common(self._open, boxes)
        if len(self._open) > common:
            self._close_phrases(0)
        while len(self._open) > common:
            self._out.append(f"</{self._open.pop().tag}>")
        for box in boxes[common:]:
            self._close_phrases(0)
            directed = {"dir": "auto"} if box.tag in _DIRECTED else {}
            self._out.append(_start_tag(box.tag, {**box.attributes, **directed}))
            self._open.append(box)

    def _sync_phrases(self, phrases: list[_Phrase]) -> None:
        common = self._common(self._open_phrases, phrases)
        self._close_phrases(common)
        for phrase in phrases[common:]:
            self._out.append(_start_tag(phrase.tag, phrase.attributes))
            self._open_phrases.append(phrase)

    def _close_phrases(self, keep: int) -> None:
        while len(self._open_phrases) > keep:
            self._out.append(f"</{self._open_phrases.pop().tag}>")

    @staticmethod
    def _common(first: list, second: list) -> int:  # type: ignore[type-arg]
        count = 0
        for one, other in zip(first, second, strict=False):
            if one is not other:
                break
            count += 1
        return count

    def finish(self) -> str:
        self._end_block()
        self._sync([])
        return _FRAGMENT.sub(self._rewrite_fragment, "".join(self._out))

    def _rewrite_fragment(self, match: re.Match[str]) -> str:
        """A link within the page leads to the heading's own id, whatever its writer called it."""
        name = unquote(html.unescape(match.group(1)))
        anchor = name if name in self._ids else self._moved_ids.get(name) or heading_anchor(name)
        return f' href="#{html.escape(anchor)}"'


_FRAGMENT = re.compile(r'(?<=<a) href="#([^"]*)"')


def _start_tag(tag: str, attributes: dict[str, str]) -> str:
    written = "".join(f' {name}="{html.escape(value)}"' for name, value in attributes.items())
    return f"<{tag}{written}>"


def _link_attributes(href: str) -> dict[str, str]:
    address = safe_href(href)
    if address is None:
        return {}
    lowered = address.lower()
    if lowered.startswith(WIKI_SCHEME + "#"):
        return {"href": address[len(WIKI_SCHEME) :]}
    if lowered.startswith(WIKI_SCHEME):
        return {"class": "wiki", "href": address}
    if lowered.startswith(("http:", "https:", "//")):
        return {"href": address, "rel": "nofollow noopener"}
    return {"href": address}


def _code_language(element: Element) -> str:
    match = _LANGUAGE.search(element.attributes.get("class", ""))
    return match.group(1) if match else ""


def _pre_text(node: Element) -> str:
    parts: list[str] = []
    for child in node.children:
        if isinstance(child, str):
            parts.append(child)
        elif child.tag == "br":
            parts.append("\n")
        elif child.tag not in DROPPED:
            parts.append(_pre_text(child))
    return "".join(parts)


def _rows(table: Element) -> Iterator[Element]:
    for child in table.children:
        if isinstance(child, Element):
            if child.tag == "tr":
                yield child
            elif child.tag in ("thead", "tbody", "tfoot"):
                yield from _rows(child)


def _cells(row: Element) -> list[Element]:
    return [c for c in row.children if isinstance(c, Element) and c.tag in ("td", "th")]


def _is_grid(table: Element) -> bool:
    """At least two columns somewhere, or a header: else the table says nothing by being one."""
    return any(len(_cells(row)) > 1 or any(c.tag == "th" for c in _cells(row)) for row in _rows(table))


def _has_content(row: Element) -> bool:
    return bool(_cells(row)) and (
        bool(row.text().strip()) or any(element.tag == "img" for element in row.elements())
    )


def _header_rows(table: Element, rows: list[Element]) -> int:
    """How many leading rows name the columns: those of a thead, else a first row of th cells."""
    heads = {
        id(row)
        for part in table.children
        if isinstance(part, Element) and part.tag == "thead"
        for row in _rows(part)
    }
    count = 0
    while count < len(rows) and id(rows[count]) in heads:
        count += 1
    if not count and len(rows) > 1 and all(cell.tag == "th" for cell in _cells(rows[0])):
        count = 1
    return count


def _cell_attributes(cell: Element) -> dict[str, str]:
    kept = {}
    for name in ("colspan", "rowspan"):
        value = cell.attributes.get(name, "")
        if value.isdecimal() and 1 < int(value[:4]) <= 200:
            kept[name] = str(int(value[:4]))
    if cell.tag == "th" and cell.attributes.get("scope") in ("row", "col"):
        kept["scope"] = cell.attributes["scope"]
    return kept
