"""A page's table of contents, read from the headings of its canonical HTML. Pure."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

MIN_HEADINGS = 3  # fewer are seen at a glance

_HEADING = re.compile(r'<h([1-6])[^>]* id="([^"]+)"[^>]*>(.*?)</h\1>', re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class Entry:
    title: str
    anchor: str  # the heading's id
    depth: int  # from 1, without the levels that a page skips


def contents(markup: str, *, skip_first: bool = False) -> tuple[Entry, ...]:
    """Empty for a page with fewer than ``MIN_HEADINGS``. ``skip_first``: it is the page's title."""
    found = list(_HEADING.finditer(markup))
    if len(found) < MIN_HEADINGS:
        return ()
    entries: list[Entry] = []
    open_levels: list[int] = []
    for match in found[1:] if skip_first else found:
        level = int(match[1])
        while open_levels and open_levels[-1] >= level:
            open_levels.pop()
        open_levels.append(level)
        title = " ".join(html.unescape(_TAG.sub("", match[3])).split())
        entries.append(Entry(title, html.unescape(match[2]), len(open_levels)))
    return tuple(entries)
