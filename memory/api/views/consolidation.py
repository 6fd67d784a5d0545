"""Consolidation, reprocessing and files over HTTP: work that runs in the background."""

from __future__ import annotations

import json
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.utils import timezone
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from memory import banks, operations
from memory.api.base import MemoryView, body_of
from memory.api.describing import operation, reply
from memory.api.errors import Unprocessable
from memory.api.examples import documents as document_examples
from memory.api.examples import retain as examples
from memory.api.shapes.documents import ReprocessedSerializer
from memory.api.shapes.files import FileMetadataSerializer, FilesToRetainSerializer
from memory.api.shapes.retain import (
    ConsolidateSerializer,
    ConsolidationSerializer,
    FilesRetainedSerializer,
    RecoveredSerializer,
)
from memory.api.views.documents import document_of
from memory.backends import registry
from memory.errors import Unconvertible
from memory.language.text import clean_text
from memory.models import Operation, OperationStatus, OperationType
from memory.rest.parsing import is_too_deep
from memory.rest.permissions import member_of
from memory.retain import payloads, wanted
from memory.retain.items import RetainItem
from memory.seams import Converted
from memory.types import BlockKind

_MOST_FILES = 50


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


class ReprocessView(MemoryView):
    @operation(
        "memory_documents_reprocess",
        "Take the facts of a document again",
        tag="Documents",
        replies={
            200: reply(
                ReprocessedSerializer, "Taken on.", {"Taken on": document_examples.REPROCESSED}
            )
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


class FilesView(MemoryView):
    parser_classes = [MultiPartParser]

    @operation(
        "memory_files_retain",
        "Retain files",
        tag="Memories",
        request={"multipart/form-data": FilesToRetainSerializer},
        request_example=examples.FILES_SENT,
        replies={200: reply(FilesRetainedSerializer, "Taken on.", {"Taken on": examples.FILES})},
    )
    def post(self, request: Request, bank_id: str) -> Response:
        """Markdown, HTML and plain text; an operation for each. Its name is the document's id."""
        files = request.FILES.getlist("files")
        if not 1 <= len(files) <= _MOST_FILES:
            raise Unprocessable(f"Send 1 to {_MOST_FILES} files, in the field files.")
        about = _about(request, len(files))
        items = [_item(file, one) for file, one in zip(files, about, strict=True)]
        for item in items:  # checked now, so that what is taken on can be done
            wanted.read([item], now=timezone.now())
        member = member_of(request)
        bank = banks.open_or_create(member, bank_id)
        submitted = [
            operations.submit(
                bank.pk,
                OperationType.RETAIN,
                payloads.to_json([item]),
                actor=member.user,
                items_count=1,
            )
            for item in items
        ]
        return Response({"operation_ids": [str(row.pk) for row in submitted]})


def _about(request: Request, count: int) -> list[dict[str, Any]]:
    """What the field ``request`` says about each file, in their order."""
    try:
        given = json.loads(request._request.POST.get("request") or "{}")
    except (ValueError, RecursionError):
        raise Unprocessable("The field request is not JSON.") from None
    if is_too_deep(given):
        raise Unprocessable("The field request is nested too deeply.")
    listed = given.get("files_metadata") if isinstance(given, dict) else None
    if listed is None:
        return [{} for _ in range(count)]
    if not isinstance(listed, list) or len(listed) != count:
        raise Unprocessable("files_metadata must have one entry for each file.")
    checked = FileMetadataSerializer(data=listed, many=True)
    checked.is_valid(raise_exception=True)
    return [dict(one) for one in checked.validated_data]


def _item(file: UploadedFile[Any], about: dict[str, Any]) -> RetainItem:
    name = clean_text(file.name or "") or "file"
    return RetainItem(
        content=_text(name, file.read()),
        timestamp=about.get("timestamp"),
        context=about.get("context") or "",
        metadata=about.get("metadata") or {},
        document_name=about.get("document_id") or name,
        tags=tuple(about.get("tags") or ()),
    )


def _text(name: str, data: bytes) -> str:
    converter = registry.converter()
    try:
        if converter.accepts(name):
            return _with_headings(converter.convert(name, data))
        return data.decode("utf-8")
    except Unconvertible as error:
        raise Unprocessable(f"{name}: {error}") from None
    except UnicodeDecodeError:
        raise Unprocessable(f"{name}: only Markdown, HTML and plain text can be read.") from None


def _with_headings(converted: Converted) -> str:
    """The text with its headings marked, so that what stands under one is known by it."""
    parts, at = [], 0
    for block in converted.blocks:
        if block.kind is BlockKind.HEADING:
            parts += [converted.text[at : block.start], "#" * max(block.level, 1), " "]
            at = block.start
    return "".join((*parts, converted.text[at:]))
