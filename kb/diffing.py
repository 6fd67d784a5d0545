"""The lines and words in which two versions of a page's source differ. Pure."""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import regex

# Past these the comparison costs more than anybody reads.
MAX_LINES = 5_000
MAX_LINE_WORDS = 3_000
MAX_WORDS = 40_000  # of all lines that are compared word by word; the rest is shown by lines

_ALIKE = 0.4  # two lines with less in common are shown whole, not word by word


class LineKind(StrEnum):
    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    PLACE = "place"  # the text is the number of the next line, in the new version


@dataclass(frozen=True, slots=True)
class Run:
    """Words of a line. ``is_changed``: the other version of the line does not have them here."""

    text: str
    is_changed: bool


@dataclass(frozen=True, slots=True)
class Line:
    """``runs`` are the line in pieces where it has a counterpart that it differs from in words."""

    kind: LineKind
    text: str
    runs: tuple[Run, ...] = ()


_KINDS = {"+": LineKind.ADDED, "-": LineKind.REMOVED, " ": LineKind.SAME}
_PLACE = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@")
# Scripts without spaces between words are compared sign by sign.
_WORD = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]\p{M}*"
    r"|[\p{L}\p{N}\p{M}_]+|\s+|."
)


def changed_lines(old: str, new: str) -> Iterator[Line]:
    """Changed lines with two lines around them, in the order of the page."""
    words = _Words(MAX_WORDS)
    removed: list[str] = []
    added: list[str] = []
    for line in _unified(old, new):
        if line.kind is LineKind.REMOVED and not added:
            removed.append(line.text)
        elif line.kind is LineKind.ADDED:
            added.append(line.text)
        else:
            yield from words.replaced(removed, added)
            removed, added = [], []
            if line.kind is LineKind.REMOVED:
                removed.append(line.text)
            else:
                yield line
    yield from words.replaced(removed, added)


def _unified(old: str, new: str) -> Iterator[Line]:
    before, after = old.splitlines()[:MAX_LINES], new.splitlines()[:MAX_LINES]
    lines = difflib.unified_diff(before, after, n=2, lineterm="")
    for line in itertools.islice(lines, 2, None):  # without the two lines of file names
        if place := _PLACE.match(line):
            yield Line(LineKind.PLACE, place[1])
        else:
            yield Line(_KINDS[line[0]], line[1:])


class _Words:
    """Compares lines that took each other's place, word by word, as long as that is affordable."""

    def __init__(self, left: int) -> None:
        self._left = left

    def replaced(self, removed: Sequence[str], added: Sequence[str]) -> Iterator[Line]:
        """Lines that went and lines that came at one place, compared in pairs."""
        pairs = [self._compare(old, new) for old, new in zip(removed, added, strict=False)]
        for at, text in enumerate(removed):
            yield Line(LineKind.REMOVED, text, pairs[at][0] if at < len(pairs) else ())
        for at, text in enumerate(added):
            yield Line(LineKind.ADDED, text, pairs[at][1] if at < len(pairs) else ())

    def _compare(self, old: str, new: str) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
        if self._left < 0:
            return (), ()
        before, after = _WORD.findall(old), _WORD.findall(new)
        self._left -= len(before) + len(after)
        longest = max(len(before), len(after))
        if self._left < 0 or not before or not after or longest > MAX_LINE_WORDS:
            return (), ()
        matcher = difflib.SequenceMatcher(None, before, after)
        if matcher.quick_ratio() < _ALIKE or matcher.ratio() < _ALIKE:
            return (), ()
        left: list[Run] = []
        right: list[Run] = []
        for operation, i1, i2, j1, j2 in matcher.get_opcodes():
            is_changed = operation != "equal"
            if i1 < i2:
                left.append(Run("".join(before[i1:i2]), is_changed))
            if j1 < j2:
                right.append(Run("".join(after[j1:j2]), is_changed))
        return tuple(left), tuple(right)
