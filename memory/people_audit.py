"""Audit entries of the organisation's people and keys: who changed what. The last step of a change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from memory import audit
from memory.models import ApiKey, Membership

_CHANGE = ("actor", "user_id", "before", "after")

MEMBER_ADDED = audit.register("org.member_added", *_CHANGE)
MEMBER_CHANGED = audit.register("org.member_changed", *_CHANGE)
KEY_CREATED = audit.register("org.key_created", *_CHANGE)
KEY_REVOKED = audit.register("org.key_revoked", *_CHANGE)


def membership_state(member: Membership) -> dict[str, Any]:
    return {"role": member.role, "groups": list(member.groups), "is_active": member.is_active}


def member_added(actor: Membership, member: Membership) -> None:
    _append(MEMBER_ADDED, actor, member.user_id, None, membership_state(member))


def member_changed(actor: Membership, member: Membership, before: Mapping[str, Any]) -> None:
    """``before`` is the ``membership_state`` that was stored. No entry where nothing changed."""
    if (after := membership_state(member)) != before:
        _append(MEMBER_CHANGED, actor, member.user_id, before, after)


def key_created(actor: Membership, key: ApiKey) -> None:
    _append(KEY_CREATED, actor, key.user_id, None, _key_state(key))


def keys_revoked(actor: Membership, keys: Iterable[ApiKey]) -> None:
    for key in keys:
        _append(KEY_REVOKED, actor, key.user_id, _key_state(key), None)


def _key_state(key: ApiKey) -> dict[str, Any]:
    """Never its digest."""
    expires = key.expires_at
    return {
        "key_id": key.pk,
        "name": key.name,
        "scopes": list(key.scopes),
        "expires_at": expires.isoformat() if expires else None,
    }


def _append(
    kind: str,
    actor: Membership,
    user_id: UUID,
    before: Mapping[str, Any] | None,
    after: Mapping[str, Any] | None,
) -> None:
    body = {"actor": actor.user_id, "user_id": user_id, "before": before, "after": after}
    audit.append(kind, body)
