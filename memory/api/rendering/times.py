from __future__ import annotations

from datetime import datetime


def iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment is not None else None
