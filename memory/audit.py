"""The append-only chain of what happened in a tenant.

    hash(n) = sha256(canonical JSON of tenant, seq, kind, trace, time, body, hash(n-1))

Writers queue on the head row, which is locked last in a transaction and never across a model call,
so that entries cannot fork under load.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.utils import timezone

from memory import tenancy
from memory.errors import UnknownKind
from memory.models import AuditEntry, AuditHead

GENESIS = "0" * 64

_kinds: dict[str, frozenset[str]] = {}


def register(kind: str, *fields: str) -> str:
    """Add a kind to the catalogue, with the fields that its body must have."""
    _kinds[kind] = frozenset(fields)
    return kind


def kinds() -> Mapping[str, frozenset[str]]:
    return dict(_kinds)


def text_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def append(kind: str, body: Mapping[str, Any], *, trace_id: str = "") -> AuditEntry:
    """Add an entry to the current tenant's chain, as the last step of a transaction.

    Holds the head's row lock until the transaction ends. Raises ``UnknownKind``.
    """
    if kind not in _kinds:
        raise UnknownKind(f"{kind} is not a registered audit kind")
    if missing := _kinds[kind] - body.keys():
        raise UnknownKind(f"{kind} needs {', '.join(sorted(missing))}")
    tenant_id = tenancy.require()
    head = _lock_head(tenant_id)
    entry = AuditEntry(
        tenant_id=tenant_id,
        seq=head.seq + 1,
        kind=kind,
        trace_id=trace_id,
        body=json.loads(json.dumps(body, default=str)),
        created_at=timezone.now(),
        prev_hash=head.hash,
    )
    entry.hash = entry_hash(entry)
    entry.save(force_insert=True)
    head.seq, head.hash = entry.seq, entry.hash
    head.save(update_fields=("seq", "hash"))
    return entry


def _lock_head(tenant_id: UUID) -> AuditHead:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO memory_audithead (tenant_id, seq, hash) VALUES (%s, 0, %s)"
            " ON CONFLICT DO NOTHING",
            [tenant_id, GENESIS],
        )
    return AuditHead.objects.select_for_update().get(tenant_id=tenant_id)


def entry_hash(entry: AuditEntry) -> str:
    return text_hash(
        json.dumps(
            {
                "tenant": str(entry.tenant_id),
                "seq": entry.seq,
                "kind": entry.kind,
                "trace_id": entry.trace_id,
                "created_at": _instant(entry.created_at),
                "body": entry.body,
                "prev_hash": entry.prev_hash,
            },
            sort_keys=True,
            separators=(",", ":"),
            ensure_ascii=False,
        )
    )


def _instant(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()


@dataclass(frozen=True, slots=True)
class Break:
    """The first place where a chain does not hold."""

    seq: int
    problem: str


def verify_chain() -> Iterator[AuditEntry | Break]:
    """The current tenant's entries in order. A ``Break`` is the last thing it yields, if any."""
    previous, expected_seq = GENESIS, 1
    for entry in AuditEntry.objects.order_by("seq").iterator(chunk_size=2000):
        if entry.seq != expected_seq:
            yield Break(expected_seq, f"entry {expected_seq} is missing")
            return
        if entry.prev_hash != previous:
            yield Break(entry.seq, "does not link to the entry before it")
            return
        if entry.hash != entry_hash(entry):
            yield Break(entry.seq, "its content is not what was hashed")
            return
        yield entry
        previous, expected_seq = entry.hash, entry.seq + 1
    head = AuditHead.objects.filter(tenant_id=tenancy.require()).first()
    if head is None:
        if expected_seq > 1:
            yield Break(expected_seq - 1, "the head of the chain is missing")
    elif (head.seq, head.hash) != (expected_seq - 1, previous):
        yield Break(head.seq, "the chain ends before its head: entries are missing at the end")
