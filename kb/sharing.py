"""Share links: one page, for whoever has the address, until it expires, is used up or revoked.

    <tenant id, 32 hex><link id, 32 hex>.<signature>

Both ids stand in clear, so that the tenant can be set before the link is looked up under row
security. The signature keeps ids from being tried out; what a link opens is decided by its row.
Who may edit a page may share it, a restricted one too: the audit says who did.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from django.core import signing
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from kb import access, audit_kinds
from kb.errors import InvalidLink, LinkEnded, PageNotFound
from kb.models import Doc, Revision, ShareLink
from memory import audit, tenancy
from memory.models import Membership

LIFETIME = timedelta(hours=24)
MAX_LIFETIME = timedelta(days=365)
MAX_USES = 1_000_000

_SALT = "kb.sharing"
_IDS = 64  # hex digits of the two ids


class LinkState(StrEnum):
    OPEN = "open"
    EXPIRED = "expired"
    USED_UP = "used_up"
    REVOKED = "revoked"


@dataclass(frozen=True, slots=True)
class SharedPage:
    """What a link opens: the page's published revision, for somebody who is nobody here."""

    doc: Doc
    revision: Revision


def create_link(
    actor: Membership, doc: Doc, *, expires_at: datetime | None = None, max_uses: int = 0
) -> ShareLink:
    """A new link to a page that the actor sees. Raises ``PageNotFound``, ``InvalidLink``.

    Without ``expires_at`` it lives for a day. ``max_uses`` 0: as often as anybody likes.
    """
    _check_right(actor, doc)
    now = timezone.now()
    expires_at = expires_at or now + LIFETIME
    if not now < expires_at <= now + MAX_LIFETIME:
        raise InvalidLink("expires_at", _("A link ends in the future, within a year."))
    if not 0 <= max_uses <= MAX_USES:
        raise InvalidLink(
            "max_uses", _("From 0 (no limit) to {most}.").format(most=f"{MAX_USES:,}")
        )
    with transaction.atomic():
        if not Doc.objects.filter(access.LIVE, pk=doc.pk).exists():
            raise InvalidLink("doc", _("Only a published page can be shared."))
        link = ShareLink.objects.create(
            tenant_id=doc.tenant_id,
            doc=doc,
            created_by=actor.user,
            expires_at=expires_at,
            max_uses=max_uses,
        )
        _append(audit_kinds.SHARE_LINK_CREATED, actor, link, None, _state(link))
    return link


def links_of(actor: Membership, doc: Doc) -> QuerySet[ShareLink]:
    """A page's links, newest first, for those who may share it. Raises ``PageNotFound``."""
    _check_right(actor, doc)
    return ShareLink.objects.filter(doc=doc).select_related("created_by").order_by("-created_at")


def get_link(actor: Membership, link_id: UUID) -> ShareLink:
    """A link of a page that the actor may share. Raises ``PageNotFound``."""
    shared = access.visible_docs(actor)
    link = ShareLink.objects.select_related("doc").filter(pk=link_id, doc__in=shared).first()
    if link is None:
        raise PageNotFound("There is no such link.")
    _check_right(actor, link.doc)
    return link


def revoke_link(actor: Membership, link: ShareLink) -> None:
    """End a link now, for good. Ending it twice changes nothing."""
    _check_right(actor, link.doc)
    _revoke(actor, ShareLink.objects.filter(pk=link.pk))


def withdraw_links(actor: Membership, doc: Doc) -> None:
    """End what was shared before a page's audience was narrowed: nobody meant it for them since."""
    _revoke(actor, ShareLink.objects.filter(doc=doc, expires_at__gt=timezone.now()))


def open_link(token: str) -> SharedPage:
    """Count one use and return the page. Opens the scope of the link's tenant itself.

    Raises ``PageNotFound`` for a token that we did not sign, or whose page is not there (any more);
    ``LinkEnded`` for a link that expired, was used up or revoked.
    """
    tenant_id, link_id = _read(token)
    with tenancy.scope(tenant_id):
        link, page = _find(link_id)
        now = timezone.now()
        # Decided and counted in one statement: of two who come for the last use, one gets it.
        counted = ShareLink.objects.filter(
            Q(max_uses=0) | Q(used_count__lt=F("max_uses")),
            pk=link.pk,
            expires_at__gt=now,
            revoked_at=None,
        ).update(used_count=F("used_count") + 1)
        if not counted:
            link.refresh_from_db()
            raise LinkEnded(state(link, now))
        audit.append(audit_kinds.SHARE_LINK_USED, {"doc_id": link.doc_id, "link_id": link.pk})
    return page


def open_part(token: str) -> SharedPage:
    """The page of a link that was opened before, for what belongs to it (images): counts nothing.

    The last use is over when its images are fetched, so a used-up link still opens them until it
    expires or is revoked. Raises as ``open_link``.
    """
    tenant_id, link_id = _read(token)
    with tenancy.scope(tenant_id):
        link, page = _find(link_id)
        ended = state(link, timezone.now())
        if ended in (LinkState.EXPIRED, LinkState.REVOKED) or not link.used_count:
            raise LinkEnded(ended)
    return page


def token_of(link: ShareLink) -> str:
    return _signer().sign(f"{link.tenant_id.hex}{link.pk.hex}")


def state(link: ShareLink, now: datetime) -> LinkState:
    if link.revoked_at is not None:
        return LinkState.REVOKED
    if link.expires_at <= now:
        return LinkState.EXPIRED
    if link.max_uses and link.used_count >= link.max_uses:
        return LinkState.USED_UP
    return LinkState.OPEN


def _signer() -> signing.Signer:
    return signing.Signer(sep=".", salt=_SALT)


def _read(token: str) -> tuple[UUID, UUID]:
    """Tenant and link of a token that we signed. Raises ``PageNotFound``."""
    try:
        ids = _signer().unsign(token)
    except signing.BadSignature as error:
        raise PageNotFound("There is no such page.") from error
    return UUID(ids[: _IDS // 2]), UUID(ids[_IDS // 2 :])


def _find(link_id: UUID) -> tuple[ShareLink, SharedPage]:
    link = ShareLink.objects.filter(pk=link_id).first()
    docs = Doc.objects.filter(access.LIVE).select_related("tenant", "published_revision")
    doc = docs.filter(pk=link.doc_id).first() if link is not None else None
    if link is None or doc is None or doc.published_revision is None:
        raise PageNotFound("There is no such page.")
    return link, SharedPage(doc, doc.published_revision)


def _check_right(actor: Membership, doc: Doc) -> None:
    if not access.can_edit(actor, doc):
        raise PageNotFound("There is no such page.")


def _revoke(actor: Membership, links: QuerySet[ShareLink]) -> None:
    with transaction.atomic():
        ended = list(links.filter(revoked_at=None).order_by("pk").select_for_update())
        for link in ended:
            before = _state(link)
            link.revoked_at = timezone.now()
            link.save(update_fields=["revoked_at"])
            _append(audit_kinds.SHARE_LINK_REVOKED, actor, link, before, _state(link))


def _state(link: ShareLink) -> dict[str, object]:
    """What an entry tells of a link. Never its token, which opens it."""
    return {
        "expires_at": link.expires_at.isoformat(),
        "max_uses": link.max_uses,
        "used_count": link.used_count,
        "revoked_at": link.revoked_at.isoformat() if link.revoked_at else None,
    }


def _append(
    kind: str,
    actor: Membership,
    link: ShareLink,
    before: dict[str, object] | None,
    after: dict[str, object] | None,
) -> None:
    audit.append(
        kind,
        {
            "actor": actor.user_id,
            "doc_id": link.doc_id,
            "link_id": link.pk,
            "before": before,
            "after": after,
        },
    )
