from __future__ import annotations

from typing import Any

from memory.api.rendering.pages import paged
from memory.api.rendering.times import iso
from memory.browsing.documents import ChunkRow, DocumentRow
from memory.browsing.filters import Page
from memory.models import Document


def document_list(page: Page[DocumentRow], *, query: str) -> dict[str, Any]:
    return paged(page, lambda row: _item(row, query)) | {"total_is_estimate": False}


def _item(row: DocumentRow, query: str) -> dict[str, Any]:
    document = row.document
    return {
        "id": document.name,
        "bank_id": row.bank_name,
        "content_hash": document.content_hash,
        "created_at": iso(document.created_at),
        "updated_at": iso(document.updated_at),
        "text_length": row.text_length,
        "memory_unit_count": row.memories,
        "retain_params": _params(document),
        "document_metadata": document.metadata or None,
        "tags": list(document.tags),
        "matched_fields": _matched(row, query) if query else [],
    }


def _matched(row: DocumentRow, query: str) -> list[str]:
    in_id = query.casefold() in row.document.name.casefold()
    return (["id"] if in_id else []) + (["original_text"] if row.query_in_text else [])


def document(row: DocumentRow) -> dict[str, Any]:
    one = row.document
    return {
        "id": one.name,
        "bank_id": row.bank_name,
        "original_text": one.text,
        "content_hash": one.content_hash,
        "created_at": iso(one.created_at),
        "updated_at": iso(one.updated_at),
        "memory_unit_count": row.memories,
        "nodes_by_fact_type": row.memories_by_type,
        "tags": list(one.tags),
        "document_metadata": one.metadata or None,
        "retain_params": _params(one),
        "observation_scopes": one.observation_scopes,
    }


def _params(one: Document) -> dict[str, Any] | None:
    given = {"context": one.context, "event_date": iso(one.mentioned_at)}
    return {name: value for name, value in given.items() if value} or None


def chunk(row: ChunkRow) -> dict[str, Any]:
    return {
        "chunk_id": row.id,
        "document_id": row.document,
        "bank_id": row.bank_name,
        "chunk_index": row.index,
        "chunk_text": row.text,
        "created_at": iso(row.created_at),
    }


def chunk_list(page: Page[ChunkRow]) -> dict[str, Any]:
    return paged(page, chunk)
