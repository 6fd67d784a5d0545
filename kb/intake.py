"""Every change of a page. One transaction each; the actor is passed in; work is enqueued on commit.

Called inside the tenant's scope. Rights to the page were checked by whoever found it; the rights
to change it are checked here.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError as BrokerUnreachable

from kb import access, addresses, attachments, ingest, linking, page_audit, sharing, tasks
from kb.errors import EditConflict, InvalidPage, PageNotFound
from kb.models import (
    Category,
    Doc,
    DocLink,
    IndexState,
    Revision,
    SourceFormat,
    Status,
    Visibility,
)
from kb.properties import Properties
from kb.rendering import Rendered, render
from kb.slugs import slug_path
from memory import events
from memory.language.analysis import detect_language
from memory.language.text import clean_text, normalise_source
from memory.models import Membership, Role, User

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
    category: str | None = None  # "" for none
    visibility: str | None = None
    allowed_groups: list[str] | None = None
    status: str | None = None
    owner: str | None = None  # the name that a member signs in with

    def properties(self) -> dict[str, Any]:
        """The properties that are set, as they will be stored."""
        given = {
            "slug": slug_path(clean_text(self.slug)) if self.slug else None,
            "status": self.status,
            "visibility": self.visibility,
            "allowed_groups": None if self.allowed_groups is None else _groups(self.allowed_groups),
            "category": self.category,
            "language": self.language,
            "owner": self.owner,
        }
        return {name: value for name, value in given.items() if value is not None}


class _Words(NamedTuple):
    """What a revision holds."""

    title: str
    source: str
    source_format: str

    @classmethod
    def of(cls, revision: Revision) -> _Words:
        return cls(revision.title, revision.source, revision.source_format)

    def render(self) -> Rendered:
        return render(self.source, self.source_format)


def create_page(actor: Membership, fields: PageFields, *, enqueue: bool = True) -> Doc:
    """A new page, owned by the actor. Raises ``InvalidPage``, or ``PageNotFound`` for a reader.

    ``enqueue`` False leaves the vectors to the caller, here and below (``kb.index.embed_page``).
    """
    if not actor.can_write:
        raise PageNotFound("Only editors can write pages.")
    words = _Words(
        title=_title(fields.title),
        source=_source(fields.source),
        source_format=_format(fields.source_format or SourceFormat.MARKDOWN),
    )
    doc = Doc(tenant_id=actor.tenant_id, title=words.title, owner=actor.user)
    _set_properties(actor, doc, fields)
    rendered = words.render()
    doc.language = _language(fields.language, words.title, rendered)
    with transaction.atomic():
        addresses.claim(doc, fields.slug or words.title, chosen=fields.slug is not None)
        revision = ingest.add_revision(doc, rendered, created_by=actor.user, **words._asdict())
        attachments.attach(actor, doc, rendered.html)
        addresses.settle(doc)
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
    base: Properties | None = None,
    restores: int | None = None,
    enqueue: bool = True,
) -> Doc:
    """Change a page. Raises ``InvalidPage``; ``EditConflict`` where ``base_revision`` is not the newest, or
    where a property is no longer as in ``base`` and the change would overwrite what it is now.

    ``restores`` is the number of the revision that the text was taken from, for the audit.
    """
    if not access.can_edit(actor, doc):
        raise PageNotFound("There is no such page.")
    with transaction.atomic():
        doc = _locked(doc, deleted_at=None)
        before = page_audit.state(doc)
        head = _revision(doc.head_revision_id)
        is_stale = base_revision not in (None, head.number)
        if is_stale or (base and base.lost_by(fields.properties(), Properties.of(doc))):
            raise EditConflict(head.number)
        words = _Words(
            title=_title(fields.title) if fields.title is not None else doc.title,
            source=_source(fields.source) if fields.source is not None else head.source,
            source_format=_format(fields.source_format or head.source_format),
        )
        _set_properties(actor, doc, fields)
        rendered = words.render() if words != _Words.of(head) else None
        if fields.language is not None:
            doc.language = _language(fields.language, words.title, rendered or words.render())
        if fields.slug is not None and fields.slug != doc.slug:
            addresses.claim(doc, fields.slug, chosen=True)
        if rendered is not None:
            head = ingest.add_revision(doc, rendered, created_by=actor.user, **words._asdict())
            attachments.attach(actor, doc, rendered.html)
        doc.title = words.title
        addresses.settle(doc, former=before["slug"])
        _set_head(doc, head, rendered)
        linking.resolve_wanted_links(doc)
        page_audit.changed(actor, doc, before, restores=restores)
        if access.is_narrower(doc, before["visibility"], before["allowed_groups"]):
            sharing.withdraw_links(actor, doc)
        if enqueue:
            _enqueue(doc)
    return doc


def restore_revision(actor: Membership, doc: Doc, number: int, *, base_revision: int) -> Doc:
    """Make an earlier revision's title and text the newest revision. History only grows.

    Raises as ``update_page``, and ``PageNotFound`` for a revision that the page never had.
    """
    earlier = Revision.objects.filter(doc=doc, number=number).first()
    if earlier is None:
        raise PageNotFound("There is no such revision.")
    fields = PageFields(
        title=earlier.title, source=earlier.source, source_format=earlier.source_format
    )
    return update_page(actor, doc, fields, base_revision=base_revision, restores=number)


def delete_page(actor: Membership, doc: Doc) -> None:
    """Move a page to the bin. Nothing of it answers from now on; ``restore_page`` brings it back."""
    if not access.can_edit(actor, doc):
        raise PageNotFound("There is no such page.")
    with transaction.atomic():
        doc = _locked(doc, deleted_at=None)
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
        doc = _locked(doc, deleted_at__isnull=False)
        doc.deleted_at = None
        addresses.claim(doc, doc.slug, chosen=False)
        addresses.settle(doc)
        _set_head(doc, _revision(doc.head_revision_id))
        linking.resolve_wanted_links(doc)
        page_audit.restored(actor, doc)
        _enqueue(doc)
    return doc


def retry_index(doc: Doc, *, anew: bool = False, enqueue: bool = True) -> Doc:
    """Index a page again from its live revision: after a failure, or by new rules.

    The index that it has answers until this transaction ends, and goes on if it fails; the page's
    ``index_state`` says so. Nothing is done to a page that was deleted or archived meanwhile.
    """
    with transaction.atomic():
        doc = Doc.objects.select_for_update().get(pk=doc.pk)
        if doc.deleted_at is None and doc.status != Status.ARCHIVED:
            _index_live(doc, anew=anew)
            doc.save()
            if enqueue:
                _enqueue(doc)
    return doc


def _set_head(doc: Doc, revision: Revision, rendered: Rendered | None = None) -> None:
    """Make ``revision`` the head, publish it where the page is published, and index what is live."""
    doc.head_revision = revision
    if doc.status == Status.PUBLISHED:
        doc.published_revision = revision
    if doc.status == Status.ARCHIVED:
        ingest.withdraw(doc)
    elif not ingest.is_current(doc):
        _index_live(doc, rendered)
    doc.save()


def _locked(doc: Doc, **state: Any) -> Doc:
    """The page as it is now, while nobody else changes it. It may be gone since it was found."""
    found = Doc.objects.select_for_update().filter(pk=doc.pk, **state).first()
    if found is None:
        raise PageNotFound("There is no such page.")
    return found


def _revision(revision_id: UUID | None) -> Revision:
    assert revision_id is not None, "a page has a head revision from its first transaction on"
    return Revision.objects.get(pk=revision_id)


def _index_live(doc: Doc, rendered: Rendered | None = None, *, anew: bool = False) -> None:
    """Index the live revision. A failure keeps the last good one live and shows on the page.

    ``rendered`` is what was rendered from it just now, if it was.
    """
    revision = _revision(doc.live_revision_id)
    last_good, last_rules = doc.indexed_revision_id, doc.index_rules
    try:
        with transaction.atomic():
            ingest.index_revision(doc, revision, anew=anew)
            if rendered is None:
                rendered = render(revision.source, revision.source_format)
            linking.replace_links(doc, rendered.links)
    except Exception as error:
        # Whatever broke, the save itself must not be lost.
        logger.exception("index_failed", extra={"doc_id": str(doc.pk), "revision": revision.number})
        doc.indexed_revision_id, doc.index_rules = last_good, last_rules
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
    _send(tasks.embed_page, tenant_id, doc_id)


def send_rebuild(tenant_id: str, doc_id: str) -> None:
    """Ask for a page's chunks, terms and vectors by today's rules."""
    _send(tasks.rebuild_page, tenant_id, doc_id)


def _send(task: Any, tenant_id: str, doc_id: str) -> None:
    try:
        task.delay(tenant_id, doc_id)
    except BrokerUnreachable:
        logger.warning("broker_unreachable", extra={"tenant_id": tenant_id, "doc_id": doc_id})


def _title(value: str | None) -> str:
    title = clean_text(value or "").strip()
    if not title:
        raise InvalidPage("title", _("A page needs a title."))
    if len(title) > MAX_TITLE:
        raise InvalidPage(
            "title", _("A title has at most {most} characters.").format(most=MAX_TITLE)
        )
    return title


def _source(value: str | None) -> str:
    source = normalise_source(value or "")
    if not source:
        raise InvalidPage("source", _("A page needs some text."))
    if len(source) > MAX_SOURCE:
        raise InvalidPage(
            "source", _("A page has at most {most} characters.").format(most=f"{MAX_SOURCE:,}")
        )
    return source


def _format(value: str) -> str:
    return _choice("source_format", value, SourceFormat.values)


def _choice(field: str, value: Any, allowed: list[str]) -> str:
    if value not in allowed:
        raise InvalidPage(field, _("One of: {names}.").format(names=", ".join(allowed)))
    return str(value)


def _owner(actor: Membership, fields: PageFields, doc: Doc) -> User:
    """Whoever owns a page may always read it and hand it on, so only they and admins may do that."""
    if fields.owner is None or fields.owner == doc.owner.username:
        return doc.owner
    if not (actor.is_admin or doc.owner_id == actor.user_id):
        raise InvalidPage("owner", _("Only its owner or an admin can hand a page over."))
    to = Membership.objects.select_related("user").filter(
        tenant_id=doc.tenant_id,
        user__username=fields.owner,
        user__is_active=True,
        is_active=True,
        role__in=(Role.EDITOR, Role.ADMIN),
    )
    member = to.first()
    if member is None:
        raise InvalidPage("owner", _("An owner is an editor or an admin of this organisation."))
    return member.user


def _set_properties(actor: Membership, doc: Doc, fields: PageFields) -> None:
    """All but its address and its language, which rest on the text, too."""
    doc.status = _choice("status", fields.status or doc.status, Status.values)
    doc.visibility = _choice("visibility", fields.visibility or doc.visibility, Visibility.values)
    if fields.allowed_groups is not None:
        doc.allowed_groups = list(_groups(fields.allowed_groups))
    if doc.visibility == Visibility.ROLE_RESTRICTED and not doc.allowed_groups:
        raise InvalidPage(
            "allowed_groups", _("A restricted page names the groups that may read it.")
        )
    if fields.category is not None:
        doc.category = _choice("category", fields.category, ["", *Category.values])
    doc.owner = _owner(actor, fields, doc)


def _groups(names: Iterable[str]) -> tuple[str, ...]:
    """Sorted, each once."""
    return tuple(sorted({clean_text(name).strip() for name in names} - {""}))


def _language(value: str | None, title: str, rendered: Rendered) -> str:
    """As given, else guessed from the page's own words."""
    if value:
        return clean_text(value).strip().lower()[:12]
    return detect_language(f"{title}\n{rendered.text[:4000]}") or ""
