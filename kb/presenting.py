"""Records as the names of the public contract: one shape for the API, the panel and the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext

from kb import access, links, selectors
from kb.addresses import mark_url
from kb.models import Doc, Feedback, Revision, SourceFormat
from kb.outcome import Record
from kb.reader_html import linked_html
from memory.models import Membership

OFFSET_UNIT = "codepoint"


def reply(record: Record, member: Membership) -> dict[str, Any]:
    """What ``POST …/ask`` returns. Needs a scope: addresses are looked up for this reader."""
    slugs = _slugs(member, record)
    if is_withheld(slugs, record):  # a repeat, or a page that was closed while this was answered
        return reply_without_urls(record) | withheld()
    dates = revision_dates(record.citations)
    return reply_without_urls(record) | {
        "citations": [
            {
                **citation,
                "revised_at": dates.get((citation["doc_id"], citation["revision"])),
                "url": _url(member.tenant.slug, slugs, citation),
            }
            for citation in record.citations
        ],
    }


def is_withheld(slugs: Mapping[UUID, str], record: Record) -> bool:
    """Does the record cite a page that this reader may not open (any more)?"""
    return any(UUID(citation["doc_id"]) not in slugs for citation in record.citations)


def withheld() -> dict[str, Any]:
    """What is shown in place of an answer that rests on a page the reader may not open."""
    return {
        "answer_text": gettext("This answer rests on a page that is no longer there for you."),
        "claims": [],
        "citations": [],
    }


def reply_without_urls(record: Record) -> dict[str, Any]:
    return {
        "question_id": str(record.question_id),
        "trace_id": record.trace_id,
        "answer_kind": record.kind.value,
        "answer_text": record.answer_text,
        "confidence_score": record.confidence,
        "reason": record.reason.value if record.reason else None,
        "citations": list(record.citations),
        "claims": list(record.claims),
        "missing": list(record.missing),
        "unseen": list(record.unseen),
        "stale": record.stale,
        "degraded": list(record.degraded),
        "doc_id": str(record.doc_id) if record.doc_id else None,
        "doc_revision": record.doc_revision,
        "offset_unit": OFFSET_UNIT,
        "remaining": record.remaining,
        "model": record.model,
    }


def revision_dates(citations: Iterable[Mapping[str, Any]]) -> dict[tuple[str, int], str]:
    """When the cited revisions were saved, by page id and number. One query."""
    cited = {(citation["doc_id"], citation["revision"]) for citation in citations}
    if not cited:
        return {}
    rows = Revision.objects.filter(
        doc__in={doc_id for doc_id, _ in cited}, number__in={number for _, number in cited}
    )
    return {
        (str(doc_id), number): created_at.isoformat()
        for doc_id, number, created_at in rows.values_list("doc_id", "number", "created_at")
    }


def _url(tenant_slug: str, slugs: Mapping[UUID, str], citation: Mapping[str, Any]) -> str | None:
    slug = slugs.get(UUID(citation["doc_id"]))
    return mark_url(tenant_slug, slug, citation) if slug is not None else None


def _slugs(member: Membership, record: Record) -> dict[UUID, str]:
    cited = {UUID(citation["doc_id"]) for citation in record.citations}
    if not cited:
        return {}
    docs = access.visible_docs(member).filter(pk__in=cited)
    return dict(docs.values_list("pk", "slug"))


def vote(given: Feedback) -> dict[str, Any]:
    return {
        "vote": given.vote,
        "comment": given.comment,
        "created_at": given.created_at.isoformat(),
    }


def doc_summary(doc: Doc) -> dict[str, Any]:
    return {
        "id": str(doc.pk),
        "title": doc.title,
        "slug": doc.slug,
        "status": doc.status,
        "visibility": doc.visibility,
        "language": doc.language,
        "category": doc.category,
        "index_state": doc.index_state,
        "updated_at": doc.updated_at.isoformat(),
    }


def doc_detail(member: Membership | None, doc: Doc) -> dict[str, Any]:
    """A page with its shown revision: the published one for readers, the head for editors.

    The source names the address of every page that it links to. Where this reader has one of them not,
    missing and hidden alike, its place is taken by what they see, as HTML.
    """
    revision = selectors.shown_revision(member, doc)
    html = linked_html(member, doc, revision)
    has_source = access.can_edit(member, doc) or links.WANTED not in html
    return doc_summary(doc) | {
        "title": revision.title,
        "text": revision.text,
        "html": html,
        "source": revision.source if has_source else html,
        "source_format": revision.source_format if has_source else SourceFormat.HTML.value,
        "revision": revision.number,
        "links": _linked(link.target for link in selectors.links_from(member, doc)),
        "backlinks": _linked(link.source for link in selectors.links_to(member, doc)),
        "allowed_groups": doc.allowed_groups,
        "owner": doc.owner.username,
    }


def _linked(docs: Iterable[Doc]) -> list[dict[str, str]]:
    unique = {doc.pk: doc for doc in docs}
    return [{"id": str(doc.pk), "title": doc.title, "slug": doc.slug} for doc in unique.values()]
