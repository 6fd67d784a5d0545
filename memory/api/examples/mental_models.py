from __future__ import annotations

from typing import Any

from memory.api.examples.reflect import FACT

_OPERATION = "0b9d7a52-92d4-4c6f-8a1e-7f6e5d4c3b2a"
MODEL: dict[str, Any] = {
    "id": "alice-habits",
    "bank_id": "support",
    "name": "How Alice works",
    "source_query": "How does Alice like to work?",
    "content": "Alice declines meetings before ten.",
    "tags": ["user:alice"],
    "max_tokens": 2048,
    "trigger": {"mode": "full", "refresh_after_consolidation": True},
    "last_refreshed_at": "2026-11-03T10:00:00+00:00",
    "last_memory_seen_at": "2026-11-03T10:00:00+00:00",
    "last_refresh_failed_at": None,
    "last_full_refreshed_at": "2026-11-03T10:00:00+00:00",
    "created_at": "2026-11-02T09:00:00+00:00",
    "is_knowledge_page": False,
    "reflect_response": {
        "text": "Alice declines meetings before ten.",
        "based_on": {"world": [FACT]},
    },
    "is_stale": False,
}
MODELS = {"items": [MODEL], "total": 1, "limit": 100, "offset": 0}
NEW = {
    "id": "alice-habits",
    "name": "How Alice works",
    "source_query": "How does Alice like to work?",
    "tags": ["user:alice"],
    "trigger": {"refresh_after_consolidation": True},
}
CHANGE = {"name": "How Alice likes to work"}
REFRESH = {"mode": "full"}
CREATED = {"mental_model_id": "alice-habits", "operation_id": _OPERATION}
SUBMITTED = {"operation_id": _OPERATION, "status": "pending"}
REMOVED = {"success": True, "message": "The mental model was removed."}
HISTORY = {
    "mental_model_id": "alice-habits",
    "history": [
        {
            "content": "Alice declines meetings before nine.",
            "refreshed_at": "2026-11-02T09:00:00+00:00",
        }
    ],
}
