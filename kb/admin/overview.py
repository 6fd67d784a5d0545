"""The first page of the administration: what happened lately and what needs a hand."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone

from kb.admin import badges
from kb.admin.naming import name
from kb.models import Doc, IndexState, QaQuestion, Status
from memory.middleware import TenantRequest
from memory.models import Event, Membership
from memory.models.audit import Severity

_LATELY = timedelta(days=7)
_LISTED = 8


def add_overview(request: TenantRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Nine queries."""
    since = timezone.now() - _LATELY
    pages = Doc.objects.filter(deleted_at=None).aggregate(
        all=Count("pk"),
        published=Count("pk", filter=Q(status=Status.PUBLISHED)),
        pending=Count("pk", filter=Q(index_state=IndexState.PENDING)),
        failed=Count("pk", filter=Q(index_state=IndexState.FAILED)),
    )
    asked = QaQuestion.objects.filter(created_at__gte=since)
    kinds = Counter(dict(asked.values_list("answer_kind").annotate(Count("pk")).order_by()))
    latest = name(QaQuestion.objects.order_by("-created_at", "question_id")[:_LISTED])
    return context | {
        "pages": pages,
        "asked": kinds.total(),
        "outcomes": _outcomes(kinds),
        "latest": [
            {
                "question": one,
                "kind_name": badges.KIND_NAMES[one.answer_kind],
                "colour": badges.KIND_COLOURS[one.answer_kind],
            }
            for one in latest
        ],
        "to_mend": Doc.objects.filter(deleted_at=None, index_state=IndexState.FAILED)[:_LISTED],
        "members": Membership.objects.filter(tenant=request.tenant, is_active=True).count(),
        "faults": Event.objects.filter(created_at__gte=since, severity=Severity.SEV_2).count(),
        "events": [
            {"event": event, "colour": badges.EVENT_COLOURS[event.severity]}
            for event in Event.objects.order_by("-created_at")[:5]
        ],
    }


def _outcomes(kinds: Counter[str]) -> list[dict[str, Any]]:
    """Each kind with its stretch of a bar from 0 to 100, as text: a drawing has no decimal comma."""
    total, before = max(kinds.total(), 1), 0
    outcomes = []
    for kind in badges.KIND_NAMES:
        count = kinds[kind]
        outcomes.append(
            {
                "kind": kind,
                "name": badges.KIND_NAMES[kind],
                "count": count,
                "start": f"{100 * before / total:.2f}",
                "share": f"{100 * count / total:.2f}",
            }
        )
        before += count
    return outcomes
