"""A link to words on a page: ``?cite=120-180&rev=3``. Pure.

Offsets count the text of one revision. When the page has moved on, the words are marked only where
they still stand at the same place; they are never looked for, or the first of two equal sentences
would be taken for the second.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

ADDRESS = re.compile(r"([0-9]{1,7})-([0-9]{1,7})")


@dataclass(frozen=True, slots=True)
class Arrival:
    start: int
    end: int
    revision: int | None


def parse(query: Mapping[str, str]) -> Arrival | None:
    match = ADDRESS.fullmatch(query.get("cite", ""))
    if match is None:
        return None
    revision = query.get("rev", "")
    number = (
        int(revision) if revision.isascii() and revision.isdecimal() and len(revision) < 9 else None
    )
    return Arrival(int(match[1]), int(match[2]), number)
