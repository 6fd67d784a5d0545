"""Reads. Every function takes the member who reads, and finds only what that member may see."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.db.models.functions import Lower

from kb import access
from kb.errors import PageNotFound
from kb.models import AskedQuestion, Doc, DocLink, Revision
from kb.rendering import outline
from memory import tenancy
from memory.chunking import heading_path, table_columns, table_row
from memory.models import Membership, Role
from memory.types import Block, Citation


def get_doc(member: Membership | None, doc_id: UUID) -> Doc:
    """Raises ``PageNotFound``."""
    return _one(access.visible_docs(member).filter(pk=doc_id))


def get_doc_by_slug(member: Membership | None, slug: str) -> Doc:
    """Raises ``PageNotFound``."""
    return _one(access.visible_docs(member).filter(slug=slug))


def get_askable_doc(member: Membership, doc_id: UUID) -> Doc:
    """With the text of its indexed revision and nothing else of it. Raises ``PageNotFound``."""
    docs = access.askable_docs(member).filter(pk=doc_id).select_related("indexed_revision")
    return _first(docs.defer("indexed_revision__source", "indexed_revision__html"))


def _one(docs: QuerySet[Doc]) -> Doc:
    return _first(
        docs.select_related("tenant", "head_revision", "published_revision", "indexed_revision")
    )


def _first(docs: QuerySet[Doc]) -> Doc:
    doc = docs.first()
    if doc is None:
        raise PageNotFound("There is no such page.")
    return doc


def shown_revision(member: Membership | None, doc: Doc) -> Revision:
    """The published revision for readers, the head for those who may edit."""
    revision = doc.head_revision if access.can_edit(member, doc) else doc.published_revision
    if revision is None:
        raise PageNotFound("There is no such page.")
    return revision


class DocOrder(StrEnum):
    NEWEST = "newest"
    OLDEST = "oldest"
    TITLE = "title"


_ORDERS: dict[str, tuple[Any, ...]] = {
    DocOrder.NEWEST: ("-updated_at", "pk"),
    DocOrder.OLDEST: ("updated_at", "pk"),
    DocOrder.TITLE: (Lower("title"), "pk"),
}


def list_docs(
    member: Membership | None,
    *,
    query: str = "",
    status: str = "",
    language: str = "",
    category: str = "",
    order: str = DocOrder.NEWEST,
) -> QuerySet[Doc]:
    """``query`` is looked for in titles and slugs, as plain text. What is empty does not narrow."""
    docs = access.visible_docs(member)
    for word in query.split():
        docs = docs.filter(Q(title__icontains=word) | Q(slug__icontains=word))
    if status:
        docs = docs.filter(status=status)
    if language:
        docs = docs.filter(language=language)
    if category:
        docs = docs.filter(category=category)
    return docs.order_by(*_ORDERS[order])


def languages(member: Membership | None) -> list[str]:
    """Of the pages that a member may open."""
    found = access.visible_docs(member).exclude(language="")
    return list(found.order_by("language").values_list("language", flat=True).distinct())


def linked_docs(member: Membership | None, doc: Doc) -> QuerySet[Doc]:
    """Readable pages one hop away, in either direction."""
    return (
        access.readable_docs(member)
        .filter(
            Q(pk__in=DocLink.objects.filter(source=doc, target__isnull=False).values("target_id"))
            | Q(pk__in=DocLink.objects.filter(target=doc).values("source_id"))
        )
        .exclude(pk=doc.pk)
    )


def links_from(member: Membership | None, doc: Doc) -> QuerySet[DocLink]:
    return (
        DocLink.objects.filter(source=doc, target__in=access.readable_docs(member))
        .select_related("target")
        .order_by("target__title")
    )


def links_to(member: Membership | None, doc: Doc) -> QuerySet[DocLink]:
    return (
        DocLink.objects.filter(target=doc, source__in=access.readable_docs(member))
        .select_related("source")
        .order_by("source__title")
    )


def possible_owners(doc: Doc) -> list[tuple[str, str]]:
    """Members who may own a page, and whoever does now: sign-in name and how they are called."""
    members = Membership.objects.filter(
        tenant_id=doc.tenant_id,
        is_active=True,
        user__is_active=True,
        role__in=(Role.EDITOR, Role.ADMIN),
    ).select_related("user")
    people = {member.user_id: member.user for member in members} | {doc.owner_id: doc.owner}
    return sorted(
        ((user.username, str(user)) for user in people.values()),
        key=lambda owner: owner[1].casefold(),
    )


def revisions(doc: Doc) -> QuerySet[Revision]:
    return Revision.objects.filter(doc=doc).select_related("created_by").order_by("-number")


def questions_of(member: Membership) -> QuerySet[AskedQuestion]:
    """A member's own questions, newest first. ``history.present`` says what of them may be shown."""
    questions = AskedQuestion.objects.filter(asked_by=member.user_id)
    return questions.order_by("-created_at", "question_id")


@dataclass(frozen=True, slots=True)
class Place:
    """Where cited words stand on their page, for people."""

    headings: tuple[str, ...] = ()  # outermost first
    row: int | None = None  # of a table, from 1 below its header
    columns: tuple[str, ...] = ()  # their names, one for each cell of the row


def places(citations: Iterable[Citation]) -> dict[Citation, Place]:
    """Where each citation stands. A chunk may span sections; its own path is the first's."""
    wanted = set(citations)
    numbers = {(citation.doc_id, citation.revision) for citation in wanted}
    revisions = Revision.objects.filter(
        doc_id__in={doc_id for doc_id, _ in numbers}, number__in={number for _, number in numbers}
    ).values_list("doc_id", "number", "pk")
    ids = {(doc_id, number): pk for doc_id, number, pk in revisions}
    tenant_id = tenancy.require()
    found = {}
    for citation in wanted:
        text, blocks = _outline(tenant_id, ids[citation.doc_id, citation.revision])
        found[citation] = Place(
            heading_path(text, blocks, citation.char_start),
            table_row(blocks, citation.char_start),
            table_columns(text, blocks, citation.char_start),
        )
    return found


@lru_cache(maxsize=128)
def _outline(tenant_id: UUID, revision_id: UUID) -> tuple[str, tuple[Block, ...]]:
    """A revision never changes, so its outline is read once; parsing a long page takes a while."""
    return outline(Revision.objects.values_list("html", flat=True).get(pk=revision_id))
