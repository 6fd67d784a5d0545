"""Along ``derived_from``: what was made of a memory, and what it was made of, down to raw passages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from memory.admin import badges
from memory.admin.kinship.marks import DRAWN, LISTED, Relation, node_url, title_of, vertex
from memory.attribution import said
from memory.drawing import graphs
from memory.drawing.graphs import Column, Graph, Link, Vertex
from memory.hits import Ancestor
from memory.levels import EdgeType, Level
from memory.models import Edge, Node
from memory.recall import provenance


def shown(node: Node) -> dict[str, Any]:
    walked = provenance.walk([node.pk]).get(node.pk, ())
    ancestors = list({one.id: one for one in walked}.values())
    children = _resting_on(node)
    if not ancestors and not children:
        return {"origin": None, "origin_rows": []}
    return {
        "origin": _drawn(node, walked, ancestors, children),
        "origin_rows": [*_made_into(children), *_made_of(ancestors)],
    }


def _drawn(
    node: Node, walked: Sequence[Ancestor], ancestors: Sequence[Ancestor], children: Sequence[Node]
) -> Graph:
    facts = [one for one in children if one.level == Level.L1]
    observations = [one for one in children if one.level == Level.L2]
    columns = [
        Column(_("Observations on it"), [vertex(one) for one in observations[:DRAWN]]),
        Column(_("Facts taken from it"), [vertex(one) for one in facts[:DRAWN]]),
        Column(_("This memory"), [vertex(node, is_centre=True)]),
        Column(_("Facts it rests on"), _of_level(ancestors, Level.L1)),
        Column(_("Passages"), _of_level(ancestors, Level.L0)),
    ]
    pairs = [*((one.via, one.id) for one in walked), *_pairs_among(node, children)]
    return graphs.layered(columns, [_link(child, parent) for child, parent in pairs])


def _link(child: UUID, parent: UUID) -> Link:
    kind = EdgeType.DERIVED_FROM.value
    word = str(badges.EDGE_NAMES[kind])
    return Link(source=str(child), target=str(parent), label=(word,), kind=kind)


def _made_into(children: Sequence[Node]) -> list[Relation]:
    return [
        Relation(_("is a source of"), None, one.level, one.said, node_url(one.pk))
        for one in children
    ]


def _made_of(ancestors: Sequence[Ancestor]) -> list[Relation]:
    words = {1: str(badges.EDGE_NAMES[EdgeType.DERIVED_FROM])}
    return [
        Relation(
            words.get(one.depth, _("at second hand from")),
            None,
            one.level.value,
            said(one.speaker, one.text),
            node_url(one.id),
        )
        for one in ancestors
    ]


def _of_level(ancestors: Sequence[Ancestor], level: Level) -> list[Vertex]:
    return [
        Vertex(
            key=str(one.id),
            title=title_of(one.level, "", one.document_name or one.sha[:8]),
            text=said(one.speaker, one.text),
            kind=one.level.value,
            url=node_url(one.id),
        )
        for one in ancestors
        if one.level is level
    ][:DRAWN]


def _resting_on(node: Node) -> list[Node]:
    """Facts of a passage with the observations on them; observations on a fact."""
    parents = [node.pk]
    found: dict[UUID, Node] = {}
    for _step in range({Level.L0: 2, Level.L1: 1}.get(Level(node.level), 0)):
        edges = Edge.objects.filter(parent_id__in=parents, type=EdgeType.DERIVED_FROM)
        children = Node.objects.filter(pk__in=edges.values("child_id")).order_by("ordinal", "pk")
        step = list(children[:LISTED])
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
