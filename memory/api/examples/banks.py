from __future__ import annotations

DISPOSITION = {"skepticism": 3, "literalism": 4, "empathy": 3}
PROFILE = {
    "bank_id": "support",
    "name": "Support",
    "disposition": DISPOSITION,
    "mission": "You help people with their orders.",
    "background": None,
    "access": "tenant",
    "owner": "mira",
}
NEW_BANK = {"name": "Support", "mission": "You help people with their orders."}
BANKS = {
    "banks": [
        {
            "bank_id": "support",
            "name": "Support",
            "disposition": DISPOSITION,
            "mission": "You help people with their orders.",
            "created_at": "2026-11-02T09:00:00+00:00",
            "updated_at": "2026-11-03T10:00:00+00:00",
            "fact_count": 42,
            "last_document_at": "2026-11-03T10:00:00+00:00",
            "last_write_at": "2026-11-03T10:00:00+00:00",
            "display_alias": None,
            "matched_aliases": [],
            "access": "tenant",
        }
    ],
    "total": 1,
    "limit": 100,
    "offset": 0,
}
STATS = {
    "bank_id": "support",
    "total_nodes": 42,
    "total_links": 60,
    "total_documents": 7,
    "nodes_by_fact_type": {"world": 30, "experience": 4, "observation": 8},
    "links_by_link_type": {"derived_from": 50, "causes": 10},
    "links_by_fact_type": {"world": 44, "observation": 16},
    "links_breakdown": {
        "world": {"derived_from": 34, "causes": 10},
        "observation": {"derived_from": 16},
    },
    "pending_operations": 0,
    "failed_operations": 0,
    "operations_by_status": {"completed": 7},
    "last_consolidated_at": "2026-11-03T10:00:05+00:00",
    "last_memory_write_at": "2026-11-03T10:00:00+00:00",
    "pending_consolidation": 0,
    "failed_consolidation": 0,
    "total_observations": 8,
}
GROWTH = {
    "bank_id": "support",
    "period": "7d",
    "trunc": "day",
    "time_field": "created_at",
    "buckets": [
        {"time": "2026-11-03T00:00:00+00:00", "world": 30, "experience": 4, "observation": 8}
    ],
}
CONFIG_UPDATE = {"updates": {"enable_graph_retrieval": False}}
CONFIG = {
    "bank_id": "support",
    "config": {"enable_graph_retrieval": False, "enable_text_search": True},
    "overrides": {"enable_graph_retrieval": False},
}
DELETED = {"success": True, "message": "The bank was removed.", "deleted_count": 42}
HEALTH = {
    "bank_id": "support",
    "operations": [
        {"operation": "retain", "ok": True, "status": "connected", "latency_ms": 420},
        {
            "operation": "consolidation",
            "ok": False,
            "status": "not_configured",
            "latency_ms": None,
        },
        {"operation": "reflect", "ok": True, "status": "connected", "latency_ms": 420},
    ],
}
