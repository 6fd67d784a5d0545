"""Audit entries of the organisation's people and keys: who changed what. The last step of a change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from memory import audit, audit_kinds
from memory.models import ApiKey, Invitation, Membership, Tenant, User

_State = Mapping[str, Any]


def membership_state(member: Membership) -> dict[str, Any]:
    return {"role": member.role, "groups": list(member.groups), "is_active": member.is_active}


def member_added(actor_id: UUID, member: Membership, **about: Any) -> None:
    after = membership_state(member)
    _append(audit_kinds.MEMBER_ADDED, actor_id, None, after, user_id=member.user_id, **about)


def member_changed(actor: Membership, member: Membership, before: _State, **about: Any) -> None:
    """``before`` is the ``membership_state`` that was stored. No entry where nothing changed."""
    if (after := membership_state(member)) != before:
        about["user_id"] = member.user_id
        _append(audit_kinds.MEMBER_CHANGED, actor.user_id, before, after, **about)


def invitation_state(invitation: Invitation) -> dict[str, Any]:
    """What it gives and until when. Never whom it names, nor its digest."""
    return {
        "role": invitation.role,
        "groups": list(invitation.groups),
        "expires_at": invitation.expires_at.isoformat(),
    }


def invitation_created(actor: Membership, invitation: Invitation) -> None:
    after = invitation_state(invitation)
    about = {"invitation_id": invitation.pk}
    _append(audit_kinds.MEMBER_INVITED, actor.user_id, None, after, **about)


def invitation_renewed(actor: Membership, invitation: Invitation, before: _State) -> None:
    after = invitation_state(invitation)
    about = {"invitation_id": invitation.pk}
    _append(audit_kinds.INVITATION_RENEWED, actor.user_id, before, after, **about)


def invitations_revoked(actor: Membership, invitations: Iterable[Invitation]) -> None:
    for invitation in invitations:
        before, about = invitation_state(invitation), {"invitation_id": invitation.pk}
        _append(audit_kinds.INVITATION_REVOKED, actor.user_id, before, None, **about)


def password_link_made(actor: Membership, user_id: UUID) -> None:
    audit.append(audit_kinds.PASSWORD_LINK_MADE, {"actor": actor.user_id, "user_id": user_id})


def account_changed(actor: Membership, user: User, stored: User, fields: Iterable[str]) -> None:
    """Of names and addresses only that they changed: a chain cannot forget a person."""
    different = [name for name in fields if getattr(user, name) != getattr(stored, name)]
    if different:
        _append(
            audit_kinds.ACCOUNT_CHANGED,
            actor.user_id,
            {"is_active": stored.is_active},
            {"is_active": user.is_active},
            user_id=user.pk,
            fields=different,
        )


def tenant_changed(actor: Membership, tenant: Tenant, before: _State) -> None:
    if (after := tenant_state(tenant)) != before:
        _append(audit_kinds.TENANT_CHANGED, actor.user_id, before, after)


def tenant_state(tenant: Tenant) -> dict[str, Any]:
    return {"name": tenant.name, "slug": tenant.slug}


def key_created(actor: Membership, key: ApiKey) -> None:
    about = {"user_id": key.user_id, "key_id": key.pk}
    _append(audit_kinds.KEY_CREATED, actor.user_id, None, _key_state(key), **about)


def keys_revoked(actor: Membership, keys: Iterable[ApiKey]) -> None:
    for key in keys:
        about = {"user_id": key.user_id, "key_id": key.pk}
        _append(audit_kinds.KEY_REVOKED, actor.user_id, _key_state(key), None, **about)


def _key_state(key: ApiKey) -> dict[str, Any]:
    """Never its digest."""
    expires = key.expires_at
    return {
        "name": key.name,
        "scopes": list(key.scopes),
        "expires_at": expires.isoformat() if expires else None,
    }


def _append(
    kind: str, actor_id: UUID, before: _State | None, after: _State | None, **about: Any
) -> None:
    audit.append(kind, {"actor": actor_id, "before": before, "after": after, **about})
