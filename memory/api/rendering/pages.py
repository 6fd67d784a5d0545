from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from memory.browsing.filters import Page

_T = TypeVar("_T")


def paged(
    page: Page[_T], render: Callable[[_T], dict[str, Any]], *, name: str = "items"
) -> dict[str, Any]:
    """A list with where it stands among all there are. ``name``: what the items are called."""
    return {
        name: [render(item) for item in page.items],
        "total": page.total,
        "limit": page.limit,
        "offset": page.offset,
    }
