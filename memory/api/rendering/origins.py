from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def origin(
    metadata: Mapping[str, str], *, speaker: str, heading_path: Sequence[str]
) -> dict[str, Any]:
    """The metadata, who said it and under which headings.

    The last two stand in the metadata as well, where it has no such names of its own: the client's
    models know no other place for them.
    """
    told = {"speaker": speaker, "heading": " › ".join(heading_path)}
    return {
        "metadata": {name: value for name, value in told.items() if value} | dict(metadata),
        "speaker": speaker or None,
        "heading_path": list(heading_path),
    }
