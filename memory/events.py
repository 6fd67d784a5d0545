"""Faults and limits, for operators: a structured log line and a row outside the audit chain.

Events come from this catalogue and carry ids and counts, never text, vectors or secrets.
"""

from __future__ import annotations

import logging
from enum import StrEnum
from typing import Any

from memory import tenancy
from memory.models.audit import Event, Severity

logger = logging.getLogger("footnote.events")


class EventName(StrEnum):
    GENERATOR_FAILED = "generator_failed"
    JUDGE_FAILED = "judge_failed"
    RERANKER_FAILED = "reranker_failed"
    UNVERIFIED_CLAIM = "unverified_claim"
    INVALID_RANGE = "invalid_range"
    ASK_FAULT = "ask_fault"
    ASK_ORPHANED = "ask_orphaned"
    CONTEXT_TRUNCATED = "context_truncated"
    INDEX_FAILED = "index_failed"
    OPERATION_FAILED = "operation_failed"


SEVERITIES = {
    EventName.GENERATOR_FAILED: Severity.SEV_2,
    EventName.JUDGE_FAILED: Severity.SEV_2,
    EventName.RERANKER_FAILED: Severity.SEV_2,
    EventName.UNVERIFIED_CLAIM: Severity.SEV_2,
    EventName.INVALID_RANGE: Severity.SEV_2,
    EventName.ASK_FAULT: Severity.SEV_2,
    EventName.ASK_ORPHANED: Severity.SEV_2,
    EventName.INDEX_FAILED: Severity.SEV_2,
    EventName.OPERATION_FAILED: Severity.SEV_2,
    EventName.CONTEXT_TRUNCATED: Severity.SEV_3,
}


def record(name: EventName, *, trace_id: str = "", **data: Any) -> None:
    """Log an event and store it for the current tenant. Needs a scope."""
    severity = SEVERITIES[name]
    tenant_id = tenancy.require()
    logger.log(
        logging.ERROR if severity == Severity.SEV_2 else logging.WARNING,
        name.value,
        extra={
            "severity": int(severity),
            "trace_id": trace_id,
            "tenant_id": str(tenant_id),
            **data,
        },
    )
    Event.objects.create(
        tenant_id=tenant_id, severity=severity, name=name.value, trace_id=trace_id, data=data
    )
