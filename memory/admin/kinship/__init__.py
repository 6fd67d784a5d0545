"""What a memory hangs together with, as two drawings and the tables that say the same."""

from __future__ import annotations

from typing import Any

from memory.admin.kinship import neighbourhood, origin
from memory.models import Node


def pictures(node: Node) -> dict[str, Any]:
    """What the page of a memory shows. Seven queries at most."""
    return {**origin.shown(node), **neighbourhood.shown(node)}
