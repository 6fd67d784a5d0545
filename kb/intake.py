"""Every change of a page. One transaction each; the actor is passed in; work is enqueued on commit.

Called inside the tenant's scope. Rights to the page were checked by whoever found it; the rights
to change it are checked here.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify
from kombu.exceptions import OperationalError as BrokerUnreachable

from kb import access, ingest, linking, page_audit, tasks
from kb.errors import EditConflict, InvalidPage, PageNotFound
from kb.models import Doc, DocLink, IndexState, Revision, SourceFormat, Status, Visibility
from kb.rendering import Rendered, render
from memory import events
from memory.analysis import detect_language
from memory.models import Membership
from memory.text import clean_text, normalise_source

logger = logging.getLogger(__name__)

MAX_SOURCE = 500_000  # code points
MAX_TITLE = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFields:
    """What a caller may set. None keeps what the page has (or the default of a new one)."""

    title: str | None = None
    source: str | None = None
    source_format: str | None = None
    slug: str | None = None
    language: str | None = None
    visibility: str | None = None
    allowed_groups: list[str] | None = None
    status: str | None = None


def create_page(actor: Membership, fields: PageFields, *, enqueue: bool = True) -> Doc:
    """A new page, owned by the actor. Raises ``InvalidPage``, or ``PageNotFound`` for a reader.

    ``enqueue`` False leaves the vectors to the caller, here and below (``kb.index.embed_page``).
    """
    if not actor.can_write:
        raise PageNotFound("Only editors can write pages.")
    title = _title(fields.title)
    source = _source(fields.source)
    source_format = _choice(
        "source_format", fields.source_format or SourceFormat.MARKDOWN, SourceFormat.values
    )
    doc = Doc(
        tenant_id=actor.tenant_id,
        title=title,
        slug=_free_slug(fields.slug or title, wanted=fields.slug is not None),
        owner=actor.user,
    )
    _set_audience(doc, fields)
    doc.status = _choice("status", fields.status or Status.DRAFT, Status.values)
    rendered = render(source, source_format)
    doc.language = _language(fields.language, title, rendered)
    with transaction.atomic():
        doc.save()
        revision = ingest.add_revision(
            doc,
            rendered,
            title=title,
            source=source,
            source_format=source_format,
            created_by=actor.user,
        )
        _set_head(doc, revision, rendered)
        linking.resolve_wanted_links(doc)
        page_audit.created(actor, doc)
        if enqueue:
            _enqueue(doc)
    return doc


def update_page(
    actor: Membership,
    doc: Doc,
    fields: PageFields,
    *,
    base_revision: int | None = None,
    enqueue: bool = True,
) -> Doc:
    """Change a page. Raises ``EditConflict`` where ``base_revision`` is not the newest, ``InvalidPage``."""
    if not access.can_edit(actor, doc):
        raise PageNotFound("There is no such page.")
    with transaction.atomic():
        doc = Doc.objects.select_for_update().get(pk=doc.pk, deleted_at=None)
        before = page_audit.state(doc)
        head = _revision(doc.head_revision_id)
        if base_revision is not None and base_revision != head.number:
            raise EditConflict(head.number)
        title = _title(fields.title) if fields.title is not None else doc.title
        source = _source(fields.source) if fields.source is not None else head.source
        source_format = _choice(
            "source_format", fields.source_format or head.source_format, SourceFormat.values
        )
        _set_audience(doc, fields)
        doc.status = _choice("status", fields.status or doc.status, Status.values)
        rendered = None
        if (title, source, source_format) != (head.title, head.source, head.source_format):
            rendered = render(source, source_format)
        if fields.language is not None:
            doc.language = _language(
                fields.language, title, rendered or render(source, source_format)
            )
        if fields.slug is not None and fields.slug != doc.slug:
            doc.slug = _free_slug(fields.slug, wanted=True)
        if rendered is not None:
            head = ingest.add_revision(
                doc,
                rendered,
                title=title,
                source=source,
                source_format=source_format,
                created_by=actor.user,
            )
        doc.title = title
        _set_head(doc, head, rendered)
        linking.resolve_wanted_links(doc)
        page_audit.changed(actor, doc, before)
        if enqueue:
            _enqueue(doc)
    return doc


def delete_page(actor: Membership, doc: Doc) -> None:
    """Move a page to the bin. Nothing of it answers from now on; ``restore_page`` brings it back."""
    if not access.can_edit(actor, doc):
        raise PageNotFound("There is no such page.")
    with transaction.atomic():
        doc = Doc.objects.select_for_update().get(pk=doc.pk)
        doc.deleted_at = timezone.now()
        ingest.withdraw(doc)
        DocLink.objects.filter(target=doc).update(target=None)
        doc.save()
        page_audit.deleted(actor, doc)


def restore_page(actor: Membership, doc: Doc) -> Doc:
    """Bring a deleted page back, under a free slug where its own was taken meanwhile."""
    if not access.can_edit(actor, doc):
        raise PageNotFound("There is no such page.")
    with transaction.atomic():
        doc = Doc.objects.select_for_update().get(pk=doc.pk)
        doc.deleted_at = None
        doc.slug = _free_slug(doc.slug, wanted=False)
        _set_head(doc, _revision(doc.head_revision_id))
        linking.resolve_wanted_links(doc)
        page_audit.restored(actor, doc)
        _enqueue(doc)
    return doc


def retry_index(doc: Doc, *, enqueue: bool = True) -> None:
    """Index a page again after a failure, from its live revision."""
    with transaction.atomic():
        doc = Doc.objects.select_for_update().get(pk=doc.pk)
        _index_live(doc)
        doc.save()
        if enqueue:
            _enqueue(doc)


def _set_head(doc: Doc, revision: Revision, rendered: Rendered | None = None) -> None:
    """Make ``revision`` the head, publish it where the page is published, and index what is live."""
    doc.head_revision = revision
    if doc.status == Status.PUBLISHED:
        doc.published_revision = revision
    if doc.status == Status.ARCHIVED:
        ingest.withdraw(doc)
    elif doc.live_revision_id != doc.indexed_revision_id:
        _index_live(doc, rendered)
    doc.save()


def _revision(revision_id: UUID | None) -> Revision:
    assert revision_id is not None, "a page has a head revision from its first transaction on"
    return Revision.objects.get(pk=revision_id)


def _index_live(doc: Doc, rendered: Rendered | None = None) -> None:
    """Index the live revision. A failure keeps the last good one live and shows on the page.

    ``rendered`` is what was rendered from it just now, if it was.
    """
    revision = _revision(doc.live_revision_id)
    last_good = doc.indexed_revision_id
    try:
        with transaction.atomic():
            ingest.index_revision(doc, revision)
            if rendered is None:
                rendered = render(revision.source, revision.source_format)
            linking.replace_links(doc, rendered.links)
    except Exception as error:
        # Whatever broke, the save itself must not be lost.
        logger.exception("index_failed", extra={"doc_id": str(doc.pk), "revision": revision.number})
        doc.indexed_revision_id = last_good
        doc.index_state = IndexState.FAILED
        doc.index_error = type(error).__name__
        events.record(
            events.EventName.INDEX_FAILED,
            doc_id=str(doc.pk),
            revision=revision.number,
            error=type(error).__name__,
        )


def _enqueue(doc: Doc) -> None:
    if doc.index_state == IndexState.PENDING and doc.indexed_revision_id:
        transaction.on_commit(partial(send_embed, str(doc.tenant_id), str(doc.pk)))


def send_embed(tenant_id: str, doc_id: str) -> None:
    """Ask for a page's vectors. An unreachable broker loses nothing: the reconciler asks again."""
    try:
        tasks.embed_page.delay(tenant_id, doc_id)
    except BrokerUnreachable:
        logger.warning("broker_unreachable", extra={"tenant_id": tenant_id, "doc_id": doc_id})


def _title(value: str | None) -> str:
    title = clean_text(value or "").strip()
    if not title:
        raise InvalidPage("title", "A page needs a title.")
    if len(title) > MAX_TITLE:
        raise InvalidPage("title", f"A title has at most {MAX_TITLE} characters.")
    return title


def _source(value: str | None) -> str:
    source = normalise_source(value or "")
    if not source:
        raise InvalidPage("source", "A page needs some text.")
    if len(source) > MAX_SOURCE:
        raise InvalidPage("source", f"A page has at most {MAX_SOURCE:,} characters.")
    return source


def _choice(field: str, value: Any, allowed: list[str]) -> str:
    if value not in allowed:
        raise InvalidPage(field, f"One of: {', '.join(allowed)}.")
    return str(value)


def _set_audience(doc: Doc, fields: PageFields) -> None:
    doc.visibility = _choice("visibility", fields.visibility or doc.visibility, Visibility.values)
    if fields.allowed_groups is not None:
        groups = [clean_text(group).strip() for group in fields.allowed_groups]
        doc.allowed_groups = sorted({group for group in groups if group})
    if doc.visibility == Visibility.ROLE_RESTRICTED and not doc.allowed_groups:
        raise InvalidPage("allowed_groups", "A restricted page names the groups that may read it.")


def _language(value: str | None, title: str, rendered: Rendered) -> str:
    """As given, else guessed from the page's own words."""
    if value:
        return clean_text(value).strip().lower()[:12]
    return detect_language(f"{title}\n{rendered.text[:4000]}") or ""


def _free_slug(wanted_slug: str, *, wanted: bool) -> str:
    """A slug is a path. ``wanted``: the caller chose it, so a taken one is an error, not renamed."""
    parts = [slugify(part, allow_unicode=True) for part in clean_text(wanted_slug).split("/")]
    slug = "/".join(part for part in parts if part)[:180] or "page"
    taken = set(
        Doc.objects.filter(slug__startswith=slug, deleted_at=None).values_list("slug", flat=True)
    )
    if slug not in taken:
        return slug
    if wanted:
        raise InvalidPage("slug", "Another page has this address.")
    return next(
        candidate for n in range(2, len(taken) + 3) if (candidate := f"{slug}-{n}") not in taken
    )
