from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from memory import bank_settings
from memory.api.rendering.pages import paged
from memory.api.rendering.times import iso
from memory.browsing.banks import BankRow
from memory.browsing.filters import Page
from memory.browsing.memories import TimeField
from memory.browsing.statistics import BankFigures, Period
from memory.levels import FactType
from memory.models import Bank, OperationStatus
from memory.reflecting.probing import Probe, Reach

_OPEN = (OperationStatus.PENDING, OperationStatus.PROCESSING)


def profile(bank: Bank) -> dict[str, Any]:
    return {
        "bank_id": bank.name,
        "name": bank.title or bank.name,
        "disposition": bank.disposition,
        "mission": bank.mission,
        "background": bank.background or None,
        "access": bank.access,
        "owner": bank.owner.username if bank.owner is not None else None,
    }


def bank_list(page: Page[BankRow]) -> dict[str, Any]:
    return paged(page, _item, name="banks")


def _item(row: BankRow) -> dict[str, Any]:
    bank = row.bank
    return {
        "bank_id": bank.name,
        "name": bank.title or bank.name,
        "disposition": bank.disposition,
        "mission": bank.mission or None,
        "created_at": iso(bank.created_at),
        "updated_at": iso(bank.updated_at),
        "fact_count": row.memories,
        "last_document_at": iso(row.document_at),
        "last_write_at": iso(row.written_at),
        "display_alias": None,
        "matched_aliases": [],
        "access": bank.access,
    }


def stats(bank: Bank, figures: BankFigures) -> dict[str, Any]:
    links = {kind: dict(counts) for kind, counts in figures.links.items()}
    statuses = figures.operations_by_status
    return {
        "bank_id": bank.name,
        "total_nodes": sum(figures.memories_by_type.values()),
        "total_links": sum(figures.links_by_type.values()),
        "total_documents": figures.documents,
        "nodes_by_fact_type": dict(figures.memories_by_type),
        "links_by_link_type": figures.links_by_type,
        "links_by_fact_type": {kind: sum(counts.values()) for kind, counts in links.items()},
        "links_breakdown": links,
        "pending_operations": sum(statuses.get(status, 0) for status in _OPEN),
        "failed_operations": statuses.get(OperationStatus.FAILED, 0),
        "operations_by_status": dict(statuses),
        "last_consolidated_at": iso(figures.consolidated_at),
        "last_memory_write_at": iso(figures.written_at),
        "pending_consolidation": figures.waiting,
        "failed_consolidation": 0,
        "total_observations": figures.memories_by_type.get(FactType.OBSERVATION, 0),
    }


def growth(
    bank: Bank,
    period: Period,
    time_field: TimeField,
    buckets: Sequence[tuple[datetime, Mapping[str, int]]],
) -> dict[str, Any]:
    return {
        "bank_id": bank.name,
        "period": period.value,
        "trunc": period.bucket,
        "time_field": time_field.value,
        "buckets": [
            {"time": iso(at)} | {kind.value: counts.get(kind, 0) for kind in FactType}
            for at, counts in buckets
        ],
    }


def model_health(bank: Bank, probes: Mapping[str, Probe]) -> dict[str, Any]:
    return {
        "bank_id": bank.name,
        "operations": [
            {
                "operation": name,
                "ok": found.reach is Reach.CONNECTED,
                "status": found.reach.value,
                "latency_ms": found.latency_ms,
            }
            for name, found in probes.items()
        ],
    }


def config(bank: Bank) -> dict[str, Any]:
    return {
        "bank_id": bank.name,
        "config": bank_settings.resolved(bank),
        "overrides": bank_settings.overrides(bank),
    }


def deleted(message: str, count: int | None = None) -> dict[str, Any]:
    return {"success": True, "message": message, "deleted_count": count}
