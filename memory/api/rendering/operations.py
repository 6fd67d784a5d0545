from __future__ import annotations

from typing import Any

from memory.api.rendering.pages import paged
from memory.api.rendering.times import iso
from memory.browsing.filters import Page
from memory.models import Bank, Operation, OperationStatus, OperationType

_OPEN = (OperationStatus.PENDING, OperationStatus.PROCESSING)


def operation_list(bank: Bank, page: Page[Operation]) -> dict[str, Any]:
    return paged(page, _item, name="operations") | {"bank_id": bank.name}


def _item(row: Operation) -> dict[str, Any]:
    documents: list[str] = row.result.get("documents") or []
    return {
        "id": str(row.pk),
        "task_type": row.type,
        "operation_id": str(row.pk),
        "operation_type": row.type,
        "items_count": row.items_count,
        "document_id": documents[0] if len(documents) == 1 else None,
        "filename": None,
        "mental_model_id": row.result.get("mental_model"),
        "details": _details(row),
        "created_at": iso(row.created_at),
        "updated_at": iso(row.updated_at),
        "status": row.status,
        "error_message": row.error or None,
        "retry_count": max(row.attempts - 1, 0),
        "next_retry_at": None,
        "progress": _progress(row),
    }


def operation_status(row: Operation, *, with_payload: bool) -> dict[str, Any]:
    return {
        "operation_id": str(row.pk),
        "status": row.status,
        "operation_type": row.type,
        "id": str(row.pk),
        "task_type": row.type,
        "mental_model_id": row.payload.get("mental_model"),
        "created_at": iso(row.created_at),
        "updated_at": iso(row.updated_at),
        "completed_at": iso(row.finished_at),
        "error_message": row.error or None,
        "retry_count": max(row.attempts - 1, 0),
        "next_retry_at": None,
        "progress": _progress(row),
        "result_metadata": row.result or None,
        "details": _details(row),
        "child_operations": None,
        "task_payload": row.payload if with_payload else None,
    }


def changed(row: Operation, message: str) -> dict[str, Any]:
    return {"success": True, "message": message, "operation_id": str(row.pk)}


def _details(row: Operation) -> dict[str, Any] | None:
    outcome = row.result.get("outcome")
    if row.type != OperationType.REFRESH_MENTAL_MODEL or outcome is None:
        return None
    failed = "empty_candidate" if outcome.startswith("refresh_failed") else None
    return {"operation_type": row.type, "outcome": outcome, "failure_reason": failed}


def _progress(row: Operation) -> dict[str, Any] | None:
    if row.status not in _OPEN or not row.items_count:
        return None
    return {
        "stage": row.status,
        "at": iso(row.updated_at),
        "processed": row.items_done,
        "total": row.items_count,
        "detail": None,
    }
