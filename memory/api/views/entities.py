"""Entities, tags and the scopes of observations over HTTP."""

from __future__ import annotations

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.base import MemoryView, query_of, tags_of
from memory.api.describing import operation, reply
from memory.api.errors import Missing
from memory.api.examples import entities as examples
from memory.api.rendering import entities as rendering
from memory.api.shapes.entities import (
    EntityDetailSerializer,
    EntityGraphQuery,
    EntityGraphSerializer,
    EntityListQuery,
    EntityListSerializer,
    ScopeListQuery,
    ScopeListSerializer,
    TagListQuery,
    TagListSerializer,
)
from memory.api.shapes.queries import GroupedQuery
from memory.browsing import entities, tags

TAG = "Entities and tags"


class EntityListView(MemoryView):
    @operation(
        "memory_entities_list",
        "List entities",
        tag=TAG,
        query=EntityListQuery,
        replies={200: reply(EntityListSerializer, "Entities.", {"Entities": examples.ENTITIES})},
    )
    def get(self, request: Request, bank_id: str) -> Response:
        """Most mentioned first."""
        wanted = query_of(request, EntityListQuery)
        bank = self.bank(bank_id)
        page = entities.listed(
            bank, tags_of(bank, wanted), limit=wanted["limit"], offset=wanted["offset"]
        )
        return Response(rendering.entity_list(page))


class EntityView(MemoryView):
    @operation(
        "memory_entities_read",
        "Read an entity",
        tag=TAG,
        query=GroupedQuery,
        replies={
            200: reply(EntityDetailSerializer, "The entity.", {"Entity": examples.ENTITY_DETAIL})
        },
    )
    def get(self, request: Request, bank_id: str, entity_id: UUID) -> Response:
        """With the observations that mention it."""
        wanted = query_of(request, GroupedQuery)
        bank = self.bank(bank_id)
        scope = tags_of(bank, wanted)
        row = entities.find(bank, entity_id, scope)
        if row is None:
            raise Missing("There is no entity of this id in the bank.")
        observations = entities.observations_about(bank, entity_id, scope)
        return Response(rendering.entity_detail(row, observations))


class EntityGraphView(MemoryView):
    @operation(
        "memory_entities_graph",
        "See who is mentioned together",
        tag=TAG,
        query=EntityGraphQuery,
        replies={200: reply(EntityGraphSerializer, "A graph.", {"Graph": examples.ENTITY_GRAPH})},
    )
    def get(self, request: Request, bank_id: str) -> Response:
        """The strongest pairs first."""
        wanted = query_of(request, EntityGraphQuery)
        bank = self.bank(bank_id)
        found = entities.graph(
            bank, tags_of(bank, wanted), limit=wanted["limit"], least=wanted["min_count"]
        )
        return Response(rendering.entity_graph(found, limit=wanted["limit"]))


class TagListView(MemoryView):
    @operation(
        "memory_tags_list",
        "List tags",
        tag=TAG,
        query=TagListQuery,
        replies={200: reply(TagListSerializer, "Tags.", {"Tags": examples.TAGS})},
    )
    def get(self, request: Request, bank_id: str) -> Response:
        """Most used first."""
        wanted = query_of(request, TagListQuery)
        bank = self.bank(bank_id)
        of = tags.of_memories if wanted["source"] == "memories" else tags.of_mental_models
        page = of(bank, pattern=wanted.get("q", ""), limit=wanted["limit"], offset=wanted["offset"])
        return Response(rendering.tag_list(page))


class ScopeListView(MemoryView):
    @operation(
        "memory_scopes_list",
        "List the scopes of observations",
        tag=TAG,
        query=ScopeListQuery,
        replies={200: reply(ScopeListSerializer, "Sets of tags.", {"Scopes": examples.SCOPES})},
    )
    def get(self, request: Request, bank_id: str) -> Response:
        """Each a set of tags that observations are kept under; the empty one is everybody's."""
        wanted = query_of(request, ScopeListQuery)
        bank = self.bank(bank_id)
        page = tags.scopes_of_observations(bank, limit=wanted["limit"], offset=wanted["offset"])
        return Response(rendering.scope_list(page))
