from __future__ import annotations

from typing import Any
from uuid import UUID

from memory.api.rendering.times import iso
from memory.levels import FactType
from memory.retain.items import Retained
from memory.trying import Tried
from memory.types import Usage


def usage(spent: Usage) -> dict[str, int]:
    return {
        "input_tokens": spent.prompt_tokens,
        "output_tokens": spent.completion_tokens,
        "total_tokens": spent.prompt_tokens + spent.completion_tokens,
        "cached_tokens": 0,
        "thoughts_tokens": 0,
    }


def retained(bank_name: str, items: int, done: Retained) -> dict[str, Any]:
    return {
        "success": True,
        "bank_id": bank_name,
        "items_count": items,
        "async": False,
        "operation_id": None,
        "operation_ids": None,
        "usage": usage(done.usage),
        "document_ids": [document.name for document in done.documents],
        "memory_ids": [str(fact_id) for fact_id in done.fact_ids],
        "failures": list(done.failures),
    }


def submitted(bank_name: str, items: int, operation_id: UUID) -> dict[str, Any]:
    return {
        "success": True,
        "bank_id": bank_name,
        "items_count": items,
        "async": True,
        "operation_id": str(operation_id),
        "operation_ids": [str(operation_id)],
        "usage": None,
        "document_ids": None,
        "memory_ids": None,
        "failures": [],
    }


def tried(found: Tried) -> dict[str, Any]:
    counts = [0] * len(found.passages)
    for passage, _ in found.facts:
        counts[passage] += 1
    return {
        "facts": [
            {
                "text": fact.text,
                "fact_type": (FactType.EXPERIENCE if fact.is_experience else FactType.WORLD).value,
                "occurred_start": iso(fact.occurred[0]) if fact.occurred else None,
                "occurred_end": iso(fact.occurred[1]) if fact.occurred else None,
                "entities": [mention.name for mention in fact.mentions],
                "chunk_index": passage,
            }
            for passage, fact in found.facts
        ],
        "chunks": [
            {"text": text, "fact_count": count}
            for text, count in zip(found.passages, counts, strict=True)
        ],
        "usage": usage(found.usage),
    }
