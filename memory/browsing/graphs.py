"""Memories as a graph: the facts, and what connects them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from uuid import UUID

from memory.browsing.filters import page_of
from memory.browsing.memories import MemoryFilter, MemoryRow, filtered, rows
from memory.models import Bank, Edge

_ENTITY_LINKS_EACH = 20  # of one entity: neighbours in a chain, not everybody with everybody
_LINKS_EACH, _MOST_LINKS = 10, 20_000  # for each of the memories asked for, and of a reply


@dataclass(frozen=True, slots=True)
class Link:
    """``entity`` names what both mention; its type is ``entity`` then."""

    id: str
    source: UUID
    target: UUID
    type: str
    weight: float
    entity: str = ""


@dataclass(frozen=True, slots=True)
class MemoryGraph:
    memories: Sequence[MemoryRow]
    links: Sequence[Link]
    total: int
    links_left_out: int = 0


def graph(bank: Bank, wanted: MemoryFilter, *, limit: int) -> MemoryGraph:
    """The newest ``limit`` memories with the edges among them, up to ten for each of the limit.

    Stored edges go before those through an entity, older ones first.
    """
    page = page_of(filtered(bank, wanted), limit=limit, offset=0)
    shown = rows(bank, page.items)
    ids = [row.node.pk for row in shown]
    most = min(_LINKS_EACH * limit, _MOST_LINKS)
    edges = Edge.objects.filter(child_id__in=ids, parent_id__in=ids).order_by("created_at", "pk")
    stored = [
        Link(str(edge.pk), edge.child_id, edge.parent_id, edge.type, edge.weight)
        for edge in edges[:most]
    ]
    number = len(stored) if len(stored) < most else edges.count()
    by_entity = list(_by_entity(shown))
    links = [*stored, *by_entity][:most]
    return MemoryGraph(shown, links, page.total, number + len(by_entity) - len(links))


def _by_entity(shown: Sequence[MemoryRow]) -> Iterator[Link]:
    mentioned: dict[tuple[UUID, str], list[UUID]] = defaultdict(list)
    for row in shown:
        for entity_id, name in zip(row.entity_ids, row.entities, strict=True):
            mentioned[entity_id, name].append(row.node.pk)
    for (entity_id, name), nodes in mentioned.items():
        for source, target in list(pairwise(nodes))[:_ENTITY_LINKS_EACH]:
            yield Link(f"{entity_id}:{source}:{target}", source, target, "entity", 1.0, name)
