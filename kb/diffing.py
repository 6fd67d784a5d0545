"""The lines in which two versions of a page's source differ. Pure."""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

# Past this many lines the comparison costs more than anybody reads.
MAX_LINES = 5_000


class LineKind(StrEnum):
    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    PLACE = "place"  # the text is the number of the next line, in the new version


@dataclass(frozen=True, slots=True)
class Line:
    kind: LineKind
    text: str


_KINDS = {"+": LineKind.ADDED, "-": LineKind.REMOVED, " ": LineKind.SAME}
_PLACE = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@")


def changed_lines(old: str, new: str) -> Iterator[Line]:
    """Changed lines with two lines around them, in the order of the page."""
    before, after = old.splitlines()[:MAX_LINES], new.splitlines()[:MAX_LINES]
    lines = difflib.unified_diff(before, after, n=2, lineterm="")
    for line in itertools.islice(lines, 2, None):  # without the two lines of file names
        if place := _PLACE.match(line):
            yield Line(LineKind.PLACE, place[1])
        else:
            yield Line(_KINDS[line[0]], line[1:])
