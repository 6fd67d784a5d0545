"""The banks that a member sees, with what they hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Max, Q

from memory import banks
from memory.browsing.filters import Page, page_of
from memory.levels import MEMORIES
from memory.models import Access, Bank, Document, Membership, Node


@dataclass(frozen=True, slots=True)
class BankRow:
    bank: Bank
    memories: int
    written_at: datetime | None
    document_at: datetime | None


def listed(member: Membership, *, query: str, limit: int, offset: int) -> Page[BankRow]:
    """By name. Four queries. A shared bank behind one's own namesake cannot be named, so it is left out."""
    found = banks.visible_banks(member)
    own = found.filter(owner_id=member.user_id, access=Access.PRIVATE)
    found = found.exclude(Q(access=Access.TENANT) & Q(name__in=own.values("name")))
    if query:
        found = found.filter(Q(name__icontains=query) | Q(title__icontains=query))
    page = page_of(found, limit=limit, offset=offset)
    ids = [bank.pk for bank in page.items]
    memories = _memories(ids)
    documents = dict(
        Document.objects.filter(bank_id__in=ids, corpus=None)
        .order_by()
        .values_list("bank_id")
        .annotate(at=Max("updated_at"))
    )
    rows = [
        BankRow(bank, *memories.get(bank.pk, (0, None)), documents.get(bank.pk))
        for bank in page.items
    ]
    return Page(rows, page.total, limit, offset)


def _memories(bank_ids: list[UUID]) -> Mapping[UUID, tuple[int, datetime | None]]:
    counted = (
        Node.objects.filter(bank_id__in=bank_ids, level__in=MEMORIES)
        .order_by()
        .values_list("bank_id")
        .annotate(n=Count("pk"), at=Max("updated_at"))
    )
    return {bank_id: (number, at) for bank_id, number, at in counted}
