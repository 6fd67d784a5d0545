from __future__ import annotations

from typing import Any

from memory import mental_models
from memory.api.rendering.times import iso
from memory.browsing.filters import Page
from memory.models import Bank, MentalModel


def model_list(bank: Bank, page: Page[MentalModel], *, detail: str) -> dict[str, Any]:
    stale = mental_models.stale(bank, page.items)
    return {
        "items": [_rendered(bank, row, detail, row.name in stale) for row in page.items],
        "total": page.total,
        "limit": page.limit,
        "offset": page.offset,
    }


def model(bank: Bank, row: MentalModel, *, detail: str) -> dict[str, Any]:
    """``detail``: metadata, content (with question, answer and trigger), full (with sources)."""
    return _rendered(bank, row, detail, mental_models.is_stale(bank, row))


def _rendered(bank: Bank, row: MentalModel, detail: str, is_stale: bool) -> dict[str, Any]:
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
        "reflect_response": _sources(row) if detail == "full" else None,
        "is_stale": is_stale,
    }


def _sources(row: MentalModel) -> dict[str, Any] | None:
    return {"text": row.content, "based_on": row.based_on} if row.content else None
