"""From what a person wrote to what is stored: safe HTML, its plain text, its blocks and links. Pure.

    source --markdown--> html --nh3--> tree --hidden out--> canonical html --nh3--> stored html
                                                                                       |
                                                              text and blocks: kb.outline

nh3 runs twice: first to apply a browser's parsing rules to anything at all, then as the last word
on what may be stored. Text and blocks are always read back from the stored HTML, so they can be
derived again at any time and cannot disagree with it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import unquote

import nh3

from kb import canonical, html_tree, markdown
from kb.html_tree import HEADINGS, Element, names
from kb.html_visibility import is_hidden
from kb.links import WIKI_SCHEME
from kb.outline import outline
from memory.language.text import clean_text, normalise_source
from memory.types import Block, BlockKind

__all__ = ["LinkKind", "ParsedLink", "Rendered", "SourceFormat", "outline", "render"]


class SourceFormat(StrEnum):
    MARKDOWN = "markdown"
    HTML = "html"


class LinkKind(StrEnum):
    HREF = "href"
    WIKI = "wiki"


@dataclass(frozen=True, slots=True)
class ParsedLink:
    """A link as its writer put it. ``target`` is the address, of a wiki link the bare name."""

    target: str
    kind: LinkKind
    label: str


@dataclass(frozen=True, slots=True)
class Rendered:
    html: str
    text: str
    blocks: tuple[Block, ...]
    links: tuple[ParsedLink, ...]
    title: str | None  # of the front matter, the title element or the first heading, in this order
    hidden: int = 0  # characters that a reader would not have seen, and that were left out


def render(source: str, source_format: str) -> Rendered:
    """Never raises on any text. ``source`` need not be normalised; hash the normalised form."""
    source = normalise_source(source)
    title = None
    autolink = source_format == SourceFormat.MARKDOWN
    if source_format == SourceFormat.MARKDOWN:
        title, source = markdown.split_front_matter(source)
        source = markdown.to_html(source)
    tree = html_tree.parse(normalise_source(_parse_as_browser(source)))
    hidden = _remove_hidden(tree)
    title_element = _take_title(tree)
    title = title or title_element
    if _FULL_PAGE.search(source):
        _keep_main(tree)
    markup = _sanitise(canonical.canonical_html(tree, autolink=autolink))
    text, blocks = outline(markup)
    if title is None:
        title = next((text[b.start : b.end] for b in blocks if b.kind is BlockKind.HEADING), None)
    links = _links(markup)
    return Rendered(markup, text, blocks, links, clean_text(title or "") or None, hidden)


# -- nh3 ------------------------------------------------------------------------------------------

_FULL_PAGE = re.compile(r"<(?:!doctype|html|body)\b", re.IGNORECASE)
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>\x00]*)")
_MAX_OPEN = 1_000
# nh3 drops the parts of a formula with their letters; without their tags the letters stay.
_MATH = re.compile(
    r"</?(?:math|semantics|m(?:i|n|o|s|text|row|frac|sqrt|root|sub|sup|subsup|under|over|underover"
    r"|table|tr|td|space|style|padded|error|enclose|multiscripts|prescripts))\b[^<>]*>",
    re.IGNORECASE,
)
_UNNESTED = html_tree.VOID | names("p li dt dd tr td th option link meta base")
_RAW = names("iframe noembed noframes noscript script style textarea title xmp")  # hold no tags
_PHRASES = canonical.INLINE | names("big font label mark span strike time tt")
_SWALLOWED = names(
    "annotation annotation-xml audio canvas datalist iframe mphantom noembed noframes noscript "
    "object rp script select style template textarea video"
)
_STRUCTURE = (
    canonical.INLINE
    | HEADINGS
    | names(
        "address article aside big blockquote body br caption center col colgroup dd details "
        "dialog div dl dt fieldset figcaption figure font footer form head header hgroup hr html "
        "img label legend li main mark menu nav ol p pre section span strike summary table tbody "
        "td tfoot th thead time title tr tt ul wbr"
    )
)
_READ_ATTRIBUTES = {
    "*": {"style", "hidden", "id", "class", "role"},
    "a": {"href", "name"},
    "img": {"src", "alt"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "bdo": {"dir"},
    "dialog": {"open"},
}
_STORED_TAGS = (
    (canonical.INLINE - names("b i"))
    | HEADINGS
    | names(
        "blockquote br caption dd dl dt hr img li ol p pre table tbody td th thead tr ul",
    )
)
_STORED_ATTRIBUTES = {
    **{tag: {"dir"} for tag in ("bdo", "caption", "dl", "dt", "p", "pre", "table", "ul")},
    **{tag: {"dir", "id"} for tag in HEADINGS},
    "a": {"href", "class", "rel"},
    "img": {"src", "alt", "loading"},
    "ol": {"dir", "start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "code": {"class"},
}
_SCHEMES = {"http", "https", "mailto", "wiki"}


def _parse_as_browser(source: str) -> str:
    """Well-formed HTML with the elements a browser would build, and no attribute that runs.

    Elements of unknown names stay for now: one that is hidden must take its content with it.
    """
    source = _limit_nesting(_MATH.sub("", source))
    names = {match.group(2).lower() for match in _TAG.finditer(source)}
    custom = {
        name for name in names if re.fullmatch(r"[a-z][a-z0-9]*-[a-z0-9-]*", name)
    } - _SWALLOWED
    return str(
        nh3.clean(
            source,
            tags=set(_STRUCTURE | custom),
            clean_content_tags=set(_SWALLOWED),
            attributes=_READ_ATTRIBUTES,
            url_schemes=_SCHEMES,
            link_rel=None,
        )
    )


def _limit_nesting(source: str) -> str:
    """Elements past a depth that nobody writes become breaks, and what they hold stays: the
    parser's work grows with the square of the depth."""
    depth = 0
    open_tags: Counter[str] = Counter()

    def check(match: re.Match[str]) -> str:
        nonlocal depth
        name = match.group(2).lower()
        if name in _UNNESTED or name in _RAW:
            return match.group()
        if not match.group(1):
            if depth >= _MAX_OPEN:
                return "<wbr" if name in _PHRASES else "<br"
            depth += 1
            open_tags[name] += 1
        elif open_tags[name]:
            depth -= 1
            open_tags[name] -= 1
        return match.group()

    return _TAG.sub(check, source) if source.count("<") > _MAX_OPEN else source


def _sanitise(markup: str) -> str:
    return str(
        nh3.clean(
            markup,
            tags=set(_STORED_TAGS),
            attributes=_STORED_ATTRIBUTES,
            url_schemes=_SCHEMES,
            link_rel=None,
        )
    )


# -- the tree -------------------------------------------------------------------------------------


def _remove_hidden(element: Element) -> int:
    removed = 0
    kept: list[Element | str] = []
    for child in element.children:
        if isinstance(child, Element):
            if is_hidden(child):
                removed += len(child.text().strip())
                continue
            removed += _remove_hidden(child)
        kept.append(child)
    element.children = kept
    return removed


def _take_title(element: Element) -> str | None:
    """The page's title element, which is no part of its text."""
    title = None
    for child in [child for child in element.children if isinstance(child, Element)]:
        if child.tag == "title":
            element.children.remove(child)
            found = clean_text(child.text())
        else:
            found = _take_title(child) or ""
        title = title or found or None
    return title


def _keep_main(tree: Element) -> None:
    """Of a whole web page only the page counts, not the site around it."""
    mains = [e for e in tree.elements() if e.tag == "main" or e.attributes.get("role") == "main"]
    if mains and mains[0].text().strip():
        tree.children = [mains[0]]
    _drop_furniture(tree)


_FURNITURE = names("header footer aside")


def _drop_furniture(element: Element, inside_article: bool = False) -> None:
    kept: list[Element | str] = []
    for child in element.children:
        if isinstance(child, Element):
            if child.tag == "nav" or (child.tag in _FURNITURE and not inside_article):
                continue
            _drop_furniture(child, inside_article or child.tag in ("article", "section", "main"))
        kept.append(child)
    element.children = kept


def _links(markup: str) -> tuple[ParsedLink, ...]:
    found = []
    for element in html_tree.parse(markup).elements():
        if element.tag != "a" or not element.attributes.get("href"):
            continue
        href, label = element.attributes["href"], " ".join(element.text().split())
        if href.startswith(WIKI_SCHEME):
            found.append(ParsedLink(unquote(href[len(WIKI_SCHEME) :]), LinkKind.WIKI, label))
        else:
            found.append(ParsedLink(href, LinkKind.HREF, label))
    return tuple(found)
