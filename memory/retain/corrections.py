"""What was corrected by hand in the facts of a document that is planned again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from memory.models import MemoryChange

_COLUMNS: Final = frozenset(
    {"context", "fact_type", "occurred_start", "occurred_end", "mentioned_at"}
)


@dataclass(frozen=True, slots=True)
class Correction:
    """``text``: what the extractor had said, None where that still stands. ``columns`` hold what
    was set by hand."""

    text: str | None = None
    columns: frozenset[str] = frozenset()


def read(document_ids: Iterable[UUID]) -> dict[UUID, Correction]:
    """By node; also of those that were only taken out or put back. No query for no document."""
    found: dict[UUID, Correction] = {}
    changes = MemoryChange.objects.filter(node__document_id__in=list(document_ids))
    for node_id, before in changes.order_by("created_at").values_list("node_id", "before"):
        former = found.get(node_id, Correction())
        found[node_id] = Correction(
            text=before.get("text") if former.text is None else former.text,
            columns=former.columns | (_COLUMNS & before.keys()),
        )
    return found
