"""Links with which people choose a new password: by mail on request, or made by an admin.

A link works once and for ``PASSWORD_RESET_TIMEOUT`` seconds. It dies with everything that tells
that it is not needed or not ours to give any more: a new password, a new address, a sign-in, and
joining or leaving an organisation, so that an admin never holds a key to somebody else's member.
"""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db.models import Q
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _

from memory import tenancy
from memory.models import Membership, User
from memory.people import mailing, people_audit


class BelongsElsewhere(ValueError):
    """The account is also of another organisation, and so not this one's to open."""


class _Tokens(PasswordResetTokenGenerator):
    key_salt = "memory.people.passwords"

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        places = Membership.objects.filter(user=user).order_by("tenant_id")
        belongs = ",".join(
            f"{tenant_id.hex}{is_active:d}"
            for tenant_id, is_active in places.values_list("tenant_id", "is_active")
        )
        return f"{super()._make_hash_value(user, timestamp)}{belongs}"


tokens = _Tokens()


def find_accounts(said: str) -> list[UUID]:
    """Accounts that can get mail, by user name or e-mail address."""
    said = said.strip()
    named = Q(username=said) | Q(email__iexact=said)
    reachable = User.objects.filter(named, is_active=True).exclude(email="")
    return list(reachable.values_list("pk", flat=True)[:10])


def address_of(user: User) -> tuple[str, str]:
    """The two parts of the link's address: who, and the token."""
    return urlsafe_base64_encode(force_bytes(user.pk)), tokens.make_token(user)


def mail_link(user_id: UUID, link_of: str) -> bool:
    """Mail a link. ``link_of`` is its address with ``{who}`` and ``{token}``. False where none was sent."""
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is None or not user.email:
        return False
    who, token = address_of(user)
    context = {"user": user, "link": link_of.format(who=who, token=token)}
    return mailing.send(user.email, "password", context)


def make_link(actor: Membership, member: Membership) -> tuple[str, str]:
    """The parts of a link for a member of the actor's organisation, to be handed over in person.

    Raises ``BelongsElsewhere``.
    """
    if Membership.objects.filter(user=member.user).exclude(tenant_id=actor.tenant_id).exists():
        raise BelongsElsewhere(_("This account also belongs to another organisation."))
    with tenancy.scope(actor.tenant_id):
        made = address_of(member.user)
        people_audit.password_link_made(actor, member.user_id)
    return made
