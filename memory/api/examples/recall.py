from __future__ import annotations

from typing import Any

REQUEST = {
    "query": "Which meetings does Alice avoid?",
    "types": ["world", "observation"],
    "tags": ["user:alice"],
    "tags_match": "any",
    "max_tokens": 1024,
}
RESULT: dict[str, Any] = {
    "id": "6f1f7c0e-0d3e-4c64-9d7e-0d2b9b3f5f10",
    "text": "Alice declines meetings before ten.",
    "type": "world",
    "entities": ["Alice"],
    "context": "team chat",
    "occurred_start": None,
    "occurred_end": None,
    "mentioned_at": "2026-11-03T10:00:00+00:00",
    "document_id": "chat-17",
    "metadata": {"channel": "team"},
    "chunk_id": "support_chat-17_0",
    "tags": ["user:alice"],
    "source_fact_ids": None,
    "scores": {"final": 0.83, "reranker": 0.81, "semantic": 0.74, "keyword": 6.2},
    "level": "L1",
    "sha": "3f7a1c",
    "speaker": None,
    "heading_path": [],
    "source_uri": None,
    "superseded_at": None,
    "over_budget": False,
}
REPLY = {
    "results": [RESULT],
    "trace": None,
    "entities": {
        "Alice": {
            "entity_id": "0c4f6a52-6a53-4b0e-8f5e-1f0a6c1f2a01",
            "canonical_name": "Alice",
            "observations": [],
        }
    },
    "chunks": None,
    "source_facts": None,
    "source_facts_truncated": None,
    "levels": ["L1", "L2"],
    "min_score": None,
    "abstained": False,
    "best_score": 0.81,
    "floor": None,
    "reranker": "embedded",
    "degraded": [],
    "message": None,
}
ABSTAINED = REPLY | {
    "results": [],
    "entities": {},
    "min_score": 0.9,
    "abstained": True,
    "floor": 0.9,
    "message": "Nothing reaches the floor of 0.90: the best is at 0.81.",
}
