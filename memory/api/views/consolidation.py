"""Consolidation over HTTP."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from memory import operations
from memory.api.base import MemoryView, body_of
from memory.api.describing import operation, reply
from memory.api.examples import retain as examples
from memory.api.shapes.consolidation import (
    ConsolidateSerializer,
    ConsolidationSerializer,
    RecoveredSerializer,
)
from memory.models import Operation, OperationStatus, OperationType
from memory.rest.permissions import member_of
from memory.retain import wanted


class ConsolidateView(MemoryView):
    @operation(
        "memory_consolidate",
        "Make observations of facts",
        tag="Memories",
        request=ConsolidateSerializer,
        request_example=examples.CONSOLIDATE,
        replies={
            200: reply(ConsolidationSerializer, "Taken on.", {"Taken on": examples.CONSOLIDATING})
        },
    )
    def post(self, request: Request, bank_id: str) -> Response:
        """In the background."""
        given = body_of(request, ConsolidateSerializer)
        bank = self.bank(bank_id)
        named = given.get("observation_scopes")
        scopes = None if named is None else [list(wanted.tags(scope)) for scope in named]
        row, waited = operations.submit_consolidation(
            bank.pk, {"scopes": scopes}, actor=member_of(request).user
        )
        return Response({"operation_id": str(row.pk), "deduplicated": waited})


class RecoverView(MemoryView):
    @operation(
        "memory_consolidation_recover",
        "Try failed consolidations again",
        tag="Memories",
        replies={200: reply(RecoveredSerializer, "How many.", {"Tried": examples.RECOVERED})},
    )
    def post(self, request: Request, bank_id: str) -> Response:
        failed = Operation.objects.filter(
            bank_id=self.bank(bank_id).pk,
            type=OperationType.CONSOLIDATION,
            status=OperationStatus.FAILED,
        )
        return Response({"retried_count": sum(operations.retry(row) for row in failed)})
