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

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Exists, OuterRef
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


def append(
    kind: str,
    body: Mapping[str, Any],
    *,
    trace_id: str = "",
    using: str = DEFAULT_DB_ALIAS,
) -> AuditEntry:
    """Add an entry to the current tenant's chain, as the last step of a transaction of ``using``.

    Holds the head's row lock until the transaction ends. Raises ``UnknownKind``.
    """
    if kind not in _kinds:
        raise UnknownKind(f"{kind} is not a registered audit kind")
    if missing := _kinds[kind] - body.keys():
        raise UnknownKind(f"{kind} needs {', '.join(sorted(missing))}")
    tenant_id = tenancy.require()
    head = _lock_head(tenant_id, using)
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
    entry.save(force_insert=True, using=using)
    head.seq, head.hash = entry.seq, entry.hash
    head.save(update_fields=("seq", "hash"), using=using)
    return entry


def _lock_head(tenant_id: UUID, using: str) -> AuditHead:
    with connections[using].cursor() as cursor:
        # Deferred foreign keys lock the rows they point to at COMMIT, behind the head; a saver that
        # holds such a row and waits for the head would then wait in a circle. So they are checked now.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
        cursor.execute(
            "INSERT INTO memory_audithead (tenant_id, seq, hash) VALUES (%s, 0, %s)"
            " ON CONFLICT DO NOTHING",
            [tenant_id, GENESIS],
        )
    return AuditHead.objects.using(using).select_for_update().get(tenant_id=tenant_id)


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
    """The current tenant's entries in order. A ``Break`` is the last thing it yields, if any.

    Holds while others append: it goes as far as the head that it read first, and each of the other
    checks is one statement, which sees entries and head as of one moment.
    """
    head = AuditHead.objects.filter(tenant_id=tenancy.require()).first()
    end = (head.seq, head.hash) if head is not None else (0, GENESIS)
    previous, expected_seq = GENESIS, 1
    entries = AuditEntry.objects.filter(seq__lte=end[0]).order_by("seq")
    for entry in entries.iterator(chunk_size=2000):
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
    if end != (expected_seq - 1, previous):
        yield Break(end[0], "the chain ends before its head: entries are missing at the end")
        return
    heads = AuditHead.objects.filter(tenant_id=OuterRef("tenant_id"), seq__gte=OuterRef("seq"))
    beyond = AuditEntry.objects.filter(~Exists(heads)).order_by("seq").first()
    if beyond is not None:
        yield Break(beyond.seq, "it stands beyond the head of the chain, or the head is missing")
