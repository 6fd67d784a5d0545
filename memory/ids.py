"""Ids that callers choose, of banks, documents and mental models. Pure."""

from __future__ import annotations

from typing import Final

# As a part of an address these mean "here" and "above": clients and proxies take them out on the way.
_STEPS: Final = frozenset({".", ".."})
NO_STEPS: Final = "and is neither “.” nor “..”, which no address can hold"


def is_id(text: str, *, most: int) -> bool:
    """Whether a cleaned text of one line can be an id; ``most`` counts code points."""
    return 1 <= len(text) <= most and text not in _STEPS
