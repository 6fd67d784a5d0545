"""The first page of the administration: how the last 30 days went, and what needs a hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.functional import Promise

from kb import verification
from kb.admin import badges, charts, statistics
from kb.admin.naming import name
from kb.admin.statistics import Day, IndexHealth, PageCount
from kb.models import Doc, IndexState
from memory.admin.base import tenant
from memory.middleware import TenantRequest
from memory.models import Event, Membership
from memory.models.audit import Severity

_WEEK = 7
_LISTED = 8
_RANKED = 5


def add_overview(request: TenantRequest, context: dict[str, Any]) -> dict[str, Any]:
    """A fixed number of queries, however many questions and pages there are."""
    of_tenant = tenant(request)
    days = statistics.days()
    week = days[-_WEEK:]
    since = timezone.now() - timedelta(days=_WEEK)
    index = statistics.index_health()
    return context | {
        "tenant": of_tenant,
        "asked": sum(day.asked for day in week),
        "answered": sum(day.answered for day in week),
        "questions": _questions(days) if any(day.asked for day in days) else None,
        "index": index,
        "index_parts": _index_parts(index),
        "limit_use": [
            {"use": one, "width": charts.percent(one.used, one.limit)}
            for one in statistics.limit_use(_RANKED)
        ],
        "verification": verification.last(of_tenant.pk),
        "latest": [
            {
                "question": one,
                "kind_name": badges.KIND_NAMES[one.answer_kind],
                "colour": badges.KIND_COLOURS[one.answer_kind],
            }
            for one in name(statistics.latest_questions(_LISTED))
        ],
        "to_mend": Doc.objects.filter(deleted_at=None, index_state=IndexState.FAILED)[:_LISTED],
        "members": Membership.objects.filter(tenant=of_tenant, is_active=True).count(),
        "faults": Event.objects.filter(created_at__gte=since, severity=Severity.SEV_2).count(),
        "events": [
            {"event": event, "colour": badges.EVENT_COLOURS[event.severity]}
            for event in Event.objects.order_by("-created_at")[:_RANKED]
        ],
    }


def _questions(days: Sequence[Day]) -> dict[str, Any]:
    """The drawings about questions. Only where there are any."""
    columns = charts.stacked([day.kinds for day in days], list(badges.KIND_NAMES))
    shares = statistics.answer_shares(days)
    speed, speeds = statistics.speed()
    slowest = charts.round_up(max((one.p95 for one in speeds if one), default=0))
    reasons = statistics.decline_reasons()
    votes = statistics.votes()
    return {
        "days": list(zip(days, columns.columns, strict=True)),
        "first_day": days[0].date,
        "columns": columns,
        "kinds": _kinds(days),
        "share": shares[-1],
        "share_line": charts.line(shares, 1.0),
        "shares": list(zip(days, shares, strict=True)),
        "speed": speed,
        "slowest": slowest,
        "p50": charts.line([one.p50 if one else None for one in speeds], slowest),
        "p95": charts.line([one.p95 if one else None for one in speeds], slowest),
        "speeds": [(day, one) for day, one in zip(days, speeds, strict=True) if one],
        "reasons": [
            {
                "name": badges.REASON_NAMES[reason],
                "count": count,
                "width": charts.percent(count, reasons[0][1]),
            }
            for reason, count in reasons
        ],
        "votes": votes,
        "up_width": charts.percent(votes["up"], sum(votes.values())),
        "most_asked": _ranked(statistics.most_asked(_RANKED), "asked"),
        "most_declined": _ranked(statistics.most_declined(_RANKED), "declined"),
    }


def _kinds(days: Sequence[Day]) -> list[dict[str, Any]]:
    total: Counter[str] = Counter()
    for day in days:
        total.update(day.kinds)
    return [
        {"kind": kind, "name": kind_name, "count": total[kind]}
        for kind, kind_name in badges.KIND_NAMES.items()
    ]


def _ranked(pages: Sequence[PageCount], by: str) -> list[dict[str, Any]]:
    most = max((getattr(one, by) for one in pages), default=0)
    return [
        {"page": one, "count": getattr(one, by), "width": charts.percent(getattr(one, by), most)}
        for one in pages
    ]


def _index_parts(index: IndexHealth) -> list[dict[str, Any]]:
    """Each state with its stretch of a bar from 0 to 100."""
    counts: list[tuple[str, str | Promise, int]] = [
        (state.value, state.label, getattr(index, state.value))
        for state in (IndexState.READY, IndexState.PENDING, IndexState.FAILED)
    ]
    whole, before, parts = sum(count for *_, count in counts), 0, []
    for state, label, count in counts:
        parts.append(
            {
                "state": state,
                "name": label,
                "count": count,
                "start": charts.percent(before, whole),
                "width": charts.percent(count, whole),
            }
        )
        before += count
    return parts
