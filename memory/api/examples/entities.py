from __future__ import annotations

_ALICE = "0c4f6a52-6a53-4b0e-8f5e-1f0a6c1f2a01"
_BOB = "7d1e2f3a-4b5c-4d6e-8f70-8192a3b4c5d6"
ENTITY = {
    "id": _ALICE,
    "canonical_name": "Alice",
    "mention_count": 3,
    "first_seen": "2026-11-02T09:00:00+00:00",
    "last_seen": "2026-11-03T10:00:00+00:00",
    "metadata": None,
}
ENTITIES = {"items": [ENTITY], "total": 1, "limit": 100, "offset": 0}
ENTITY_DETAIL = ENTITY | {
    "observations": [
        {"text": "Alice works in the mornings.", "mentioned_at": "2026-11-03T10:00:00+00:00"}
    ]
}
ENTITY_GRAPH = {
    "nodes": [{"data": {"id": _ALICE, "label": "Alice", "mentionCount": 3, "color": None}}],
    "edges": [
        {
            "data": {
                "id": f"{_ALICE}:{_BOB}",
                "source": _ALICE,
                "target": _BOB,
                "linkType": "cooccurrence",
                "weight": 2,
                "color": None,
                "lineStyle": None,
                "lastCooccurred": "2026-11-03T10:00:00+00:00",
            }
        }
    ],
    "total_entities": 2,
    "total_edges": 1,
    "limit": 1000,
}
TAGS = {"items": [{"tag": "user:alice", "count": 3}], "total": 1, "limit": 100, "offset": 0}
SCOPES = {"scopes": [{"tags": ["user:alice"], "count": 2}], "total": 1, "limit": 100, "offset": 0}
