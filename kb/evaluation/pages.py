"""Puts the wanted pages into a tenant of their own, through the same intake as any page.

What is there already is kept, so that a second run writes and encodes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, OuterRef

from kb import index, intake
from kb.evaluation.page_sets import WantedPage
from kb.intake import PageFields
from kb.models import Chunk, Doc, SourceFormat, Status, Visibility
from memory import tenancy
from memory.backends import registry
from memory.chunking import CHUNKER_VERSION
from memory.language.text import content_hash, normalise_source
from memory.models import Membership, Node, Role, Tenant, Vector
from memory.people import members

TENANT_SLUG = "evaluation"
HUBS = "hubs"  # the group that sees the pages of links

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Cast:
    """Who writes the pages, who asks them, and who asks the pages of links."""

    writer: Membership
    reader: Membership
    hub_reader: Membership


def prepare_cast() -> Cast:
    """The tenant and its members, made where they are missing.

    None is an admin: a command without ``--user`` acts as the only admin there is.
    """
    tenant, _ = Tenant.objects.get_or_create(slug=TENANT_SLUG, defaults={"name": "Evaluation"})

    def member(name: str, role: Role, *groups: str) -> Membership:
        return members.add(tenant, f"{TENANT_SLUG}-{name}", role, groups=groups)

    return Cast(
        writer=member("writer", Role.EDITOR),
        reader=member("reader", Role.READER),
        hub_reader=member("hub-reader", Role.READER, HUBS),
    )


def prepare_pages(cast: Cast, wanted: Iterable[WantedPage], *, report: Progress) -> dict[str, Doc]:
    """Every wanted page by slug: saved, cut and with vectors. Encodes in this process."""
    pages = {page.slug: page for page in wanted}
    tenant_id = cast.writer.tenant_id
    with tenancy.scope(tenant_id):
        known = {doc.slug: doc for doc in _docs(pages)}
    saved = 0
    for number, page in enumerate(pages.values(), start=1):
        if _is_current(known.get(page.slug), page):
            continue
        with tenancy.scope(tenant_id):
            _save(cast.writer, known.get(page.slug), page)
        saved += 1
        if saved % 50 == 0:
            report(f"pages saved: {number} of {len(pages)}")
    with tenancy.scope(tenant_id):
        docs = list(_docs(pages))
        for doc in _cut_by_older_rules(docs):
            intake.retry_index(doc, enqueue=False)
        lacking = _lacking_vectors(docs)
    for number, doc_id in enumerate(lacking, start=1):
        index.embed_page(tenant_id, doc_id)
        if number % 50 == 0:
            report(f"pages encoded: {number} of {len(lacking)}")
    report(f"{len(pages)} pages, {saved} of them new, {len(lacking)} encoded")
    with tenancy.scope(tenant_id):
        return {doc.slug: doc for doc in _docs(pages)}


def _docs(slugs: Iterable[str]) -> Iterable[Doc]:
    return Doc.objects.filter(slug__in=list(slugs), deleted_at=None).select_related(
        "head_revision", "published_revision", "indexed_revision"
    )


def _is_current(doc: Doc | None, page: WantedPage) -> bool:
    return (
        doc is not None
        and doc.head_revision is not None
        and doc.head_revision.sha256 == content_hash(normalise_source(page.source))
        and doc.title == page.title
        and doc.indexed_revision_id == doc.head_revision_id
    )


def _save(writer: Membership, doc: Doc | None, page: WantedPage) -> None:
    fields = PageFields(
        title=page.title,
        source=page.source,
        source_format=SourceFormat.HTML,
        slug=page.slug,
        status=Status.PUBLISHED,
        visibility=Visibility.ROLE_RESTRICTED if page.is_hub else Visibility.ORG_ONLY,
        allowed_groups=[HUBS] if page.is_hub else [],
    )
    if doc is None:
        intake.create_page(writer, fields, enqueue=False)
    else:
        intake.update_page(writer, doc, fields, enqueue=False)


def _cut_by_older_rules(docs: Iterable[Doc]) -> list[Doc]:
    docs = list(docs)
    cut = set(
        Chunk.objects.filter(
            revision__in=[doc.indexed_revision_id for doc in docs], chunker=CHUNKER_VERSION
        ).values_list("revision_id", flat=True)
    )
    # A page without text has no chunks by any rules.
    return [
        doc
        for doc in docs
        if doc.indexed_revision is not None
        and doc.indexed_revision_id not in cut
        and doc.indexed_revision.text.strip()
    ]


def _lacking_vectors(docs: Iterable[Doc]) -> list[UUID]:
    recipe = registry.encoder().recipe.name
    has_vector = Exists(Vector.objects.filter(node_id=OuterRef("pk"), recipe=recipe))
    lacking = (
        Node.objects.filter(document_id__in=[doc.pk for doc in docs])
        .exclude(has_vector)
        .values_list("document_id", flat=True)
        .distinct()
    )
    return [doc_id for doc_id in lacking if doc_id is not None]
