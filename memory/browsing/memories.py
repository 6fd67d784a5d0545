"""Memories of a bank as a list: facts and observations, current ones or those that lost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from memory.browsing.filters import Page, page_of, tagged
from memory.chunk_ids import ChunkId
from memory.levels import MEMORIES, EdgeType, FactType, Level
from memory.models import (
    Bank,
    ChangeKind,
    Document,
    Edge,
    MemoryChange,
    Node,
    NodeEntity,
)
from memory.tags import TagFilter

_T = TypeVar("_T")
MOST_HISTORY = 50


class State(StrEnum):
    VALID = "valid"
    INVALIDATED = "invalidated"


class ConsolidationState(StrEnum):
    PENDING = "pending"
    DONE = "done"
    FAILED = "failed"


class TimeField(StrEnum):
    """What a list is bounded and ordered by. Memories without a value there are left out."""

    CREATED_AT = "created_at"
    UPDATED_AT = "updated_at"
    MENTIONED_AT = "mentioned_at"
    OCCURRED_START = "occurred_start"
    OCCURRED_END = "occurred_end"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """``start`` is included, ``end`` is not. ``chunk_id`` is that of the L0 node."""

    type: FactType | None = None
    query: str = ""
    state: State | None = State.VALID
    consolidation: ConsolidationState | None = None
    document: str | None = None
    entity_id: UUID | None = None
    chunk_id: UUID | None = None
    tags: TagFilter | None = None
    time_field: TimeField | None = None
    start: datetime | None = None
    end: datetime | None = None


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """A node with the names of what it hangs together with. ``consolidated_at``: of a fact."""

    node: Node
    bank_name: str
    entities: tuple[str, ...] = ()
    document: str | None = None
    chunk_id: str | None = None
    source_ids: tuple[UUID, ...] = ()
    consolidated_at: datetime | None = None
    entity_ids: tuple[UUID, ...] = ()
    edited_at: datetime | None = None
    reason: str | None = None  # why it was invalidated, where somebody said so


def memories_of(bank: Bank) -> QuerySet[Node]:
    return Node.objects.filter(bank_id=bank.pk, level__in=MEMORIES)


def find(bank: Bank, memory_id: UUID) -> Node | None:
    return memories_of(bank).filter(pk=memory_id).first()


def listed(bank: Bank, wanted: MemoryFilter, *, limit: int, offset: int) -> Page[MemoryRow]:
    """Newest first, by the field that was asked for, else by when it was said."""
    found = page_of(filtered(bank, wanted), limit=limit, offset=offset)
    return Page(rows(bank, found.items), found.total, limit, offset)


def filtered(bank: Bank, wanted: MemoryFilter) -> QuerySet[Node]:
    nodes = tagged(memories_of(bank), wanted.tags)
    if wanted.type is not None:
        nodes = nodes.filter(fact_type=wanted.type)
    if wanted.state is not None:
        nodes = nodes.filter(superseded_at__isnull=wanted.state is State.VALID)
    if wanted.query:
        nodes = nodes.filter(
            Q(text__icontains=wanted.query)
            | Q(context__icontains=wanted.query)
            | Q(speaker__icontains=wanted.query)
        )
    if wanted.document is not None:
        documents = Document.objects.filter(bank_id=bank.pk, corpus=None, name=wanted.document)
        nodes = nodes.filter(document_id__in=documents.values("pk"))
    if wanted.chunk_id is not None:
        nodes = nodes.filter(chunk_id=wanted.chunk_id)
    if wanted.entity_id is not None:
        mentions = NodeEntity.objects.filter(node_id=OuterRef("pk"), entity_id=wanted.entity_id)
        nodes = nodes.filter(Exists(mentions))
    if wanted.consolidation is not None:
        nodes = _by_consolidation(nodes, wanted.consolidation)
    return _by_time(nodes, wanted)


def _by_consolidation(nodes: QuerySet[Node], state: ConsolidationState) -> QuerySet[Node]:
    folded = Exists(Edge.objects.filter(parent_id=OuterRef("pk"), type=EdgeType.DERIVED_FROM))
    facts = nodes.filter(level=Level.L1)
    match state:
        case ConsolidationState.DONE:
            return facts.filter(folded)
        case ConsolidationState.PENDING:
            return facts.filter(~folded)
        case ConsolidationState.FAILED:  # a consolidation that fails is tried again as a whole
            return facts.none()


def _by_time(nodes: QuerySet[Node], wanted: MemoryFilter) -> QuerySet[Node]:
    if wanted.time_field is None and wanted.start is None and wanted.end is None:
        return nodes.order_by("-created_at", "pk")
    name = wanted.time_field or TimeField.CREATED_AT
    nodes = nodes.filter(**{f"{name}__isnull": False})
    if wanted.start is not None:
        nodes = nodes.filter(**{f"{name}__gte": wanted.start})
    if wanted.end is not None:
        nodes = nodes.filter(**{f"{name}__lt": wanted.end})
    return nodes.order_by(f"-{name}", "pk")


def rows(bank: Bank, nodes: Sequence[Node]) -> list[MemoryRow]:
    """The nodes with their names, in order. Six queries, however many nodes."""
    names = dict(
        Document.objects.filter(pk__in={node.document_id for node in nodes}).values_list(
            "pk", "name"
        )
    )
    places = dict(
        Node.objects.filter(pk__in={node.chunk_id for node in nodes}).values_list("pk", "ordinal")
    )
    entities = entities_of(nodes)
    sources = sources_of(nodes)
    folded, edited, reasons = _folded(nodes), *_changes(nodes)
    return [
        MemoryRow(
            node=node,
            bank_name=bank.name,
            entities=tuple(name for _, name in entities[node.pk]),
            entity_ids=tuple(entity_id for entity_id, _ in entities[node.pk]),
            document=_of(names, node.document_id),
            chunk_id=_chunk_id(bank, _of(names, node.document_id), _of(places, node.chunk_id)),
            source_ids=tuple(sources[node.pk]),
            consolidated_at=folded.get(node.pk),
            edited_at=edited.get(node.pk),
            reason=reasons.get(node.pk),
        )
        for node in nodes
    ]


def entities_of(nodes: Sequence[Node]) -> Mapping[UUID, list[tuple[UUID, str]]]:
    found: dict[UUID, list[tuple[UUID, str]]] = defaultdict(list)
    mentions = NodeEntity.objects.filter(node_id__in=[node.pk for node in nodes])
    for node_id, entity_id, name in mentions.order_by("entity__name").values_list(
        "node_id", "entity_id", "entity__name"
    ):
        found[node_id].append((entity_id, name))
    return found


def sources_of(nodes: Sequence[Node]) -> Mapping[UUID, list[UUID]]:
    """The facts that observations rest on."""
    found: dict[UUID, list[UUID]] = defaultdict(list)
    observations = [node.pk for node in nodes if node.level == Level.L2]
    edges = Edge.objects.filter(child_id__in=observations, type=EdgeType.DERIVED_FROM)
    for child_id, parent_id in edges.order_by("created_at").values_list("child_id", "parent_id"):
        found[child_id].append(parent_id)
    return found


def _folded(nodes: Sequence[Node]) -> dict[UUID, datetime]:
    """When facts went into an observation last."""
    facts = [node.pk for node in nodes if node.level == Level.L1]
    edges: Any = Edge.objects.filter(
        parent_id__in=facts, parent_level=Level.L1, type=EdgeType.DERIVED_FROM
    )
    return dict(edges.order_by().values_list("parent_id").annotate(at=Max("created_at")))


def _changes(nodes: Sequence[Node]) -> tuple[dict[UUID, datetime], dict[UUID, str]]:
    """When each was edited last, and why it was invalidated last."""
    edited: dict[UUID, datetime] = {}
    reasons: dict[UUID, str] = {}
    changes = MemoryChange.objects.filter(node_id__in=[node.pk for node in nodes])
    for change in changes.order_by("created_at").only("node_id", "kind", "reason", "created_at"):
        if change.kind == ChangeKind.EDITED:
            edited[change.node_id] = change.created_at
        elif change.kind == ChangeKind.INVALIDATED and change.reason:
            reasons[change.node_id] = change.reason
    return edited, reasons


def history(node: Node) -> list[MemoryChange]:
    """Latest first, at most 50."""
    changes = MemoryChange.objects.filter(node_id=node.pk).select_related("changed_by")
    return list(changes.order_by("-created_at", "pk")[:MOST_HISTORY])


def _of(found: Mapping[UUID, _T], key: UUID | None) -> _T | None:
    return None if key is None else found.get(key)


def _chunk_id(bank: Bank, document: str | None, ordinal: int | None) -> str | None:
    if document is None or ordinal is None:
        return None
    return str(ChunkId(bank.name, document, ordinal))
