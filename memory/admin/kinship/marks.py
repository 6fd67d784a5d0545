"""How a memory or an entity stands in a drawing and in the table beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.urls import reverse

from memory.admin import badges
from memory.drawing.graphs import Vertex
from memory.levels import Level
from memory.models import Entity, Node

DRAWN: Final = 10  # of one column; the tables say the rest
LISTED: Final = 60


@dataclass(frozen=True, slots=True)
class Relation:
    """A row of the table: what stands at the other end of an edge. An entity has no level."""

    word: Any
    weight: float | None
    level: str
    text: str
    url: str


def vertex(node: Node, *, is_centre: bool = False) -> Vertex:
    return Vertex(
        key=str(node.pk),
        title=title_of(Level(node.level), node.fact_type, node.sha[:8]),
        text=node.said,
        kind=node.level,
        url="" if is_centre else node_url(node.pk),
        is_faded=node.superseded_at is not None,
        is_centre=is_centre,
    )


def title_of(level: Level, fact_type: str, name: str) -> str:
    parts = [f"{level.value} {badges.LEVEL_NAMES[level]}", name]
    if fact_type and level is Level.L1:
        parts.insert(1, str(badges.TYPE_NAMES[fact_type]))
    return " · ".join(parts)


def node_url(node_id: UUID) -> str:
    return reverse("admin:memory_node_change", args=[node_id])


def entity_url(entity: Entity) -> str:
    return reverse("admin:memory_entity_change", args=[entity.pk])
