"""Content that waits in operations for a document that is deleted: it is not retained any more, and no
copy of it is left. In the caller's scope.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.utils import timezone

from memory.errors import InvalidMemory
from memory.language.text import clean_text
from memory.models import Operation, OperationStatus, OperationType
from memory.retain import payloads, wanted
from memory.retain.items import RetainItem

# What is done keeps none, and what a worker has in hand is as good as done.
_WAITING: Final = (OperationStatus.PENDING, OperationStatus.FAILED, OperationStatus.CANCELLED)


def forget(bank_id: UUID, document: str) -> None:
    """What would make this document again."""
    for operation in _waiting(bank_id):
        items, tags = payloads.from_json(operation.payload)
        of = {number for number, item in enumerate(items) if _name(item, tags) == document}
        if of:
            _save(operation, of)


def forget_all(bank_id: UUID) -> None:
    for operation in _waiting(bank_id):
        _save(operation, set(range(len(operation.payload["items"]))))


def _waiting(bank_id: UUID) -> list[Operation]:
    rows = Operation.objects.filter(bank_id=bank_id, type=OperationType.RETAIN, status__in=_WAITING)
    return list(rows.select_for_update().order_by("pk"))


def _save(operation: Operation, numbers: set[int]) -> None:
    operation.payload = payloads.without_content(operation.payload, numbers)
    operation.save(update_fields=("payload",))


def _name(item: RetainItem, tags: tuple[str, ...]) -> str | None:
    if not item.content:
        return None
    if item.document_name is not None:
        return clean_text(item.document_name)
    try:
        return wanted.read([item], document_tags=tags, now=timezone.now())[0].name
    except InvalidMemory:  # why its operation failed
        return None
