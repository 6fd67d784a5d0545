from __future__ import annotations

from typing import Any

from memory.api.rendering.pages import paged
from memory.api.rendering.times import iso
from memory.browsing.filters import Page
from memory.models import Bank, Directive


def directive_list(bank: Bank, page: Page[Directive]) -> dict[str, Any]:
    return paged(page, lambda row: directive(bank, row))


def directive(bank: Bank, row: Directive) -> dict[str, Any]:
    return {
        "id": str(row.pk),
        "bank_id": bank.name,
        "name": row.name,
        "content": row.content,
        "priority": row.priority,
        "is_active": row.is_active,
        "tags": row.tags,
        "created_at": iso(row.created_at),
        "updated_at": iso(row.updated_at),
    }
