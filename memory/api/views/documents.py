"""Documents and their passages over HTTP. Their ids may hold slashes."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from memory import banks, chunk_ids, operations, refreshing
from memory.api.base import MemoryView, body_of, query_of, tags_of
from memory.api.describing import operation, reply
from memory.api.errors import Missing
from memory.api.examples import documents as examples
from memory.api.rendering import documents as rendering
from memory.api.shapes.documents import (
    ChunkListSerializer,
    ChunkSerializer,
    DocumentChangedSerializer,
    DocumentChangeSerializer,
    DocumentDeletedSerializer,
    DocumentListQuery,
    DocumentListSerializer,
    DocumentSerializer,
    ReprocessedSerializer,
)
from memory.api.shapes.queries import WindowedQuery
from memory.browsing import documents
from memory.browsing.documents import DocumentFilter, DocumentRow, DocumentTimeField
from memory.errors import BankNotFound, DocumentNotFound
from memory.models import Bank, OperationType
from memory.rest.permissions import member_of
from memory.retain import changing

TAG = "Documents"
_NO_CHUNK = "There is no chunk of this id."


class DocumentListView(MemoryView):
    @operation(
        "memory_documents_list",
        "List documents",
        tag=TAG,
        query=DocumentListQuery,
        replies={200: reply(DocumentListSerializer, "Documents.", {"List": examples.DOCUMENTS})},
    )
    def get(self, request: Request, bank_id: str) -> Response:
        """Latest first."""
        asked = query_of(request, DocumentListQuery)
        bank = self.bank(bank_id)
        chosen = DocumentFilter(
            query=asked.get("q", ""),
            tags=tags_of(bank, asked),
            time_field=DocumentTimeField(asked["time_field"]),
            start=asked.get("start_date"),
            end=asked.get("end_date"),
        )
        page = documents.listed(bank, chosen, limit=asked["limit"], offset=asked["offset"])
        return Response(rendering.document_list(page, query=chosen.query))


class DocumentView(MemoryView):
    @operation(
        "memory_documents_read",
        "Read a document",
        tag=TAG,
        replies={200: reply(DocumentSerializer, "It.", {"Document": examples.DOCUMENT})},
    )
    def get(self, request: Request, bank_id: str, document_id: str) -> Response:
        """With the text that the offsets of its memories count."""
        return Response(rendering.document(document_of(self.bank(bank_id), document_id)))

    @operation(
        "memory_documents_change",
        "Give a document other tags or scopes",
        tag=TAG,
        request=DocumentChangeSerializer,
        request_example=examples.CHANGE,
        replies={200: reply(DocumentChangedSerializer, "Done.", {"Changed": examples.CHANGED})},
    )
    def patch(self, request: Request, bank_id: str, document_id: str) -> Response:
        """Its memories get the tags too. Observations follow."""
        given = body_of(request, DocumentChangeSerializer)
        bank = self.bank(bank_id)
        name = document_of(bank, document_id).document.name
        if given.get("tags") is not None:
            changing.tag_document(bank.pk, name, given["tags"])
        if given.get("observation_scopes") is not None:
            changing.scope_document(bank.pk, name, given["observation_scopes"])
        return Response({"success": True})

    @operation(
        "memory_documents_delete",
        "Remove a document",
        tag=TAG,
        replies={200: reply(DocumentDeletedSerializer, "Gone.", {"Removed": examples.DELETED})},
    )
    def delete(self, request: Request, bank_id: str, document_id: str) -> Response:
        """With every memory from it; observations that rested on it alone go as well."""
        bank = self.bank(bank_id)
        name = document_of(bank, document_id).document.name
        removed = changing.delete_document(bank.pk, name)
        refreshing.follow(bank.pk)
        return Response(
            {
                "success": True,
                "message": "The document was removed.",
                "document_id": name,
                "memory_units_deleted": removed,
            }
        )


class ReprocessView(MemoryView):
    @operation(
        "memory_documents_reprocess",
        "Take the facts of a document again",
        tag=TAG,
        replies={
            200: reply(ReprocessedSerializer, "Taken on.", {"Taken on": examples.REPROCESSED})
        },
    )
    def post(self, request: Request, bank_id: str, document_id: str) -> Response:
        """In the background."""
        bank = self.bank(bank_id)
        name = document_of(bank, document_id).document.name
        row = operations.submit(
            bank.pk,
            OperationType.REPROCESS,
            {"document": name},
            actor=member_of(request).user,
            items_count=1,
        )
        return Response({"success": True, "operation_id": str(row.pk), "items_count": 1})


class ChunkListView(MemoryView):
    @operation(
        "memory_chunks_list",
        "List the passages of a document",
        tag=TAG,
        query=WindowedQuery,
        replies={200: reply(ChunkListSerializer, "Passages.", {"List": examples.CHUNKS})},
    )
    def get(self, request: Request, bank_id: str, document_id: str) -> Response:
        """In the order of the text."""
        asked = query_of(request, WindowedQuery)
        bank = self.bank(bank_id)
        row = document_of(bank, document_id)
        page = documents.chunks(bank, row.document, limit=asked["limit"], offset=asked["offset"])
        return Response(rendering.chunk_list(page))


class ChunkView(MemoryView):
    @operation(
        "memory_chunks_read",
        "Read a passage",
        tag=TAG,
        replies={200: reply(ChunkSerializer, "The passage.", {"Passage": examples.CHUNK})},
        errors=(401, 403, 404, 503),
    )
    def get(self, request: Request, chunk_id: str) -> Response:
        """By the ``chunk_id`` of a memory."""
        parsed = chunk_ids.parse(chunk_id)
        if parsed is None:
            raise Missing(_NO_CHUNK)
        try:
            bank = banks.find(member_of(request), parsed.bank)
        except BankNotFound:
            raise Missing(_NO_CHUNK) from None
        found = documents.chunk(bank, parsed)
        if found is None:
            raise Missing(_NO_CHUNK)
        return Response(rendering.chunk(found))


def document_of(bank: Bank, document_id: str) -> DocumentRow:
    row = documents.find(bank, document_id)
    if row is None:
        raise DocumentNotFound(document_id)
    return row
