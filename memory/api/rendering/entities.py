from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memory.api.rendering.pages import paged
from memory.api.rendering.times import iso
from memory.browsing.entities import EntityGraph, EntityRow, Pair
from memory.browsing.filters import Page
from memory.browsing.tags import Scope, TagCount
from memory.models import Node


def entity(row: EntityRow) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "canonical_name": row.name,
        "mention_count": row.mentions,
        "first_seen": iso(row.first_seen),
        "last_seen": iso(row.last_seen),
        "metadata": None,
    }


def entity_list(page: Page[EntityRow]) -> dict[str, Any]:
    return paged(page, entity)


def entity_detail(row: EntityRow, observations: Sequence[Node]) -> dict[str, Any]:
    return entity(row) | {
        "observations": [
            {"text": node.text, "mentioned_at": iso(node.mentioned_at)} for node in observations
        ]
    }


def entity_graph(graph: EntityGraph, *, limit: int) -> dict[str, Any]:
    return {
        "nodes": [
            {
                "data": {
                    "id": str(row.id),
                    "label": row.name,
                    "mentionCount": row.mentions,
                    "color": None,
                }
            }
            for row in graph.nodes
        ],
        "edges": [{"data": _edge(pair)} for pair in graph.pairs],
        "total_entities": graph.total_nodes,
        "total_edges": graph.total_pairs,
        "limit": limit,
    }


def _edge(pair: Pair) -> dict[str, Any]:
    return {
        "id": f"{pair.source}:{pair.target}",
        "source": str(pair.source),
        "target": str(pair.target),
        "linkType": "cooccurrence",
        "weight": pair.together,
        "color": None,
        "lineStyle": None,
        "lastCooccurred": iso(pair.last),
    }


def tag_list(page: Page[TagCount]) -> dict[str, Any]:
    return paged(page, lambda one: {"tag": one.tag, "count": one.count})


def scope_list(page: Page[Scope]) -> dict[str, Any]:
    return paged(page, lambda one: {"tags": list(one.tags), "count": one.count}, name="scopes")
