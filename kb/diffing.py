"""The lines in which two versions of a page's source differ. Pure."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

# Past this many lines the comparison costs more than anybody reads.
MAX_LINES = 5_000


class LineKind(StrEnum):
    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    PLACE = "place"  # where in the page the next lines stand


@dataclass(frozen=True, slots=True)
class Line:
    kind: LineKind
    text: str


_KINDS = {"+": LineKind.ADDED, "-": LineKind.REMOVED, "@": LineKind.PLACE}


def changed_lines(old: str, new: str) -> Iterator[Line]:
    """Changed lines with two lines around them, in the order of the page."""
    before, after = old.splitlines()[:MAX_LINES], new.splitlines()[:MAX_LINES]
    lines = difflib.unified_diff(before, after, n=2, lineterm="")
    for at, line in enumerate(lines):
        if at >= 2:  # the two lines of file names
            kind = _KINDS.get(line[:1], LineKind.SAME)
            yield Line(kind, line if kind is LineKind.PLACE else line[1:])
