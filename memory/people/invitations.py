"""Invitations: a link that lets one person join an organisation, until it expires or is taken back.

    <tenant id, 32 hex><secret>.<signature>

The tenant stands in clear, so that it can be set before the digest is looked up under row security;
the signature keeps made-up tokens from ever reaching the database. Accepting is the invited
person's own act, with their own account or a new one: nobody is added without knowing, and an
administration never learns which accounts exist elsewhere.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from django.core import signing
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from memory import tenancy
from memory.models import Invitation, Membership, User
from memory.people import people_audit

LIFETIME = timedelta(days=7)

_SALT = "memory.people.invitations"
_TENANT = 32  # hex digits of its id


class InvitationState(StrEnum):
    OPEN = "open"
    EXPIRED = "expired"
    ACCEPTED = "accepted"
    REVOKED = "revoked"


class InvitationNotFound(ValueError):
    """A token that we did not sign, or whose secret was replaced by a newer one."""


class InvitationEnded(ValueError):
    """An invitation of ours that lets nobody in any more; ``state`` says why."""

    def __init__(self, state: InvitationState) -> None:
        super().__init__(state.value)
        self.state = state


class MemberAlready(ValueError):
    """Who would accept belongs to the organisation as it is."""


def invite(
    actor: Membership,
    *,
    role: str,
    groups: Iterable[str] = (),
    email: str = "",
    username: str = "",
    lifetime: timedelta = LIFETIME,
) -> tuple[Invitation, str]:
    """A new invitation and its token. This is the only time that the token can be seen."""
    with tenancy.scope(actor.tenant_id):
        secret = secrets.token_urlsafe(32)
        invitation = Invitation.objects.create(
            tenant_id=actor.tenant_id,
            email=email,
            username=username,
            role=role,
            groups=sorted(set(groups)),
            digest=_digest(secret),
            created_by=actor.user,
            expires_at=timezone.now() + lifetime,
        )
        people_audit.invitation_created(actor, invitation)
    return invitation, _token(actor.tenant_id, secret)


def renew(actor: Membership, invitation: Invitation, *, lifetime: timedelta = LIFETIME) -> str:
    """A new token, and its time begins again; the token before it opens nothing any more.

    The actor vouches for it from now on. Raises ``InvitationEnded`` for one that was accepted or
    revoked.
    """
    with tenancy.scope(actor.tenant_id):
        stored = Invitation.objects.select_for_update().get(pk=invitation.pk)
        if (ended := state(stored)) in (InvitationState.ACCEPTED, InvitationState.REVOKED):
            raise InvitationEnded(ended)
        before = people_audit.invitation_state(stored)
        secret = secrets.token_urlsafe(32)
        stored.digest = _digest(secret)
        stored.created_by = actor.user
        stored.expires_at = timezone.now() + lifetime
        stored.save(update_fields=["digest", "created_by", "expires_at"])
        people_audit.invitation_renewed(actor, stored, before)
    return _token(actor.tenant_id, secret)


def revoke(actor: Membership, invitations: QuerySet[Invitation]) -> int:
    """Take open invitations back, for good. Returns how many were open."""
    with transaction.atomic():
        waiting = invitations.filter(accepted_at=None, revoked_at=None).order_by("pk")
        ended = list(waiting.select_for_update(of=("self",)))
        Invitation.objects.filter(pk__in=[one.pk for one in ended]).update(
            revoked_at=timezone.now()
        )
        people_audit.invitations_revoked(actor, ended)
    return len(ended)


def revoke_all_by(actor: Membership, user: User) -> None:
    """What somebody promised as an admin ends when they are none any more."""
    revoke(actor, Invitation.objects.filter(created_by=user))


def read(token: str) -> Invitation:
    """An open invitation with its ``tenant``. Opens the tenant's scope itself.

    Raises ``InvitationNotFound``, ``InvitationEnded``.
    """
    tenant_id, digest = _parts(token)
    with tenancy.scope(tenant_id):
        return _open(digest, Invitation.objects.select_related("tenant"))


def accept(token: str, user: User) -> Membership:
    """Make ``user`` a member; an unsaved one is saved with it, or not at all.

    A former member comes back with what the invitation gives. Raises as ``read``, and
    ``MemberAlready``, which leaves the invitation open.
    """
    tenant_id, digest = _parts(token)
    with tenancy.scope(tenant_id):
        # Locked: of two who accept at once, one gets in.
        invitation = _open(digest, Invitation.objects.select_for_update(of=("self",)))
        if user._state.adding:
            user.save()
        member = _join(user, invitation)
        invitation.accepted_at, invitation.accepted_by = timezone.now(), user
        invitation.email = invitation.username = ""
        invitation.save()
    return member


def state(invitation: Invitation, now: datetime | None = None) -> InvitationState:
    if invitation.accepted_at is not None:
        return InvitationState.ACCEPTED
    if invitation.revoked_at is not None:
        return InvitationState.REVOKED
    is_over = invitation.expires_at <= (now or timezone.now())
    return InvitationState.EXPIRED if is_over else InvitationState.OPEN


def _open(digest: str, invitations: QuerySet[Invitation]) -> Invitation:
    invitation = invitations.filter(digest=digest).first()
    if invitation is None:
        raise InvitationNotFound("There is no such invitation.")
    if (current := state(invitation)) is not InvitationState.OPEN:
        raise InvitationEnded(current)
    return invitation


def _join(user: User, invitation: Invitation) -> Membership:
    gives = {"role": invitation.role, "groups": invitation.groups}
    member, is_new = Membership.objects.select_for_update(of=("self",)).get_or_create(
        tenant_id=invitation.tenant_id, user=user, defaults=gives
    )
    if is_new:
        people_audit.member_added(user.pk, member, invitation_id=invitation.pk)
        return member
    if member.is_active:
        raise MemberAlready(_("You belong to this organisation already."))
    before = people_audit.membership_state(member)
    member.role, member.groups, member.is_active = invitation.role, invitation.groups, True
    member.save()
    people_audit.member_changed(member, member, before, invitation_id=invitation.pk)
    return member


def _parts(token: str) -> tuple[UUID, str]:
    """Tenant and digest of a token that we signed. Raises ``InvitationNotFound``."""
    try:
        signed = _signer().unsign(token)
    except signing.BadSignature as error:
        raise InvitationNotFound("There is no such invitation.") from error
    return UUID(signed[:_TENANT]), _digest(signed[_TENANT:])


def _token(tenant_id: UUID, secret: str) -> str:
    return _signer().sign(f"{tenant_id.hex}{secret}")


def _signer() -> signing.Signer:
    return signing.Signer(sep=".", salt=_SALT)


def _digest(secret: str) -> str:
    # A secret has 256 bits of entropy, so a plain digest cannot be searched.
    return hashlib.sha256(secret.encode()).hexdigest()
