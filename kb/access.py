"""Who may see which page, as conditions that become part of SQL.

    live      published once, not archived, not deleted
    audience  public · organisation: any member · groups: a shared group · its owner and admins always

Readers see live pages of their audience; editors also drafts and archived ones. The same condition
filters lists, pages, links, search and the context of an ask, so that none can show more than another.
"""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q, QuerySet

from kb.models import AskedQuestion, Doc, Status, Visibility
from memory.models import Membership

_WIDEST_FIRST = (Visibility.PUBLIC, Visibility.ORG_ONLY, Visibility.ROLE_RESTRICTED)

LIVE = Q(deleted_at=None, published_revision__isnull=False) & ~Q(status=Status.ARCHIVED)


def audience(member: Membership | None) -> Q:
    """Pages that a member (None: an anonymous reader) is meant to read, whatever their status."""
    if member is None:
        return Q(visibility=Visibility.PUBLIC)
    if member.is_admin:
        return Q()
    return (
        Q(visibility__in=(Visibility.PUBLIC, Visibility.ORG_ONLY))
        | Q(visibility=Visibility.ROLE_RESTRICTED, allowed_groups__overlap=member.groups)
        | Q(owner_id=member.user_id)
    )


def visible_docs(member: Membership | None) -> QuerySet[Doc]:
    """Every page that a member may open."""
    docs = Doc.objects.filter(audience(member), deleted_at=None)
    if member is None:
        return docs.filter(LIVE)
    if member.can_write:
        return docs
    return docs.filter(LIVE)


def readable_docs(member: Membership | None) -> QuerySet[Doc]:
    """Live pages that a member may read: what an answer may be built from."""
    return Doc.objects.filter(LIVE, audience(member))


def searchable_docs(member: Membership | None) -> QuerySet[Doc]:
    """Pages that a search may lead to: those that the member may open and that still hold."""
    return visible_docs(member).exclude(status=Status.ARCHIVED)


def askable_docs(member: Membership) -> QuerySet[Doc]:
    """Pages that a member may ask: live ones, and drafts that never were published, for editors."""
    return visible_docs(member).exclude(status=Status.ARCHIVED)


def can_edit(member: Membership | None, doc: Doc) -> bool:
    """For a page that the member may see."""
    return member is not None and member.can_write


def is_narrower(doc: Doc, visibility: str, groups: Collection[str]) -> bool:
    """Whether somebody may have read a page with this visibility and these groups, and may not now."""
    if doc.visibility != visibility:
        return _WIDEST_FIRST.index(doc.visibility) > _WIDEST_FIRST.index(visibility)
    return doc.visibility == Visibility.ROLE_RESTRICTED and not set(groups) <= set(
        doc.allowed_groups
    )


def visible_questions(member: Membership) -> QuerySet[AskedQuestion]:
    """A member's own questions; an admin's are everybody's. ``history`` says what of them is shown."""
    if member.is_admin:
        return AskedQuestion.objects.all()
    return AskedQuestion.objects.filter(asked_by=member.user_id)
