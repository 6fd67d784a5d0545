"""Writes canonical HTML piece by piece, with white space and breaks as a browser shows them. Pure.

The caller says where the text is (which boxes and phrases it stands in); elements are opened late,
when the first visible thing inside them arrives, so that empty ones are never written.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

_SPACE = re.compile(r"[ \t\n\r\f]+")
_MOST_BREAKS = 2  # in a row; more say nothing


@dataclass(eq=False, slots=True)
class Box:
    """A block element that is open, or will be once it has something to show."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    phrasing: bool = False  # text may stand in it directly


@dataclass(eq=False, slots=True)
class Phrase:
    """An element inside a line of text."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)


def paragraph() -> Box:
    return Box("p", {"dir": "auto"}, phrasing=True)


class MarkupWriter:
    def __init__(self) -> None:
        self.boxes: list[Box] = []  # where the next text stands, outermost first
        self.phrases: list[Phrase] = []
        self.one_line = False  # in a cell, heading or term: a break is not a line end
        self.block_has_text = False
        self._out: list[str] = []
        self._open: list[Box] = []
        self._open_phrases: list[Phrase] = []
        self._anonymous: Box | None = None  # the paragraph around text that has no box for it
        self._has_content = False
        self._needs_break = False  # the next block begins with a line end
        self._space = False  # white space seen, not written yet
        self._breaks = 0  # <br> seen, not written yet
        self._tail = ""  # " " or line end, where the block so far ends with one

    def finish(self) -> str:
        self.end_block()
        self._sync([])
        return "".join(self._out)

    # -- what the caller meets, in order ------------------------------------------------------

    @contextmanager
    def box(self, box: Box) -> Iterator[None]:
        """A paragraph holds no block: one that is met inside ends it, and what follows begins anew."""
        self.end_block()
        around = self.boxes
        self.boxes = [*(outer for outer in around if outer.tag != "p"), box]
        yield
        self.end_block()
        self.boxes = around

    @contextmanager
    def row(self) -> Iterator[None]:
        with self.box(Box("tr")):
            self._break_line(self.boxes)
            self.one_line = True
            yield
            self.one_line = False
            self._has_content = self._needs_break = True

    @contextmanager
    def cell(self, box: Box, *, first: bool) -> Iterator[None]:
        """Opened even if empty, so that it keeps its column."""
        self.boxes.append(box)
        if not first:
            self._sync(self.boxes[:-1])
            self._out.append("\t")
        self._sync(self.boxes)
        self.block_has_text = False
        yield
        self._forget_spaces()
        self._close_phrases(0)
        self.boxes.pop()

    @contextmanager
    def phrase(self, phrase: Phrase) -> Iterator[None]:
        self.phrases.append(phrase)
        yield
        self.phrases.pop()

    def space(self) -> None:
        self._space = True

    def line_break(self) -> None:
        self._breaks += 1

    def soft_break(self) -> None:
        """A block boundary inside a line: one break, however many boundaries meet."""
        if self.block_has_text and not self._breaks:
            self._breaks = 1

    def words(self, text: str) -> None:
        """Text without white space to collapse. Not empty."""
        self._place()
        self._write_spaces(self._space)
        self._open_new_phrases()
        self._out.append(html.escape(text, quote=False))
        self._has_content = self.block_has_text = True
        self._tail = ""

    def image(self, attributes: dict[str, str]) -> None:
        """A space before it waits for the next word: a line of text never ends with one."""
        self._place()
        waiting = self._space
        self._write_spaces(False)
        self._space = waiting and not self._tail
        self._open_new_phrases()
        self._out.append(start_tag("img", attributes))

    def rule(self) -> None:
        self.end_block()
        if self._has_content:
            self._sync([box for box in self.boxes if not box.phrasing or box.tag in ("li", "dd")])
            self._out.append("<hr>")

    def end_block(self) -> None:
        """What comes next is no part of the line before."""
        self._forget_spaces()
        self._needs_break = self._needs_break or (self.block_has_text and self._tail != "\n")
        self.block_has_text, self._tail = False, ""
        self._close_phrases(0)
        self._anonymous = None
        if self._open and self._open[-1].tag == "p":
            self._sync(self._open[:-1])
            if self.boxes and self.boxes[-1].tag == "p":
                self.boxes = [*self.boxes[:-1], paragraph()]

    # -- writing ------------------------------------------------------------------------------

    def _place(self) -> None:
        boxes = self.boxes
        if not boxes or not boxes[-1].phrasing or self._is_second_line_of(boxes[-1]):
            self._anonymous = self._anonymous or paragraph()
            boxes = [*boxes, self._anonymous]
        self._break_line(boxes)
        self._sync(boxes)
        self._close_phrases(_common(self._open_phrases, self.phrases))

    def _open_new_phrases(self) -> None:
        for phrase in self.phrases[len(self._open_phrases) :]:
            self._out.append(start_tag(phrase.tag, phrase.attributes))
            self._open_phrases.append(phrase)

    def _is_second_line_of(self, box: Box) -> bool:
        """Two lines of bare text in one item would be shown as one."""
        if box.tag not in ("li", "dd"):
            return False
        return self._anonymous is not None or (self._needs_break and box in self._open)

    def _write_spaces(self, space: bool) -> None:
        if self.block_has_text and self._breaks:
            mark, self._tail = ("<br> ", " ") if self.one_line else ("<br>\n", "\n")
            self._out.append(mark * min(self._breaks, _MOST_BREAKS))
        elif self.block_has_text and space and not self._tail:
            self._out.append(" ")
            self._tail = " "
        self._forget_spaces()

    def _forget_spaces(self) -> None:
        self._breaks, self._space = 0, False

    def _break_line(self, boxes: Sequence[Box]) -> None:
        """The line end between two blocks stands where it belongs to neither."""
        if self._needs_break:
            self._sync(boxes[: _common(self._open, boxes)])
            self._out.append("\n")
            self._needs_break = False

    def _sync(self, boxes: Sequence[Box]) -> None:
        common = _common(self._open, boxes)
        if len(self._open) > common or len(boxes) > common:
            self._close_phrases(0)
        while len(self._open) > common:
            self._out.append(f"</{self._open.pop().tag}>")
        for box in boxes[common:]:
            self._out.append(start_tag(box.tag, box.attributes))
            self._open.append(box)

    def _close_phrases(self, keep: int) -> None:
        while len(self._open_phrases) > keep:
            self._out.append(f"</{self._open_phrases.pop().tag}>")


def split_spaces(text: str) -> Iterator[str | None]:
    """Runs of visible characters, and None for each run of white space."""
    position = 0
    for space in _SPACE.finditer(text):
        if space.start() > position:
            yield text[position : space.start()]
        yield None
        position = space.end()
    if position < len(text):
        yield text[position:]


def start_tag(tag: str, attributes: dict[str, str]) -> str:
    written = "".join(f' {name}="{html.escape(value)}"' for name, value in attributes.items())
    return f"<{tag}{written}>"


def _common(first: Sequence[object], second: Sequence[object]) -> int:
    count = 0
    for one, other in zip(first, second, strict=False):
        if one is not other:
            break
        count += 1
    return count
