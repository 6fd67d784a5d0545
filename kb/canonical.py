"""A tree of parsed HTML to canonical HTML: the one form in which pages are stored. Pure.

Canonical HTML is what the offsets of citations stand on: in a browser the article's ``textContent``
is the page's text, character by character. Three things make it so.

* Only shapes that the HTML parser leaves alone are written: phrases inside one block, blocks inside
  lists, quotes and tables, never a block inside a phrase. Reading it back gives the same tree.
* White space is written as a browser shows it: one space between words, none at the edges of a
  block, everything in ``<pre>``.
* What a reader sees as a break is a character: a line end between blocks and after ``<br>``, a tab
  between cells. A heading, a term and a table row are always one line: a break in them is
  ``<br>`` and a space.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from urllib.parse import unquote

from kb import html_tables
from kb.html_tree import HEADINGS, Element, names
from kb.links import WIKI_SCHEME, heading_anchor, safe_href
from kb.markup_writer import Box, MarkupWriter, Phrase, paragraph, split_spaces

INLINE = names(
    "a abbr b bdi bdo cite code del dfn em i ins kbd q rt ruby s samp small strong sub sup u var"
)
_RENAMED = {"b": "strong", "i": "em", "strike": "s", "tt": "code", "menu": "ul", "dir": "ul"}
_BLOCKS = names(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset "
    "figcaption figure footer form header hgroup hr html legend li main nav ol p pre search "
    "section summary table tbody td tfoot th thead tr ul"
)
_NESTING = names("ul ol dl blockquote")
_MAX_NESTING = 12  # deeper lists and quotes go on at the last depth
_DIRECTED = names("pre ul ol dl dt table caption") | HEADINGS  # each finds its own direction
_LISTS = {"li": names("ul ol"), "dt": names("dl"), "dd": names("dl")}

_BARE_URL = re.compile(r"https?://[^\s<>\"'`{}|\\^]+[^\s<>\"'`{}|\\^.,;:!?)\]*_~]")
_LANGUAGE = re.compile(r"\blang(?:uage)?-([\w+#.-]{1,32})")
_FRAGMENT = re.compile(r'(?<=<a) href="#([^"]*)"')
_ELSEWHERE = re.compile(r"[a-zA-Z][\w+.-]*:|//|/?%5C")


def canonical_html(root: Element, *, autolink: bool = False) -> str:
    """``root`` must hold visible elements only; what has no place in a page is unwrapped."""
    page = _Page(autolink=autolink)
    page.flow(root.children)
    return page.finish()


class _Page:
    def __init__(self, *, autolink: bool) -> None:
        self._writer = MarkupWriter()
        self._autolink = autolink
        self._ids: set[str] = set()
        self._same_titles: Counter[str] = Counter()
        self._waiting_ids: list[str] = []  # of the source, since the last word
        self._moved_ids: dict[str, str] = {}

    def finish(self) -> str:
        return _FRAGMENT.sub(self._follow_heading, self._writer.finish())

    def flow(self, nodes: Iterable[Element | str]) -> None:
        for node in nodes:
            if isinstance(node, str):
                self._text(node)
            else:
                self._element(_RENAMED.get(node.tag, node.tag), node)

    def _element(self, tag: str, node: Element) -> None:
        self._waiting_ids += _source_ids(node)
        if tag == "br":
            self._writer.line_break()
        elif tag == "img":
            self._image(node)
        elif tag in INLINE:
            self._phrase(tag, node)
        elif tag not in _BLOCKS and tag not in HEADINGS:
            self.flow(node.children)
        elif self._writer.one_line:
            self._writer.soft_break()
            self.flow(node.children)
            self._writer.soft_break()
        else:
            self._block(tag, node)

    # -- blocks -------------------------------------------------------------------------------

    def _block(self, tag: str, node: Element) -> None:
        if tag in HEADINGS:
            self._heading(tag, node)
        elif tag == "hr":
            self._writer.rule()
        elif tag == "pre":
            self._preformatted(node)
        elif tag == "table":
            self._table(node)
        elif tag in _NESTING:
            self._nest(tag, node)
        elif tag in _LISTS:
            self._item(tag, node)
        elif tag == "p":
            self._box(paragraph(), node.children)
        else:
            self._apart(node.children)

    def _box(self, box: Box, nodes: Iterable[Element | str]) -> None:
        with self._writer.box(box):
            self.flow(nodes)

    def _apart(self, nodes: Iterable[Element | str]) -> None:
        """A block that leaves no element, only its edges."""
        self._writer.end_block()
        self.flow(nodes)
        self._writer.end_block()

    def _line(self, box: Box, nodes: Iterable[Element | str]) -> None:
        with self._writer.box(box):
            self._writer.one_line = True
            self.flow(nodes)
            self._writer.one_line = False

    def _nest(self, tag: str, node: Element) -> None:
        if sum(box.tag in _NESTING for box in self._writer.boxes) >= _MAX_NESTING:
            self._apart(node.children)
            return
        attributes = _direction(tag)
        if tag == "ol" and re.fullmatch(r"-?[0-9]{1,6}", node.attributes.get("start", "")):
            attributes["start"] = node.attributes["start"]
        self._box(Box(tag, attributes), node.children)

    def _item(self, tag: str, node: Element) -> None:
        boxes = self._writer.boxes
        if not boxes or boxes[-1].tag not in _LISTS[tag]:
            self._apart(node.children)  # outside a list, or in one too deep to be written
        elif tag == "dt":
            self._line(Box(tag, _direction(tag), phrasing=True), node.children)
        else:
            self._box(Box(tag, phrasing=True), node.children)

    def _heading(self, tag: str, node: Element) -> None:
        title = " ".join(node.text().split())
        if not title:
            self._apart(node.children)  # an image may still be there
            return
        anchor = self._unique_id(heading_anchor(title))
        inner = [name for element in node.elements() for name in _source_ids(element)]
        for source_id in (*self._waiting_ids, *inner):
            self._moved_ids.setdefault(source_id, anchor)
        self._line(Box(tag, {"id": anchor, **_direction(tag)}, phrasing=True), node.children)

    def _unique_id(self, base: str) -> str:
        anchor = base
        while anchor in self._ids:
            self._same_titles[base] += 1
            anchor = f"{base}-{self._same_titles[base] + 1}"
        self._ids.add(anchor)
        return anchor

    def _follow_heading(self, match: re.Match[str]) -> str:
        """A link within the page leads to the heading's own id, whatever its writer called it."""
        name = unquote(html.unescape(match.group(1)))
        anchor = name if name in self._ids else self._moved_ids.get(name) or heading_anchor(name)
        return f' href="#{html.escape(anchor)}"'

    def _preformatted(self, node: Element) -> None:
        # A parser drops a line end that opens <pre>; one that closes it would show as an empty line.
        text = _verbatim(node).replace("\r\n", "\n").replace("\r", "\n").strip("\n")
        if not text.strip():
            return
        language = next(filter(None, map(_code_language, (node, *node.elements()))), "")
        code = Phrase("code", {"class": f"language-{language}"} if language else {})
        with self._writer.box(Box("pre", _direction("pre"), phrasing=True)):
            around, self._writer.phrases = self._writer.phrases, [code]
            self._words(text)
            self._writer.phrases = around

    def _table(self, table: Element) -> None:
        if not html_tables.is_data(table):
            for part in (*html_tables.captions(table), *html_tables.rows(table)):
                for cell in html_tables.cells(part) or [part]:
                    self._apart(cell.children)
            return
        content = [row for row in html_tables.rows(table) if html_tables.has_content(row)]
        head = html_tables.header_count(table, content)
        with self._writer.box(Box("table", _direction("table"))):
            for caption in html_tables.captions(table)[:1]:
                self._line(Box("caption", _direction("caption"), phrasing=True), caption.children)
            self._rows("thead", content[:head])
            self._rows("tbody", content[head:])

    def _rows(self, tag: str, content: Sequence[Element]) -> None:
        with self._writer.box(Box(tag)):
            for row in content:
                with self._writer.row():
                    for number, cell in enumerate(html_tables.cells(row)):
                        box = Box(cell.tag, html_tables.cell_attributes(cell), phrasing=True)
                        with self._writer.cell(box, first=number == 0):
                            self.flow(cell.children)

    # -- phrases ------------------------------------------------------------------------------

    def _phrase(self, tag: str, node: Element) -> None:
        attributes = {}
        if tag == "a":
            attributes = link_attributes(node.attributes.get("href", ""))
        elif tag == "bdo":
            attributes = {"dir": "rtl" if node.attributes.get("dir") == "rtl" else "ltr"}
        if self._inside(tag) or (tag == "a" and not attributes):
            self.flow(node.children)
            return
        with self._writer.phrase(Phrase(tag, attributes)):
            self.flow(node.children)

    def _image(self, node: Element) -> None:
        source = safe_href(node.attributes.get("src", ""))
        if source is None or _ELSEWHERE.match(source):
            return  # a picture from elsewhere would call out
        alt = " ".join(node.attributes.get("alt", "").split())
        self._writer.image({"src": source, "alt": alt, "loading": "lazy"})

    def _text(self, text: str) -> None:
        for run in split_spaces(text):
            if run is None:
                self._writer.space()
            elif self._autolink and "://" in run and not self._inside("a", "code"):
                self._words_with_links(run)
            else:
                self._words(run)

    def _words_with_links(self, text: str) -> None:
        position = 0
        for match in _BARE_URL.finditer(text):
            self._words(text[position : match.start()])
            with self._writer.phrase(Phrase("a", link_attributes(match.group()))):
                self._words(match.group())
            position = match.end()
        self._words(text[position:])

    def _words(self, text: str) -> None:
        if text:
            self._writer.words(text)
            self._waiting_ids.clear()

    def _inside(self, *tags: str) -> bool:
        return any(phrase.tag in tags for phrase in self._writer.phrases)


def link_attributes(href: str) -> dict[str, str]:
    """Of an ``<a>``; empty where the address is unsafe. Wiki links keep their name until shown."""
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


def _direction(tag: str) -> dict[str, str]:
    return {"dir": "auto"} if tag in _DIRECTED else {}


def _source_ids(node: Element) -> list[str]:
    return [node.attributes[name] for name in ("id", "name") if node.attributes.get(name)]


def _code_language(element: Element) -> str:
    match = _LANGUAGE.search(element.attributes.get("class", ""))
    return match.group(1) if match else ""


def _verbatim(node: Element) -> str:
    parts: list[str] = []
    for child in node.children:
        if isinstance(child, str):
            parts.append(child)
        elif child.tag == "br":
            parts.append("\n")
        else:
            parts.append(_verbatim(child))
    return "".join(parts)
