from __future__ import annotations

from typing import Any

_ITEM: dict[str, Any] = {
    "id": "chat-17",
    "bank_id": "support",
    "content_hash": "9a0364b9",
    "created_at": "2026-11-03T10:00:00+00:00",
    "updated_at": "2026-11-03T10:00:00+00:00",
    "text_length": 35,
    "memory_unit_count": 1,
    "retain_params": {"context": "team chat"},
    "document_metadata": {"channel": "team"},
    "tags": ["user:alice"],
    "matched_fields": [],
}
DOCUMENTS = {"items": [_ITEM], "total": 1, "limit": 100, "offset": 0, "total_is_estimate": False}
DOCUMENT = {
    "id": "chat-17",
    "bank_id": "support",
    "original_text": "Alice declines meetings before ten.",
    "content_hash": "9a0364b9",
    "created_at": "2026-11-03T10:00:00+00:00",
    "updated_at": "2026-11-03T10:00:00+00:00",
    "memory_unit_count": 1,
    "nodes_by_fact_type": {"world": 1},
    "tags": ["user:alice"],
    "document_metadata": {"channel": "team"},
    "retain_params": {"context": "team chat"},
    "observation_scopes": None,
}
CHANGE = {"tags": ["user:alice", "team"]}
CHANGED = {"success": True}
DELETED = {
    "success": True,
    "message": "The document was removed.",
    "document_id": "chat-17",
    "memory_units_deleted": 1,
}
REPROCESSED = {
    "success": True,
    "operation_id": "0b9d7a52-92d4-4c6f-8a1e-7f6e5d4c3b2a",
    "items_count": 1,
}
CHUNK = {
    "chunk_id": "support_chat-17_0",
    "document_id": "chat-17",
    "bank_id": "support",
    "chunk_index": 0,
    "chunk_text": "Alice declines meetings before ten.",
    "created_at": "2026-11-03T10:00:00+00:00",
}
CHUNKS = {"items": [CHUNK], "total": 1, "limit": 100, "offset": 0}
