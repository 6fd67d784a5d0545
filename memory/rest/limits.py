"""Bursts of calls that think. How much one may ask in a day is ``kb.limits``."""

from __future__ import annotations

from typing import Any

from django.conf import settings

BURST_SECONDS = 60


def burst(group: str, request: Any) -> str:
    return str(settings.FOOTNOTE["ASK_BURST"])


def caller(group: str, request: Any) -> str:
    """A burst belongs to a member; a stranger's to nobody, since a stranger is refused anyway."""
    member = getattr(request, "member", None)
    return f"{member.tenant_id}:{member.user_id}" if member is not None else "anonymous"
