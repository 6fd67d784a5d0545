"""Every edge of a memory but those of provenance, and the entities that it mentions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from memory.admin import badges
from memory.admin.kinship.marks import DRAWN, LISTED, Relation, entity_url, node_url, vertex
from memory.drawing import graphs
from memory.drawing.graphs import Column, Graph, Link, Vertex
from memory.levels import EdgeType
from memory.models import Edge, Entity, Node, NodeEntity

_MUTUAL: Final = (EdgeType.SEMANTIC, EdgeType.TEMPORAL)


@dataclass(frozen=True, slots=True)
class _Tie:
    """One or more edges in one direction between the memory and ``other``."""

    other: Node
    is_outward: bool
    label: Sequence[str]
    kind: str


def shown(node: Node) -> dict[str, Any]:
    edges, entities = _edges(node), _entities(node)
    return {
        "around": _drawn(node, edges, entities),
        "around_rows": [
            *(_relation(edge, node) for edge in edges),
            *(
                Relation(_("mentions"), None, "", entity.name, entity_url(entity))
                for entity in entities
            ),
        ],
        "around_hidden": max(len(edges) - DRAWN, 0) + max(len(entities) - DRAWN, 0),
    }


def _edges(node: Node) -> list[Edge]:
    """Every edge but those of provenance, telling ones first, then by weight."""
    edges = (
        Edge.objects.filter(Q(child_id=node.pk) | Q(parent_id=node.pk))
        .exclude(type=EdgeType.DERIVED_FROM)
        .select_related("child", "parent")
    )
    kinds = [*EdgeType][::-1]  # what supersedes and contradicts comes first
    ordered = sorted(edges, key=lambda edge: (kinds.index(EdgeType(edge.type)), -edge.weight))
    return ordered[:LISTED]


def _entities(node: Node) -> list[Entity]:
    mentioned = NodeEntity.objects.filter(node_id=node.pk).values("entity_id")
    return list(Entity.objects.filter(pk__in=mentioned).order_by("name", "pk")[:LISTED])


def _drawn(node: Node, edges: Sequence[Edge], entities: Sequence[Entity]) -> Graph | None:
    entities = entities[:DRAWN]
    ties = _ties(node, edges)[:DRAWN]
    if not ties and not entities:
        return None
    others = {tie.other.pk: tie.other for tie in ties}.values()
    columns = [
        Column(_("Entities"), [_entity_vertex(entity) for entity in entities]),
        Column(_("This memory"), [vertex(node, is_centre=True)]),
        Column(_("Memories"), [vertex(one) for one in others]),
    ]
    centre = str(node.pk)
    links = [
        Link(source=centre, target=str(entity.pk), label=(_("mentions"),), kind="mentions")
        for entity in entities
    ]
    links += [
        Link(
            source=centre if tie.is_outward else str(tie.other.pk),
            target=str(tie.other.pk) if tie.is_outward else centre,
            label=tie.label,
            kind=tie.kind,
            is_mutual=tie.kind in _MUTUAL,
        )
        for tie in ties
    ]
    return graphs.layered(columns, links)


def _entity_vertex(entity: Entity) -> Vertex:
    return Vertex(key=str(entity.pk), title=entity.name, kind="entity", url=entity_url(entity))


def _ties(node: Node, edges: Iterable[Edge]) -> list[_Tie]:
    """Edges between the same two in the same direction are one arrow with all their words; what is
    mutual goes along with any of them."""
    grouped: dict[tuple[UUID, bool], list[Edge]] = {}
    for edge in edges:
        key = _other(edge, node).pk, edge.child_id == node.pk
        back = key[0], not key[1]
        if edge.type in _MUTUAL and key not in grouped and back in grouped:
            key = back
        grouped.setdefault(key, []).append(edge)
    return [
        _Tie(_other(some[0], node), is_outward, [_label(edge) for edge in some], some[0].type)
        for (_other_id, is_outward), some in grouped.items()
    ]


def _other(edge: Edge, node: Node) -> Node:
    other: Node = edge.parent if edge.child_id == node.pk else edge.child
    return other


def _label(edge: Edge) -> str:
    word = str(badges.EDGE_NAMES[edge.type])
    return f"{word} {edge.weight:.2f}" if edge.weight < 1 else word


def _relation(edge: Edge, node: Node) -> Relation:
    other = _other(edge, node)
    return Relation(_sentence(edge, node), edge.weight, other.level, other.said, node_url(other.pk))


def _sentence(edge: Edge, node: Node) -> Promise | str:
    """From this memory's side."""
    word = badges.EDGE_NAMES[edge.type]
    if edge.child_id == node.pk or edge.type in _MUTUAL:
        return word
    return _("from there: %(relation)s") % {"relation": word}
