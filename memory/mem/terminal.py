"""What a terminal takes: lines of its width, and faint or strong ones. Anything else gets neither."""

from __future__ import annotations

import os
import shutil
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import regex

_STRONG, _FAINT, _END = "\x1b[1m", "\x1b[2m", "\x1b[0m"
_WORD = regex.compile(r"\s*\S+")
_TAB = "  "  # between the cells of a row; a terminal's own tabs would not be counted
_NARROWEST = 20  # columns that a word is cut to where a terminal has next to none


class Stream(Protocol):
    def isatty(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Terminal:
    """``width`` is in columns, None where lines are never too long."""

    width: int | None = None
    has_styles: bool = False

    @classmethod
    def of(cls, stream: Stream) -> Terminal:
        if not stream.isatty():
            return cls()
        plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        return cls(shutil.get_terminal_size().columns, has_styles=not plain)

    def strong(self, line: str) -> str:
        return f"{_STRONG}{line}{_END}" if self.has_styles else line

    def faint(self, line: str) -> str:
        return f"{_FAINT}{line}{_END}" if self.has_styles else line

    def wrapped(self, line: str, *, lead: int) -> Iterator[str]:
        """The line in parts that fit behind ``lead`` columns, broken between words if at all."""
        if self.width is None:
            yield line
            return
        room = max(self.width - lead, _NARROWEST)
        part, taken = "", 0
        for word in _pieces(line.replace("\t", _TAB), room):
            columns = _columns(word)
            if part and taken + columns > room:
                yield part
                part, taken = "", 0
                word = word.lstrip()
                columns = _columns(word)
            part, taken = part + word, taken + columns
        yield part


def _pieces(line: str, room: int) -> Iterator[str]:
    """Words with the white space before them; one that no line holds is cut."""
    for match in _WORD.finditer(line):
        word = match.group()
        while _columns(word) > room:
            size = next(at for at in range(1, len(word)) if _columns(word[: at + 1]) > room)
            yield word[:size]
            word = word[size:]
        yield word


def _columns(text: str) -> int:
    return sum(map(_width, text))


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
