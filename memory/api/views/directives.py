"""Directives over HTTP: rules for answers."""

from __future__ import annotations

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from memory import directives
from memory.api.base import MemoryView, body_of, query_of, stated, tags_of
from memory.api.describing import operation, reply
from memory.api.examples import directives as examples
from memory.api.rendering import directives as rendering
from memory.api.shapes.directives import (
    DirectiveChangeSerializer,
    DirectiveListQuery,
    DirectiveListSerializer,
    DirectiveSerializer,
    NewDirectiveSerializer,
    RemovedSerializer,
)
from memory.browsing.filters import page_of_list

TAG = "Directives"
_ONE = reply(DirectiveSerializer, "The directive.", {"Directive": examples.DIRECTIVE})


class DirectiveListView(MemoryView):
    @operation(
        "memory_directives_list",
        "List directives",
        tag=TAG,
        query=DirectiveListQuery,
        replies={200: reply(DirectiveListSerializer, "Directives.", {"List": examples.DIRECTIVES})},
    )
    def get(self, request: Request, bank_id: str) -> Response:
        """Highest priority first. Those that are switched off with ``active_only=false``."""
        wanted = query_of(request, DirectiveListQuery)
        bank = self.bank(bank_id)
        scope = tags_of(bank, wanted)
        found = directives.listed(bank, scope, active_only=wanted["active_only"])
        page = page_of_list(found, limit=wanted["limit"], offset=wanted["offset"])
        return Response(rendering.directive_list(bank, page))

    @operation(
        "memory_directives_create",
        "Make a directive",
        tag=TAG,
        request=NewDirectiveSerializer,
        request_example=examples.NEW,
        replies={200: _ONE},
    )
    def post(self, request: Request, bank_id: str) -> Response:
        """Answers that a language model writes must keep it. Tags narrow where it applies."""
        given = body_of(request, NewDirectiveSerializer)
        bank = self.bank(bank_id)
        return Response(rendering.directive(bank, directives.create(bank, stated(given))))


class DirectiveView(MemoryView):
    @operation("memory_directives_read", "Read a directive", tag=TAG, replies={200: _ONE})
    def get(self, request: Request, bank_id: str, directive_id: UUID) -> Response:
        bank = self.bank(bank_id)
        return Response(rendering.directive(bank, directives.find(bank, directive_id)))

    @operation(
        "memory_directives_change",
        "Change a directive",
        tag=TAG,
        request=DirectiveChangeSerializer,
        request_example=examples.CHANGE,
        replies={200: _ONE},
    )
    def patch(self, request: Request, bank_id: str, directive_id: UUID) -> Response:
        given = body_of(request, DirectiveChangeSerializer)
        bank = self.bank(bank_id)
        row = directives.change(directives.find(bank, directive_id), stated(given))
        return Response(rendering.directive(bank, row))

    @operation(
        "memory_directives_delete",
        "Remove a directive",
        tag=TAG,
        replies={200: reply(RemovedSerializer, "Gone.", {"Removed": examples.REMOVED})},
    )
    def delete(self, request: Request, bank_id: str, directive_id: UUID) -> Response:
        directives.delete(directives.find(self.bank(bank_id), directive_id))
        return Response({"success": True, "message": "The directive was removed."})
