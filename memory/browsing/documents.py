"""Documents of a bank and the passages that they were cut into. Those of a corpus are not listed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from django.db.models import Case, Count, Q, QuerySet, When
from django.db.models.functions import Length

from memory import tags
from memory.browsing.filters import Page
from memory.chunk_ids import ChunkId
from memory.language.text import clean_text
from memory.levels import MEMORIES, Level
from memory.models import Bank, Document, Node
from memory.tags import TagFilter


class DocumentTimeField(StrEnum):
    CREATED_AT = "created_at"
    UPDATED_AT = "updated_at"


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFilter:
    """``start`` is included, ``end`` is not."""

    query: str = ""
    tags: TagFilter | None = None
    time_field: DocumentTimeField = DocumentTimeField.UPDATED_AT
    start: datetime | None = None
    end: datetime | None = None


@dataclass(frozen=True, slots=True)
class DocumentRow:
    document: Document
    bank_name: str
    memories_by_type: dict[str, int] = field(default_factory=dict)
    text_length: int = 0
    query_in_text: bool = False  # what was looked for stands in the text

    @property
    def memories(self) -> int:
        return sum(self.memories_by_type.values())


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """``id`` in the caller's form."""

    id: str
    document: str
    bank_name: str
    index: int
    text: str
    created_at: datetime


def documents_of(bank: Bank) -> QuerySet[Document]:
    documents = Document.objects.filter(bank_id=bank.pk, corpus=None)
    return documents.annotate(text_length=Length("text"))


def find(bank: Bank, name: str) -> DocumentRow | None:
    """The document with its text."""
    document = documents_of(bank).filter(name=clean_text(name)).first()
    return rows(bank, [document])[0] if document is not None else None


def listed(bank: Bank, wanted: DocumentFilter, *, limit: int, offset: int) -> Page[DocumentRow]:
    """Latest first."""
    documents = documents_of(bank)
    if wanted.query:
        documents = documents.filter(
            Q(name__icontains=wanted.query) | Q(text__icontains=wanted.query)
        )
    if wanted.start is not None:
        documents = documents.filter(**{f"{wanted.time_field}__gte": wanted.start})
    if wanted.end is not None:
        documents = documents.filter(**{f"{wanted.time_field}__lt": wanted.end})
    documents = documents.order_by(f"-{wanted.time_field}", "pk")
    if wanted.tags is not None:  # tags of documents are for showing, so they have no index
        filter_ = wanted.tags
        passing = [
            pk for pk, own in documents.values_list("pk", "tags") if tags.matches(filter_, own)
        ]
        total, chosen = len(passing), passing[offset : offset + limit]
    else:
        total = documents.count()
        chosen = list(documents.values_list("pk", flat=True)[offset : offset + limit])
    shown = (
        documents_of(bank)
        .defer("text")
        .annotate(query_in_text=Case(When(text__icontains=wanted.query, then=True), default=False))
    )
    found = shown.in_bulk(chosen)
    ordered = [found[pk] for pk in chosen if pk in found]
    return Page(rows(bank, ordered), total, limit, offset)


def rows(bank: Bank, documents: Sequence[Document]) -> list[DocumentRow]:
    counts: dict[UUID | None, dict[str, int]] = {document.pk: {} for document in documents}
    memories = Node.objects.filter(document_id__in=list(counts), level__in=MEMORIES)
    grouped = memories.order_by().values_list("document_id", "fact_type").annotate(n=Count("pk"))
    for document_id, fact_type, number in grouped:
        counts[document_id][fact_type] = number
    return [
        DocumentRow(
            document,
            bank.name,
            counts[document.pk],
            getattr(document, "text_length", 0),
            getattr(document, "query_in_text", False),
        )
        for document in documents
    ]


def chunks(bank: Bank, document: Document, *, limit: int, offset: int) -> Page[ChunkRow]:
    """In the order of the text."""
    passages = _passages(document)
    shown = passages.order_by("ordinal", "pk")[offset : offset + limit]
    return Page([_chunk(bank, document, node) for node in shown], passages.count(), limit, offset)


def chunk_node(bank: Bank, chunk_id: ChunkId) -> Node | None:
    """The passage that a chunk of this bank is."""
    if chunk_id.bank != bank.name:
        return None
    named = documents_of(bank).filter(name=clean_text(chunk_id.document)).values("pk")
    return Node.objects.filter(
        document_id__in=named, level=Level.L0, ordinal=chunk_id.index
    ).first()


def chunk(bank: Bank, chunk_id: ChunkId) -> ChunkRow | None:
    node = chunk_node(bank, chunk_id)
    if node is None:
        return None
    return ChunkRow(
        str(chunk_id), chunk_id.document, bank.name, chunk_id.index, node.text, node.created_at
    )


def _passages(document: Document) -> QuerySet[Node]:
    return Node.objects.filter(document_id=document.pk, level=Level.L0)


def _chunk(bank: Bank, document: Document, node: Node) -> ChunkRow:
    index = node.ordinal or 0
    name = str(ChunkId(bank.name, document.name, index))
    return ChunkRow(name, document.name, bank.name, index, node.text, node.created_at)
