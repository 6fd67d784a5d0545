"""A small tree for markup that an HTML5 parser has already made well formed. Pure.

``parse`` reads what nh3 wrote, never what a person wrote: nh3 is where the browser's own parsing
rules are applied, so that the tree here is the tree that a browser builds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser


def names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


VOID = names("area br col embed hr img input source track wbr")
HEADINGS = names("h1 h2 h3 h4 h5 h6")
# Deeper elements are left out and their content is kept: nobody reads that deep, and the walkers
# below may recurse.
MAX_DEPTH = 120


@dataclass(slots=True)
class Element:
    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element | str] = field(default_factory=list)

    def elements(self) -> Iterator[Element]:
        """All elements below this one, in document order."""
        for child in self.children:
            if isinstance(child, Element):
                yield child
                yield from child.elements()

    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)


def parse(markup: str) -> Element:
    builder = _Builder()
    builder.feed(markup)
    builder.close()
    return builder.root


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("#root")
        self._open: list[Element | None] = [self.root]  # None: an element too deep to keep
        self._depth = 1

    @property
    def _parent(self) -> Element:
        return next(element for element in reversed(self._open) if element is not None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._depth >= MAX_DEPTH and tag not in VOID:
            self._open.append(None)
            return
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._parent.children.append(element)
        if tag not in VOID:
            self._open.append(element)
            self._depth += 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)  # "<p/>" is a start tag in HTML

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID or len(self._open) == 1:
            return
        if self._open.pop() is not None:
            self._depth -= 1

    def handle_data(self, data: str) -> None:
        self._parent.children.append(data)
