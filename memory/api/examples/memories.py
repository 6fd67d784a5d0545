from __future__ import annotations

from typing import Any

_ID = "6f1f7c0e-0d3e-4c64-9d7e-0d2b9b3f5f10"
MEMORY: dict[str, Any] = {
    "id": _ID,
    "text": "Alice declines meetings before ten.",
    "context": "team chat",
    "date": "2026-11-03T10:00:00+00:00",
    "fact_type": "world",
    "document_id": "chat-17",
    "mentioned_at": "2026-11-03T10:00:00+00:00",
    "occurred_start": None,
    "occurred_end": None,
    "entities": "Alice",
    "chunk_id": "support_chat-17_0",
    "proof_count": 1,
    "tags": ["user:alice"],
    "metadata": {"channel": "team"},
    "speaker": None,
    "heading_path": [],
    "consolidated_at": None,
    "consolidation_failed_at": None,
    "state": "valid",
    "invalidation_reason": None,
    "invalidated_at": None,
    "edited_at": None,
    "updated_at": "2026-11-03T10:00:00+00:00",
    "source_memory_ids": [],
}
MEMORY_DETAIL = MEMORY | {
    "entities": ["Alice"],
    "bank_id": "support",
    "level": "L1",
    "sha": "3f7a1c",
    "char_start": 0,
    "char_end": 35,
}
MEMORIES = {"items": [MEMORY], "total": 1, "limit": 100, "offset": 0}
CHANGE = {"text": "Alice declines meetings before nine.", "reason": "She said so."}
HISTORY = {
    "memory_id": _ID,
    "history": [
        {
            "kind": "edited",
            "at": "2026-11-04T10:00:00+00:00",
            "reason": "She said so.",
            "by": "mira",
            "before": {"text": "Alice declines meetings before ten."},
        }
    ],
}
CLEARED = {"deleted_count": 2}
GRAPH = {
    "nodes": [
        {
            "data": {
                "id": _ID,
                "label": "Alice declines meetings before ten.",
                "text": "Alice declines meetings before ten.",
                "date": "2026-11-03T10:00:00+00:00",
                "context": "team chat",
                "entities": "Alice",
                "color": None,
            }
        }
    ],
    "edges": [
        {
            "data": {
                "id": "9b2d3c4e-16a4-4f5e-8a58-1d2a3b4c5d6e",
                "source": _ID,
                "target": "1c2d3e4f-5a6b-4c7d-8e9f-0a1b2c3d4e5f",
                "linkType": "semantic",
                "weight": 0.82,
                "entityName": "",
                "color": None,
                "lineStyle": None,
            }
        }
    ],
    "table_rows": [
        {
            "id": _ID,
            "text": "Alice declines meetings before ten.",
            "context": "team chat",
            "occurred_start": None,
            "occurred_end": None,
            "mentioned_at": "2026-11-03T10:00:00+00:00",
            "date": "2026-11-03T10:00:00+00:00",
            "entities": "Alice",
            "document_id": "chat-17",
            "chunk_id": "support_chat-17_0",
            "fact_type": "world",
            "tags": ["user:alice"],
            "created_at": "2026-11-03T10:00:00+00:00",
            "proof_count": 1,
        }
    ],
    "total_units": 1,
    "limit": 1000,
    "edges_left_out": 0,
}
DELETED = {"success": True, "message": "42 memories were removed.", "deleted_count": 42}
