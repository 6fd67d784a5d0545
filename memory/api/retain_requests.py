"""Items of the retain endpoint as retain takes them, and as an operation keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memory.facts.records import Mention, MentionKind
from memory.retain.items import RetainItem, ScopeRule, UpdateMode


def retain_items(
    given: Sequence[Mapping[str, Any]], *, default_scopes: Any = None
) -> list[RetainItem]:
    """``default_scopes``: the bank's, where an item names none."""
    return [_item(one, default_scopes) for one in given]


def dry_item(given: Mapping[str, Any]) -> RetainItem:
    return RetainItem(
        content=given["content"],
        timestamp=given.get("timestamp"),
        context=given.get("context") or "",
    )


def _item(given: Mapping[str, Any], default_scopes: Any) -> RetainItem:
    resolves = given.get("resolve_entities") is not False
    scopes = given.get("observation_scopes")
    if scopes is None:
        scopes = default_scopes or ScopeRule.COMBINED
    return RetainItem(
        content=given["content"],
        timestamp=given.get("timestamp"),
        context=given.get("context") or "",
        metadata=given.get("metadata") or {},
        document_name=given.get("document_id"),
        tags=tuple(given.get("tags") or ()),
        entities=tuple(
            Mention(one["text"], one.get("type") or MentionKind.NAME, resolves)
            for one in given.get("entities") or ()
        ),
        resolve_entities=resolves,
        update_mode=UpdateMode(given.get("update_mode") or UpdateMode.REPLACE),
        observation_scopes=scopes,
    )
