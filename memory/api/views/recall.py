"""Recall over HTTP. It opens short scopes of its own: none is held while a model thinks."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from memory import tenancy
from memory.api.base import MayReadMemory, MemoryView, body_of
from memory.api.describing import operation, reply
from memory.api.examples import recall as examples
from memory.api.recall_requests import recall_request
from memory.api.rendering import recall as rendering
from memory.api.shapes.recall import RecallReplySerializer, RecallSerializer
from memory.hits import Recalled
from memory.levels import Level
from memory.recall import engine
from memory.rest.permissions import IsMember, member_of

NOTHING = Recalled(hits=(), reranker="", floor=None, best_score=None, abstained=False)


class RecallView(MemoryView):
    permission_classes = [IsMember, MayReadMemory]

    @operation(
        "memory_recall",
        "Recall memories",
        tag="Memories",
        request=RecallSerializer,
        request_example=examples.REQUEST,
        replies={
            200: reply(
                RecallReplySerializer,
                "The memories, best first.",
                {"Memories": examples.REPLY, "Abstained": examples.ABSTAINED},
            )
        },
    )
    def post(self, request: Request, bank_id: str) -> Response:
        """Four ways of finding are fused and reranked. ``tags`` narrow before anything is found."""
        given = body_of(request, RecallSerializer)
        tenant_id = member_of(request).tenant_id
        with tenancy.scope(tenant_id):
            wanted = recall_request(self.bank(bank_id), given)
        found = NOTHING if wanted is None else engine.recall_as(tenant_id, wanted)
        levels: tuple[Level, ...] = () if wanted is None else wanted.levels
        return Response(rendering.recalled(found, levels=levels, min_score=given.get("min_score")))
