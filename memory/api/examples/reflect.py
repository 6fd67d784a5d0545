from __future__ import annotations

from typing import Any

from memory.api.examples.retain import USAGE

FACT: dict[str, Any] = {
    "id": "6f1f7c0e-0d3e-4c64-9d7e-0d2b9b3f5f10",
    "text": "Alice declines meetings before ten.",
    "type": "world",
    "context": "team chat",
    "occurred_start": None,
    "occurred_end": None,
    "mentioned_at": "2026-11-03T10:00:00+00:00",
    "document_id": "chat-17",
    "chunk_id": "support_chat-17_0",
    "tags": ["user:alice"],
    "metadata": {"channel": "team"},
    "speaker": None,
    "heading_path": [],
}
REQUEST = {"query": "When does Alice take meetings?", "include": {"facts": {}}}
REPLY: dict[str, Any] = {
    "text": "Alice declines meetings before ten.",
    "based_on": {
        "memories": [FACT],
        "mental_models": [],
        "directives": [],
    },
    "structured_output": None,
    "structured_output_error": None,
    "usage": USAGE,
    "trace": None,
    "abstained": False,
    "reason": None,
    "confidence": 0.91,
    "left_out": 0,
    "missing": [],
    "model": None,
    "degraded": [],
    "message": None,
}
ABSTAINED: dict[str, Any] = REPLY | {
    "text": "The memories of this bank do not answer this.",
    "based_on": {"memories": [], "mental_models": [], "directives": []},
    "abstained": True,
    "reason": "not_covered",
    "confidence": None,
}
