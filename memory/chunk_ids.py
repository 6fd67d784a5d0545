"""The id of a raw passage as callers see it: ``{bank}_{document}_{index}``. Pure.

Names may hold anything, so ``%`` and ``_`` inside them are written as their percent codes. That
keeps ids readable, and they can be taken apart again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")
_BAD_ESCAPE = re.compile(r"%(?!25|5F)")


@dataclass(frozen=True, slots=True)
class ChunkId:
    """``index`` counts the passages of a document from 0."""

    bank: str
    document: str
    index: int

    def __str__(self) -> str:
        return f"{_escape(self.bank)}_{_escape(self.document)}_{self.index}"


def parse(text: str) -> ChunkId | None:
    """None for what no chunk is called."""
    parts = text.split("_")
    if len(parts) != 3 or _BAD_ESCAPE.search(text) or not _INDEX.fullmatch(parts[2]):
        return None
    return ChunkId(_plain(parts[0]), _plain(parts[1]), int(parts[2]))


def _escape(name: str) -> str:
    return name.replace("%", "%25").replace("_", "%5F")


def _plain(name: str) -> str:
    return name.replace("%5F", "_").replace("%25", "%")
