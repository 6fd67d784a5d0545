from __future__ import annotations

_OPERATION = "0b9d7a52-92d4-4c6f-8a1e-7f6e5d4c3b2a"
REQUEST = {
    "items": [
        {
            "content": "Alice declines meetings before ten.",
            "context": "team chat",
            "document_id": "chat-17",
            "tags": ["user:alice"],
            "metadata": {"channel": "team"},
        }
    ]
}
USAGE = {
    "input_tokens": 0,
    "output_tokens": 0,
    "total_tokens": 0,
    "cached_tokens": 0,
    "thoughts_tokens": 0,
}
REPLY = {
    "success": True,
    "bank_id": "support",
    "items_count": 1,
    "async": False,
    "operation_id": None,
    "operation_ids": None,
    "usage": USAGE,
    "document_ids": ["chat-17"],
    "memory_ids": ["6f1f7c0e-0d3e-4c64-9d7e-0d2b9b3f5f10"],
    "failures": [],
}
SUBMITTED = REPLY | {
    "async": True,
    "operation_id": _OPERATION,
    "operation_ids": [_OPERATION],
    "usage": None,
    "document_ids": None,
    "memory_ids": None,
}
FILES_SENT = {
    "files": ["(the bytes of handbook.md)"],
    "request": '{"files_metadata": [{"tags": ["handbook"]}]}',
}
FILES = {"operation_ids": [_OPERATION]}
DRY_RUN = {"content": "Alice declined the meeting yesterday."}
TRIED = {
    "facts": [
        {
            "text": "Alice declined the meeting yesterday.",
            "fact_type": "world",
            "occurred_start": "2026-11-02T00:00:00+00:00",
            "occurred_end": "2026-11-02T23:59:59+00:00",
            "entities": ["Alice"],
            "chunk_index": 0,
        }
    ],
    "chunks": [{"text": "Alice declined the meeting yesterday.", "fact_count": 1}],
    "usage": USAGE,
}
CONSOLIDATE = {"observation_scopes": [["user:alice"]]}
CONSOLIDATING = {"operation_id": _OPERATION, "deduplicated": False}
RECOVERED = {"retried_count": 0}
