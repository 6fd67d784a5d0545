"""What a memory hangs together with, as two drawings and the tables that say the same.

Provenance runs along ``derived_from``: to the left what was made of it, to the right what it was
made of, down to raw passages. The neighbourhood is every other edge, and the entities.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db.models import Q
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from memory.admin import badges
from memory.drawing import graphs
from memory.drawing.graphs import Column, Graph, Link, Vertex
from memory.hits import Ancestor
from memory.levels import EdgeType, Level
from memory.models import Edge, Entity, Node, NodeEntity
from memory.recall import provenance

_DRAWN: Final = 10  # of one column; the tables say the rest
_LISTED: Final = 60
_MUTUAL: Final = (EdgeType.SEMANTIC, EdgeType.TEMPORAL)


@dataclass(frozen=True, slots=True)
class Relation:
    """A row of the table: what stands at the other end of an edge. An entity has no level."""

    word: Any
    weight: float | None
    level: str
    text: str
    url: str


@dataclass(frozen=True, slots=True)
class _Tie:
    """One or more edges in one direction between the memory and ``other``."""

    other: Node
    is_outward: bool
    label: Sequence[str]
    kind: str


def pictures(node: Node) -> dict[str, Any]:
    """Seven queries at most."""
    origin, origin_rows = _provenance(node)
    around, entities = _edges(node), _entities(node)
    return {
        "origin": origin,
        "origin_rows": origin_rows,
        "around": _neighbourhood(node, around, entities),
        "around_rows": [
            *(
                Relation(
                    _sentence(edge, node),
                    edge.weight,
                    _other(edge, node).level,
                    _other(edge, node).text,
                    _url(_other(edge, node).pk),
                )
                for edge in around
            ),
            *(
                Relation(_("mentions"), None, "", entity.name, _entity_url(entity))
                for entity in entities
            ),
        ],
        "around_hidden": max(len(around) - _DRAWN, 0) + max(len(entities) - _DRAWN, 0),
    }


def _provenance(node: Node) -> tuple[Graph | None, list[Relation]]:
    walked = provenance.walk([node.pk]).get(node.pk, ())
    ancestors = list({one.id: one for one in walked}.values())
    children = _resting_on(node)
    if not ancestors and not children:
        return None, []
    word = str(badges.EDGE_NAMES[EdgeType.DERIVED_FROM])
    facts = [one for one in children if one.level == Level.L1]
    observations = [one for one in children if one.level == Level.L2]
    columns = [
        Column(_("Observations on it"), [_vertex(one) for one in observations[:_DRAWN]]),
        Column(_("Facts taken from it"), [_vertex(one) for one in facts[:_DRAWN]]),
        Column(_("This memory"), [_vertex(node, is_centre=True)]),
        Column(_("Facts it rests on"), _of_level(ancestors, Level.L1)),
        Column(_("Passages"), _of_level(ancestors, Level.L0)),
    ]
    pairs = [
        *((one.via, one.id) for one in walked),
        *_pairs_among(node, children),
    ]
    links = [
        Link(source=str(child), target=str(parent), label=(word,), kind=EdgeType.DERIVED_FROM.value)
        for child, parent in pairs
    ]
    made_into = [
        Relation(_("is a source of"), None, one.level, one.text, _url(one.pk)) for one in children
    ]
    made_of = [
        Relation(
            word if one.depth == 1 else _("at second hand from"),
            None,
            one.level.value,
            one.text,
            _url(one.id),
        )
        for one in ancestors
    ]
    return graphs.layered(columns, links), [*made_into, *made_of]


def _of_level(ancestors: Sequence[Ancestor], level: Level) -> list[Vertex]:
    return [
        Vertex(
            key=str(one.id),
            title=_title(one.level, "", one.document_name or one.sha[:8]),
            text=one.text,
            kind=one.level.value,
            url=_url(one.id),
        )
        for one in ancestors
        if one.level is level
    ][:_DRAWN]


def _resting_on(node: Node) -> list[Node]:
    """Facts of a passage with the observations on them; observations on a fact."""
    parents = [node.pk]
    found: dict[UUID, Node] = {}
    for _step in range({Level.L0: 2, Level.L1: 1}.get(Level(node.level), 0)):
        edges = Edge.objects.filter(parent_id__in=parents, type=EdgeType.DERIVED_FROM)
        children = Node.objects.filter(pk__in=edges.values("child_id")).order_by("ordinal", "pk")
        step = list(children[:_LISTED])
        found |= {one.pk: one for one in step}
        parents = [one.pk for one in step]
    return list(found.values())


def _pairs_among(node: Node, children: Sequence[Node]) -> list[tuple[UUID, UUID]]:
    if not children:
        return []
    ids = [node.pk, *(one.pk for one in children)]
    edges = Edge.objects.filter(
        child_id__in=ids, parent_id__in=ids, type=EdgeType.DERIVED_FROM
    ).order_by("created_at", "pk")
    return list(edges.values_list("child_id", "parent_id"))


def _edges(node: Node) -> list[Edge]:
    """Every edge but those of provenance, telling ones first, then by weight."""
    edges = (
        Edge.objects.filter(Q(child_id=node.pk) | Q(parent_id=node.pk))
        .exclude(type=EdgeType.DERIVED_FROM)
        .select_related("child", "parent")
    )
    kinds = [*EdgeType][::-1]  # what supersedes and contradicts comes first
    ordered = sorted(edges, key=lambda edge: (kinds.index(EdgeType(edge.type)), -edge.weight))
    return ordered[:_LISTED]


def _entities(node: Node) -> list[Entity]:
    mentioned = NodeEntity.objects.filter(node_id=node.pk).values("entity_id")
    return list(Entity.objects.filter(pk__in=mentioned).order_by("name", "pk")[:_LISTED])


def _neighbourhood(node: Node, edges: Sequence[Edge], entities: Sequence[Entity]) -> Graph | None:
    ties = _ties(node, edges)[:_DRAWN]
    if not ties and not entities:
        return None
    centre = str(node.pk)
    columns = [
        Column(
            _("Entities"),
            [
                Vertex(
                    key=str(entity.pk),
                    title=entity.name,
                    kind="entity",
                    url=_entity_url(entity),
                )
                for entity in entities[:_DRAWN]
            ],
        ),
        Column(_("This memory"), [_vertex(node, is_centre=True)]),
        Column(
            _("Memories"), [_vertex(one) for one in {t.other.pk: t.other for t in ties}.values()]
        ),
    ]
    links = [
        Link(source=centre, target=str(entity.pk), label=(_("mentions"),), kind="mentions")
        for entity in entities[:_DRAWN]
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


def _sentence(edge: Edge, node: Node) -> Promise | str:
    """From this memory's side."""
    word = badges.EDGE_NAMES[edge.type]
    if edge.child_id == node.pk or edge.type in _MUTUAL:
        return word
    return _("from there: %(relation)s") % {"relation": word}


def _vertex(node: Node, *, is_centre: bool = False) -> Vertex:
    return Vertex(
        key=str(node.pk),
        title=_title(Level(node.level), node.fact_type, node.sha[:8]),
        text=node.text,
        kind=node.level,
        url="" if is_centre else _url(node.pk),
        is_faded=node.superseded_at is not None,
        is_centre=is_centre,
    )


def _title(level: Level, fact_type: str, name: str) -> str:
    parts = [f"{level.value} {badges.LEVEL_NAMES[level]}", name]
    if fact_type and level is Level.L1:
        parts.insert(1, str(badges.TYPE_NAMES[fact_type]))
    return " · ".join(parts)


def _url(node_id: UUID) -> str:
    return reverse("admin:memory_node_change", args=[node_id])


def _entity_url(entity: Entity) -> str:
    return reverse("admin:memory_entity_change", args=[entity.pk])
