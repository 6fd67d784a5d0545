from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from memory import mental_models
from memory.api.rendering.memories import evidence
from memory.api.rendering.pages import paged
from memory.api.rendering.times import iso
from memory.browsing.filters import Page
from memory.browsing.memories import MemoryRow
from memory.models import Bank, MentalModel


def model_list(bank: Bank, page: Page[MentalModel], *, detail: str) -> dict[str, Any]:
    """``detail``: metadata, content (with question, answer and trigger), full (with sources)."""
    stale = mental_models.stale(bank, page.items)
    sources = mental_models.sources(bank, page.items) if detail == "full" else {}

    def rendered(row: MentalModel) -> dict[str, Any]:
        return _rendered(bank, row, detail, is_stale=row.name in stale, sources=sources)

    return paged(page, rendered)


def model(bank: Bank, row: MentalModel, *, detail: str) -> dict[str, Any]:
    page = Page([row], total=1, limit=1, offset=0)
    [rendered] = model_list(bank, page, detail=detail)["items"]
    return rendered


def _rendered(
    bank: Bank,
    row: MentalModel,
    detail: str,
    *,
    is_stale: bool,
    sources: Mapping[str, MemoryRow],
) -> dict[str, Any]:
    with_content = detail != "metadata"
    return {
        "id": row.name,
        "bank_id": bank.name,
        "name": row.title,
        "source_query": row.query if with_content else None,
        "content": row.content or None if with_content else None,
        "tags": row.tags,
        "max_tokens": row.max_tokens if with_content else None,
        "trigger": row.trigger if with_content else None,
        "last_refreshed_at": iso(row.refreshed_at),
        "last_memory_seen_at": iso(row.seen_at),
        "last_refresh_failed_at": iso(row.failed_at),
        "last_full_refreshed_at": iso(row.refreshed_at),
        "created_at": iso(row.created_at),
        "is_knowledge_page": False,
        "reflect_response": _response(row, sources) if detail == "full" else None,
        "is_stale": is_stale,
    }


def _response(row: MentalModel, sources: Mapping[str, MemoryRow]) -> dict[str, Any] | None:
    """The answer with what it rests on, by type."""
    if not row.content:
        return None
    by_type: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for memory_id in mental_models.cited_by(row):
        if (memory := sources.get(memory_id)) is not None:
            by_type[memory.node.fact_type].append(evidence(memory))
    return {"text": row.content, "based_on": by_type}
