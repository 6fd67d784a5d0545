"""Files over HTTP: each becomes a document, in the background."""

from __future__ import annotations

import json
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.utils import timezone
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from memory import banks, operations
from memory.api.base import MemoryView
from memory.api.describing import operation, reply
from memory.api.errors import Unprocessable
from memory.api.examples import retain as examples
from memory.api.shapes.files import (
    FileMetadataSerializer,
    FilesRetainedSerializer,
    FilesToRetainSerializer,
)
from memory.backends import registry
from memory.errors import Unconvertible
from memory.facts import grids
from memory.language.text import clean_text
from memory.models import OperationType
from memory.rest.parsing import is_too_deep
from memory.rest.permissions import member_of
from memory.retain import payloads, wanted
from memory.retain.items import RetainItem
from memory.seams import Converted
from memory.types import BlockKind

_MOST_FILES = 50


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
            return _as_markdown(converter.convert(name, data))
        return data.decode("utf-8")
    except Unconvertible as error:
        raise Unprocessable(f"{name}: {error}") from None
    except UnicodeDecodeError:
        raise Unprocessable(f"{name}: only Markdown, HTML and plain text can be read.") from None


def _as_markdown(converted: Converted) -> str:
    """The text with its headings, tables and code marked, so that what stands there is known by it."""
    parts, at = [], 0
    for block in converted.blocks:
        said = converted.text[block.start : block.end]
        if block.kind is BlockKind.HEADING:
            marked = f"{'#' * max(block.level, 1)} {said}"
        elif block.kind in (BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW):
            marked = grids.row(said, names_columns=block.kind is BlockKind.TABLE_HEADER)
        elif block.kind is BlockKind.CODE and "```" not in said:
            marked = f"```\n{said}\n```"
        else:
            continue
        parts += [converted.text[at : block.start], marked]
        at = block.end
    return "".join((*parts, converted.text[at:]))
