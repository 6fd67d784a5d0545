from __future__ import annotations

DIRECTIVE = {
    "id": "5a4b3c2d-1e0f-4a5b-9c8d-7e6f5a4b3c2d",
    "bank_id": "support",
    "name": "Tone",
    "content": "Never promise a date.",
    "priority": 10,
    "is_active": True,
    "tags": [],
    "created_at": "2026-11-02T09:00:00+00:00",
    "updated_at": "2026-11-02T09:00:00+00:00",
}
DIRECTIVES = {"items": [DIRECTIVE], "total": 1, "limit": 100, "offset": 0}
NEW = {"name": "Tone", "content": "Never promise a date.", "priority": 10}
CHANGE = {"is_active": False}
REMOVED = {"success": True, "message": "The directive was removed."}
