from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memory.api.rendering.origins import origin
from memory.api.rendering.pages import paged
from memory.api.rendering.times import iso
from memory.browsing.filters import Page
from memory.browsing.graphs import Link, MemoryGraph
from memory.browsing.memories import MemoryRow, State
from memory.models import MemoryChange, Node

_LABEL = 60  # characters
EVIDENCE = (
    "id",
    "text",
    "type",
    "context",
    "occurred_start",
    "occurred_end",
    "mentioned_at",
    "document_id",
    "chunk_id",
    "tags",
    "metadata",
    "speaker",
    "heading_path",
)


def memory_list(page: Page[MemoryRow]) -> dict[str, Any]:
    return paged(page, memory)


def memory(row: MemoryRow) -> dict[str, Any]:
    node = row.node
    lost = node.superseded_at is not None
    return {
        "id": str(node.pk),
        "text": node.text,
        "context": node.context,
        "date": _date(node) or "",
        "fact_type": node.fact_type,
        "document_id": row.document,
        "mentioned_at": iso(node.mentioned_at),
        "occurred_start": iso(node.occurred_start),
        "occurred_end": iso(node.occurred_end),
        "entities": ", ".join(row.entities),
        "chunk_id": row.chunk_id,
        "proof_count": node.proof_count,
        "tags": node.tags,
        **origin(node.metadata, speaker=node.speaker, heading_path=node.heading_path),
        "consolidated_at": iso(row.consolidated_at),
        "consolidation_failed_at": None,
        "state": State.INVALIDATED.value if lost else State.VALID.value,
        "invalidation_reason": row.reason if lost else None,
        "invalidated_at": iso(node.superseded_at),
        "edited_at": iso(row.edited_at),
        "updated_at": iso(node.updated_at),
        "source_memory_ids": [str(source) for source in row.source_ids],
    }


def memory_detail(row: MemoryRow) -> dict[str, Any]:
    node = row.node
    return memory(row) | {
        "entities": list(row.entities),
        "bank_id": row.bank_name,
        "level": node.level,
        "sha": node.sha,
        "char_start": node.char_start,
        "char_end": node.char_end,
    }


def evidence(row: MemoryRow) -> dict[str, Any]:
    """As an answer shows what it rests on."""
    whole = memory(row) | {"type": row.node.fact_type, "context": row.node.context or None}
    return {name: whole[name] for name in EVIDENCE}


def history(node: Node, changes: Sequence[MemoryChange]) -> dict[str, Any]:
    return {
        "memory_id": str(node.pk),
        "history": [
            {
                "kind": change.kind,
                "at": iso(change.created_at),
                "reason": change.reason,
                "by": change.changed_by.username if change.changed_by is not None else None,
                "before": change.before,
            }
            for change in changes
        ],
    }


def graph(found: MemoryGraph, *, limit: int) -> dict[str, Any]:
    return {
        "nodes": [_node(row) for row in found.memories],
        "edges": [_edge(link) for link in found.links],
        "table_rows": [_table_row(row) for row in found.memories],
        "total_units": found.total,
        "limit": limit,
        "edges_left_out": found.links_left_out,
    }


def _node(row: MemoryRow) -> dict[str, Any]:
    node = row.node
    return {
        "data": {
            "id": str(node.pk),
            "label": node.text if len(node.text) <= _LABEL else f"{node.text[:_LABEL]}…",
            "text": node.text,
            "date": _date(node) or "",
            "context": node.context,
            "entities": ", ".join(row.entities),
            "color": None,
        }
    }


def _edge(link: Link) -> dict[str, Any]:
    return {
        "data": {
            "id": link.id,
            "source": str(link.source),
            "target": str(link.target),
            "linkType": link.type,
            "weight": link.weight,
            "entityName": link.entity,
            "color": None,
            "lineStyle": None,
        }
    }


def _table_row(row: MemoryRow) -> dict[str, Any]:
    node = row.node
    return {
        "id": str(node.pk),
        "text": node.text,
        "context": node.context,
        "occurred_start": iso(node.occurred_start),
        "occurred_end": iso(node.occurred_end),
        "mentioned_at": iso(node.mentioned_at),
        "date": _date(node),
        "entities": ", ".join(row.entities),
        "document_id": row.document,
        "chunk_id": row.chunk_id,
        "fact_type": node.fact_type,
        "tags": node.tags,
        "created_at": iso(node.created_at),
        "proof_count": node.proof_count,
    }


def _date(node: Node) -> str | None:
    return iso(node.occurred_start or node.mentioned_at)
