"""Memories over HTTP: lists, one of them, correcting and removing them, and the graph of them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from memory import bank_settings, curating, operations, tenancy
from memory.api.base import MemoryView, body_of, query_of, tags_of
from memory.api.describing import operation, reply
from memory.api.examples import memories as examples
from memory.api.rendering import memories as rendering
from memory.api.rendering.banks import deleted
from memory.api.shapes.banks import DeletedSerializer
from memory.api.shapes.memories import (
    ClearedObservationsSerializer,
    GraphQuery,
    MemoryChangeSerializer,
    MemoryDetailSerializer,
    MemoryGraphSerializer,
    MemoryHistorySerializer,
    MemoryListQuery,
    MemoryListSerializer,
)
from memory.browsing import documents, graphs, memories
from memory.browsing.memories import ConsolidationState, MemoryFilter, State, TimeField
from memory.chunk_ids import parse
from memory.curating import MemoryEdit
from memory.errors import MemoryNotFound
from memory.levels import FactType
from memory.models import Bank, Node
from memory.rest.permissions import member_of
from memory.retain import changing

TAG = "Memories"
_TIMES = ("occurred_start", "occurred_end", "mentioned_at")
_NONE = UUID(int=0)  # no node has it


class MemoryListView(MemoryView):
    @operation(
        "memory_list",
        "List memories",
        tag=TAG,
        query=MemoryListQuery,
        replies={200: reply(MemoryListSerializer, "Memories.", {"Memories": examples.MEMORIES})},
    )
    def get(self, request: Request, bank_id: str) -> Response:
        """Facts and observations, newest first. Without ``state``: those that hold."""
        wanted = query_of(request, MemoryListQuery)
        bank = self.bank(bank_id)
        page = memories.listed(
            bank, _filter(bank, wanted), limit=wanted["limit"], offset=wanted["offset"]
        )
        return Response(rendering.memory_list(page))


class OneMemoryView(MemoryView):
    @operation(
        "memory_read",
        "Read a memory",
        tag=TAG,
        replies={
            200: reply(MemoryDetailSerializer, "The memory.", {"Memory": examples.MEMORY_DETAIL})
        },
    )
    def get(self, request: Request, bank_id: str, memory_id: UUID) -> Response:
        with tenancy.scope(member_of(request).tenant_id):
            bank = self.bank(bank_id)
            return Response(_detail(bank, memory_of(bank, memory_id)))

    @operation(
        "memory_change",
        "Correct a memory",
        tag=TAG,
        request=MemoryChangeSerializer,
        request_example=examples.CHANGE,
        replies={
            200: reply(MemoryDetailSerializer, "The memory.", {"Memory": examples.MEMORY_DETAIL})
        },
    )
    def patch(self, request: Request, bank_id: str, memory_id: UUID) -> Response:
        """It is found by its new words at once. What it said before stays in its history."""
        given = body_of(request, MemoryChangeSerializer)
        member = member_of(request)
        with tenancy.scope(member.tenant_id):
            bank = self.bank(bank_id)
            memory_of(bank, memory_id)
        curating.change(
            bank.pk,
            memory_id,
            _edit(given),
            tenant_id=member.tenant_id,
            changed_by=member.user_id,
        )
        with tenancy.scope(member.tenant_id):
            return Response(_detail(bank, memory_of(bank, memory_id)))


class MemoryHistoryView(MemoryView):
    @operation(
        "memory_history",
        "See what a memory said before",
        tag=TAG,
        replies={
            200: reply(MemoryHistorySerializer, "Latest first.", {"History": examples.HISTORY})
        },
    )
    def get(self, request: Request, bank_id: str, memory_id: UUID) -> Response:
        """At most 50 changes."""
        node = memory_of(self.bank(bank_id), memory_id)
        return Response(rendering.history(node, memories.history(node)))


class MemoryObservationsView(MemoryView):
    @operation(
        "memory_clear_observations",
        "Remove the observations that rest on a memory",
        tag=TAG,
        replies={
            200: reply(ClearedObservationsSerializer, "How many.", {"Removed": examples.CLEARED})
        },
    )
    def delete(self, request: Request, bank_id: str, memory_id: UUID) -> Response:
        """A consolidation that makes them anew is taken on, unless the bank makes none of its own accord."""
        bank = self.bank(bank_id)
        removed = changing.delete_observations_of(bank.pk, memory_id)
        if removed and bank_settings.resolved(bank)["enable_auto_consolidation"]:
            operations.submit_consolidation(
                bank.pk, {"scopes": None}, actor=member_of(request).user
            )
        return Response({"deleted_count": removed})


class ObservationsView(MemoryView):
    @operation(
        "memory_observations_delete",
        "Remove a bank's observations",
        tag=TAG,
        replies={200: reply(DeletedSerializer, "How many.", {"Removed": examples.DELETED})},
    )
    def delete(self, request: Request, bank_id: str) -> Response:
        """For its owner and admins. The next consolidation makes them anew."""
        bank = self.own_bank(bank_id)
        return removed(changing.delete_memories(bank.pk, [FactType.OBSERVATION]))


class GraphView(MemoryView):
    @operation(
        "memory_graph",
        "See memories as a graph",
        tag=TAG,
        query=GraphQuery,
        replies={200: reply(MemoryGraphSerializer, "A graph.", {"Graph": examples.GRAPH})},
    )
    def get(self, request: Request, bank_id: str) -> Response:
        """The newest memories, the edges among them, and who is mentioned in several."""
        wanted = query_of(request, GraphQuery)
        bank = self.bank(bank_id)
        found = graphs.graph(bank, _filter(bank, wanted), limit=wanted["limit"])
        return Response(rendering.graph(found, limit=wanted["limit"]))


def memory_of(bank: Bank, memory_id: UUID) -> Node:
    node = memories.find(bank, memory_id)
    if node is None:
        raise MemoryNotFound(str(memory_id))
    return node


def _detail(bank: Bank, node: Node) -> dict[str, Any]:
    [row] = memories.rows(bank, [node])
    return rendering.memory_detail(row)


def removed(count: int) -> Response:
    return Response(deleted(f"{count} memories were removed.", count))


def _filter(bank: Bank, wanted: dict[str, Any]) -> MemoryFilter:
    return MemoryFilter(
        type=FactType(wanted["type"]) if "type" in wanted else None,
        query=wanted.get("q", ""),
        state=State(wanted.get("state", State.VALID)),
        consolidation=ConsolidationState(wanted["consolidation_state"])
        if "consolidation_state" in wanted
        else None,
        document=wanted.get("document_id"),
        entity_id=wanted.get("entity_id"),
        chunk_id=_chunk(bank, wanted["chunk_id"]) if "chunk_id" in wanted else None,
        tags=tags_of(bank, wanted),
        time_field=TimeField(wanted["time_field"]) if "time_field" in wanted else None,
        start=wanted.get("start_date"),
        end=wanted.get("end_date"),
    )


def _chunk(bank: Bank, given: str) -> UUID:
    """The node of a chunk's id in the caller's form; an id that no chunk has finds nothing."""
    chunk_id = parse(given)
    found = documents.chunk_node(bank, chunk_id) if chunk_id is not None else None
    return found.pk if found is not None else _NONE


def _edit(given: dict[str, Any]) -> MemoryEdit:
    state = given.get("state")
    named = given.get("entities")
    kind = given.get("fact_type")
    return MemoryEdit(
        text=given.get("text"),
        context=given.get("context"),
        times={name: given[name] for name in _TIMES if given.get(name) is not None},
        fact_type=FactType(kind) if kind is not None else None,
        entities=tuple(named) if named is not None else None,
        resolve_entities=given.get("resolve_entities") is not False,
        is_valid=None if state is None else state == State.VALID,
        reason=given.get("reason") or "",
    )
