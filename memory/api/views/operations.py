"""Operations over HTTP: watching, cancelling and retrying what runs in the background."""

from __future__ import annotations

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from memory import operations
from memory.api.base import MemoryView, query_of
from memory.api.describing import IN_BANK, operation, reply
from memory.api.errors import Clash
from memory.api.examples import operations as examples
from memory.api.rendering import operations as rendering
from memory.api.shapes.operations import (
    OperationChangedSerializer,
    OperationListQuery,
    OperationListSerializer,
    OperationQuery,
    OperationStatusSerializer,
)
from memory.browsing import operations as browsing

TAG = "Operations"


class OperationListView(MemoryView):
    @operation(
        "memory_operations_list",
        "List operations",
        tag=TAG,
        query=OperationListQuery,
        replies={200: reply(OperationListSerializer, "Operations.", {"List": examples.OPERATIONS})},
    )
    def get(self, request: Request, bank_id: str) -> Response:
        """Newest first."""
        wanted = query_of(request, OperationListQuery)
        bank = self.bank(bank_id)
        page = browsing.listed(
            bank,
            status=wanted.get("status"),
            kind=wanted.get("type"),
            limit=wanted["limit"],
            offset=wanted["offset"],
        )
        return Response(rendering.operation_list(bank, page))


class OperationView(MemoryView):
    @operation(
        "memory_operations_read",
        "Watch an operation",
        tag=TAG,
        query=OperationQuery,
        replies={
            200: reply(OperationStatusSerializer, "How far it is.", {"Done": examples.OPERATION})
        },
    )
    def get(self, request: Request, bank_id: str, operation_id: UUID) -> Response:
        wanted = query_of(request, OperationQuery)
        row = browsing.find(self.bank(bank_id), operation_id)
        return Response(rendering.operation_status(row, with_payload=wanted["include_payload"]))

    @operation(
        "memory_operations_cancel",
        "Cancel an operation",
        tag=TAG,
        replies={
            200: reply(OperationChangedSerializer, "Done.", {"Cancelled": examples.CANCELLED})
        },
        errors=(*IN_BANK, 409),
    )
    def delete(self, request: Request, bank_id: str, operation_id: UUID) -> Response:
        """What it has done already stays done."""
        row = browsing.find(self.bank(bank_id), operation_id)
        if not operations.cancel(row):
            raise Clash(f"This operation has ended: {row.status}.")
        return Response(rendering.changed(row, "The operation was cancelled."))


class OperationRetryView(MemoryView):
    @operation(
        "memory_operations_retry",
        "Try an operation again",
        tag=TAG,
        replies={200: reply(OperationChangedSerializer, "Done.", {"Taken up": examples.RETRIED})},
        errors=(*IN_BANK, 409),
    )
    def post(self, request: Request, bank_id: str, operation_id: UUID) -> Response:
        """A failed or cancelled one goes on where it ended."""
        row = browsing.find(self.bank(bank_id), operation_id)
        if not operations.retry(row):
            raise Clash("Only a failed or cancelled operation can be tried again.")
        return Response(rendering.changed(row, "The operation was taken up again."))


class OperationRecordView(MemoryView):
    @operation(
        "memory_operations_delete",
        "Remove an operation that has ended",
        tag=TAG,
        replies={200: reply(OperationChangedSerializer, "Gone.", {"Removed": examples.DELETED})},
        errors=(*IN_BANK, 409),
    )
    def delete(self, request: Request, bank_id: str, operation_id: UUID) -> Response:
        """Only its record; what it did stays."""
        row = browsing.find(self.bank(bank_id), operation_id)
        if not operations.forget(row):
            raise Clash("Only an operation that has ended can be removed.")
        return Response(rendering.changed(row, "The operation was removed."))
