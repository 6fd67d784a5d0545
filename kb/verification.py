"""Verifying a tenant's history from the administration: the result is kept for a while and shown.

A short history is verified while one waits, a long one by a worker.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from django.core.cache import cache
from django.utils import timezone

from kb import auditing
from kb.auditing import Report
from kb.models import Chunk
from memory.models import AuditEntry

_MOST_ENTRIES, _MOST_CHUNKS = 2_000, 2_000  # about a second
_KEPT = 30 * 24 * 3600  # seconds
_GIVEN_UP = 600  # seconds; longer than a task may run


class VerificationState(StrEnum):
    RUNNING = "running"
    HOLDS = "holds"
    BROKEN = "broken"
    FAILED = "failed"  # it could not be finished, which tells nothing about the history


@dataclass(frozen=True, slots=True)
class Verification:
    state: VerificationState
    at: datetime
    entries: int = 0
    answers: int = 0
    citations: int = 0
    broken: str = ""  # the first row that does not hold, as a sentence


def is_short() -> bool:
    """Whether the current tenant's history can be verified while somebody waits."""
    return (
        AuditEntry.objects.order_by("-seq").filter(seq__gt=_MOST_ENTRIES).first() is None
        and Chunk.objects.order_by()[: _MOST_CHUNKS + 1].count() <= _MOST_CHUNKS
    )


def run(tenant_id: UUID) -> Verification:
    """Verify now, and keep the result."""
    started = timezone.now()
    try:
        report = auditing.verify(tenant_id)
    except Exception:
        _keep(tenant_id, Verification(VerificationState.FAILED, started))
        raise
    return _keep(tenant_id, _result(report, started))


def announce(tenant_id: UUID) -> None:
    """Say that a worker was asked. If it never answers, this is forgotten."""
    _keep(tenant_id, Verification(VerificationState.RUNNING, timezone.now()), seconds=_GIVEN_UP)


def withdraw(tenant_id: UUID) -> None:
    """Take back what was announced: no worker can be asked."""
    cache.delete(_key(tenant_id))


def last(tenant_id: UUID) -> Verification | None:
    kept = cache.get(_key(tenant_id))
    return Verification(**kept) if kept else None


def _result(report: Report, at: datetime) -> Verification:
    return Verification(
        VerificationState.BROKEN if report.broken else VerificationState.HOLDS,
        at,
        report.entries,
        report.answers,
        report.citations,
        report.broken,
    )


def _keep(tenant_id: UUID, made: Verification, *, seconds: int = _KEPT) -> Verification:
    cache.set(_key(tenant_id), asdict(made), timeout=seconds)
    return made


def _key(tenant_id: UUID) -> str:
    return f"{tenant_id}:history:verified"
