"""API keys: made once, shown once, kept as a digest.

    fn_<tenant id, 32 hex>_<secret>

The tenant is in clear, so that it can be set before the digest is looked up under row security.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from memory import tenancy
from memory.models import ApiKey, Membership
from memory.people import people_audit

_FORMAT = re.compile(r"fn_([0-9a-f]{32})_([A-Za-z0-9_-]{40,64})")
_LAST_USED_PRECISION = timedelta(minutes=1)  # a write on every call would make every read a write

READ_SCOPES = ("kb:read", "kb:ask", "memory:read")
WRITE_SCOPES = ("kb:write", "memory:write")
ALL_SCOPES = READ_SCOPES + WRITE_SCOPES


@dataclass(frozen=True, slots=True)
class Authenticated:
    """Whom a key speaks for, and what it may be used for."""

    member: Membership
    scopes: frozenset[str]


def allowed_scopes(member: Membership) -> tuple[str, ...]:
    return ALL_SCOPES if member.can_write else READ_SCOPES + ("memory:write",)


def create_key(
    member: Membership,
    *,
    name: str = "",
    scopes: Iterable[str] | None = None,
    expires_at: datetime | None = None,
    actor: Membership | None = None,
) -> str:
    """Store a new key of a member and return it. This is the only time it can be seen.

    ``actor`` makes it, the member themselves unless named. Raises ``ValueError`` for a scope that
    the member's role does not allow.
    """
    allowed = allowed_scopes(member)
    chosen = tuple(scopes) if scopes is not None else allowed
    if unknown := set(chosen) - set(allowed):
        raise ValueError(f"not allowed for a {member.role}: {', '.join(sorted(unknown))}")
    key = f"fn_{member.tenant_id.hex}_{secrets.token_urlsafe(32)}"
    row = ApiKey.objects.create(
        tenant_id=member.tenant_id,
        user_id=member.user_id,
        name=name,
        digest=_digest(key),
        scopes=list(chosen),
        expires_at=expires_at,
    )
    people_audit.key_created(actor or member, row)
    return key


def revoke(rows: QuerySet[ApiKey], *, actor: Membership) -> int:
    """End these keys now, for good. Returns how many were not revoked before."""
    with transaction.atomic():
        ended = list(rows.filter(revoked_at=None).select_for_update(of=("self",)))
        ApiKey.objects.filter(pk__in=[key.pk for key in ended]).update(revoked_at=timezone.now())
        people_audit.keys_revoked(actor, ended)
    return len(ended)


def authenticate(key: str) -> Authenticated | None:
    """The member behind a key, or None for a key that is malformed, unknown, expired or revoked."""
    match = _FORMAT.fullmatch(key)
    if match is None:
        return None
    now = timezone.now()
    with tenancy.scope(UUID(match[1])):
        row = (
            ApiKey.objects.filter(digest=_digest(key), revoked_at=None)
            .filter(Q(expires_at=None) | Q(expires_at__gt=now))
            .first()
        )
        if row is None:
            return None
        member = (
            Membership.objects.select_related("user", "tenant")
            .filter(tenant_id=row.tenant_id, user_id=row.user_id, is_active=True)
            .filter(user__is_active=True)
            .first()
        )
        if member is None:
            return None
        if row.last_used_at is None or row.last_used_at < now - _LAST_USED_PRECISION:
            ApiKey.objects.filter(pk=row.pk).update(last_used_at=now)
    # A key never does more than its owner's role allows today.
    return Authenticated(member, frozenset(row.scopes) & frozenset(allowed_scopes(member)))


def _digest(key: str) -> str:
    # A key has 256 bits of entropy, so a plain digest cannot be searched.
    return hashlib.sha256(key.encode()).hexdigest()
