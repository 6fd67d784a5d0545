from __future__ import annotations

from typing import Any

_ID = "0b9d7a52-92d4-4c6f-8a1e-7f6e5d4c3b2a"
_COMMON: dict[str, Any] = {
    "id": _ID,
    "task_type": "retain",
    "operation_id": _ID,
    "operation_type": "retain",
    "mental_model_id": None,
    "details": None,
    "created_at": "2026-11-03T10:00:00+00:00",
    "updated_at": "2026-11-03T10:00:02+00:00",
    "status": "completed",
    "error_message": None,
    "retry_count": 0,
    "next_retry_at": None,
    "progress": None,
}
OPERATIONS = {
    "bank_id": "support",
    "total": 1,
    "limit": 20,
    "offset": 0,
    "operations": [_COMMON | {"items_count": 1, "document_id": "chat-17", "filename": None}],
}
OPERATION = _COMMON | {
    "completed_at": "2026-11-03T10:00:02+00:00",
    "result_metadata": {"documents": ["chat-17"]},
    "child_operations": None,
    "task_payload": None,
}
CANCELLED = {"success": True, "message": "The operation was cancelled.", "operation_id": _ID}
RETRIED = {"success": True, "message": "The operation was taken up again.", "operation_id": _ID}
DELETED = {"success": True, "message": "The operation was removed.", "operation_id": _ID}
