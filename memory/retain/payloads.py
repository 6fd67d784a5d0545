"""Items as JSON: what an operation keeps of them until they are retained. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from memory.facts.records import Mention
from memory.language.text import clean_json, clean_text
from memory.retain.items import RetainItem, ScopeRule, UpdateMode


def to_json(items: Sequence[RetainItem], document_tags: Sequence[str] = ()) -> dict[str, Any]:
    """Without NUL and half surrogates, which the database cannot hold."""
    return clean_json(
        {"items": [_item(item) for item in items], "document_tags": list(document_tags)}
    )


def from_json(payload: dict[str, Any]) -> tuple[list[RetainItem], tuple[str, ...]]:
    return [_read(item) for item in payload["items"]], tuple(payload["document_tags"])


def without_content(payload: dict[str, Any], numbers: Collection[int]) -> dict[str, Any]:
    """Of the items at these places only the documents' names are left; nobody sends empty content."""
    items = [
        _item(RetainItem(content="", document_name=item["document_name"]))
        if number in numbers
        else item
        for number, item in enumerate(payload["items"])
    ]
    return {**payload, "items": items}


def grouped(items: Sequence[RetainItem], most: int) -> list[list[RetainItem]]:
    """Batches of about ``most`` items, in which the items of one document stay together."""
    groups: dict[str, list[RetainItem]] = {}
    for number, item in enumerate(items):
        name = item.document_name
        key = f"n{clean_text(name)}" if name is not None else f"i{number}"
        groups.setdefault(key, []).append(item)
    batches: list[list[RetainItem]] = []
    for group in groups.values():
        if not batches or len(batches[-1]) + len(group) > most:
            batches.append([])
        batches[-1] += group
    return batches


def _item(item: RetainItem) -> dict[str, Any]:
    timestamp = item.timestamp
    content = item.content
    return {
        "content": content if isinstance(content, str) else [_block(block) for block in content],
        "timestamp": timestamp.isoformat() if isinstance(timestamp, datetime) else timestamp,
        "context": item.context,
        "metadata": dict(item.metadata),
        "document_name": item.document_name,
        "tags": list(item.tags),
        "entities": [{"name": one.name, "kind": one.kind} for one in item.entities],
        "resolve_entities": item.resolve_entities,
        "update_mode": item.update_mode.value,
        "observation_scopes": (
            item.observation_scopes.value
            if isinstance(item.observation_scopes, ScopeRule)
            else [list(scope) for scope in item.observation_scopes]
        ),
    }


def _block(block: Any) -> dict[str, Any]:
    return {
        key: value.isoformat() if isinstance(value, datetime) else value
        for key, value in block.items()
    }


def _read(stored: dict[str, Any]) -> RetainItem:
    scopes = stored["observation_scopes"]
    return RetainItem(
        content=stored["content"],
        timestamp=stored["timestamp"],
        context=stored["context"],
        metadata=stored["metadata"],
        document_name=stored["document_name"],
        tags=tuple(stored["tags"]),
        entities=tuple(Mention(one["name"], one["kind"]) for one in stored["entities"]),
        resolve_entities=stored["resolve_entities"],
        update_mode=UpdateMode(stored["update_mode"]),
        observation_scopes=(
            ScopeRule(scopes) if isinstance(scopes, str) else tuple(map(tuple, scopes))
        ),
    )
