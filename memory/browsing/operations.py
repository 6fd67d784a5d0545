"""Operations of a bank."""

from __future__ import annotations

from uuid import UUID

from memory.browsing.filters import Page, page_of
from memory.errors import OperationNotFound
from memory.models import Bank, Operation


def listed(
    bank: Bank, *, status: str | None, kind: str | None, limit: int, offset: int
) -> Page[Operation]:
    """Newest first, without their payloads."""
    rows = Operation.objects.filter(bank_id=bank.pk).defer("payload")
    if status is not None:
        rows = rows.filter(status=status)
    if kind is not None:
        rows = rows.filter(type=kind)
    return page_of(rows.order_by("-created_at", "pk"), limit=limit, offset=offset)


def find(bank: Bank, operation_id: UUID) -> Operation:
    """Raises ``OperationNotFound``."""
    row = Operation.objects.filter(bank_id=bank.pk, pk=operation_id).first()
    if row is None:
        raise OperationNotFound(str(operation_id))
    return row
