"""Finding, adding and changing members."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from memory import tenancy
from memory.models import Membership, Role, Tenant, User
from memory.people import invitations, people_audit


class LastAdmin(ValueError):
    """The change would leave an organisation without an admin. The message is for people."""


class NoMember(ValueError):
    """No such active member, or more than one organisation to choose from."""


def find(username: str, *, tenant_slug: str | None = None) -> Membership:
    """The active membership of a user. Raises ``NoMember`` with a sentence for people."""
    _check_tenant(tenant_slug)
    found = list(_active(tenant_slug).filter(user__username=username)[:2])
    if not found:
        where = f" in {tenant_slug}" if tenant_slug else ""
        raise NoMember(f"There is no active member {username}{where}.")
    if len(found) > 1:
        raise NoMember(f"{username} belongs to several organisations: say which with --tenant.")
    return found[0]


def acting(username: str | None, *, tenant_slug: str | None = None) -> Membership:
    """Who a command acts as: the named user, else the tenant's first admin. Raises ``NoMember``."""
    if username:
        return find(username, tenant_slug=tenant_slug)
    _check_tenant(tenant_slug)
    admins = _active(tenant_slug).filter(role=Role.ADMIN).order_by("created_at")
    if tenant_slug is None and len({admin.tenant_id for admin in admins}) > 1:
        raise NoMember("There are several organisations: say which with --tenant.")
    admin = admins.first()
    if admin is None:
        raise NoMember("There is no admin to act as: say who with --user.")
    return admin


def add(
    tenant: Tenant,
    username: str,
    role: Role,
    *,
    groups: Iterable[str] = (),
    password: str = "",
    actor: Membership | None = None,
) -> Membership:
    """Make a user where there is none, and their membership. Running it twice changes nothing.

    ``actor`` adds them; without one it is set-up, and the audit names the members themselves.
    """
    user, is_new = User.objects.get_or_create(username=username)
    if is_new:
        user.set_password(password or None)
        user.save()
    with tenancy.scope(tenant.pk):
        member, is_added = Membership.objects.get_or_create(
            tenant=tenant, user=user, defaults={"role": role, "groups": sorted(groups)}
        )
        if is_added:
            people_audit.member_added(actor.user_id if actor else user.pk, member)
    return member


def change(
    actor: Membership,
    member: Membership,
    *,
    role: str | None = None,
    groups: Iterable[str] | None = None,
    is_active: bool | None = None,
) -> Membership:
    """Change what a member of the actor's organisation is; None keeps. Returns the member as stored.

    Raises ``LastAdmin`` where the organisation would be left without one.
    """
    with tenancy.scope(actor.tenant_id):
        # Locked together and in order, so that two admins cannot demote each other at once.
        of_tenant = Membership.objects.filter(tenant_id=actor.tenant_id)
        list(of_tenant.filter(role=Role.ADMIN).order_by("pk").select_for_update())
        stored = of_tenant.select_for_update().get(pk=member.pk)
        before = people_audit.membership_state(stored)
        stored.role = stored.role if role is None else role
        stored.groups = stored.groups if groups is None else sorted(set(groups))
        stored.is_active = stored.is_active if is_active is None else is_active
        if not (stored.is_admin and stored.is_active) and not other_admins(stored).exists():
            raise LastAdmin(_("An organisation needs an admin, and there is no other."))
        stored.save()
        if not (stored.is_admin and stored.is_active):
            invitations.revoke_all_by(actor, stored.user)
        people_audit.member_changed(actor, stored, before)
    return stored


def change_account(actor: Membership, user: User, fields: Iterable[str]) -> None:
    """Store an account that was changed in memory. Whether it is the actor's to change, they know."""
    names = list(fields)
    with tenancy.scope(actor.tenant_id):
        stored = User.objects.select_for_update().get(pk=user.pk)
        user.save(update_fields=names)
        if not user.is_active:
            invitations.revoke_all_by(actor, user)
        people_audit.account_changed(actor, user, stored, names)


def other_admins(member: Membership) -> QuerySet[Membership]:
    """Who else administers this member's organisation today."""
    return (
        Membership.objects.filter(tenant_id=member.tenant_id, role=Role.ADMIN)
        .filter(is_active=True, user__is_active=True)
        .exclude(pk=member.pk)
    )


def known_groups(tenant_id: UUID) -> list[str]:
    """Every group that an active member of a tenant is in, by name."""
    groups = Membership.objects.filter(tenant_id=tenant_id, is_active=True).values_list(
        "groups", flat=True
    )
    return sorted({name for names in groups for name in names})


def _check_tenant(slug: str | None) -> None:
    if slug and not Tenant.objects.filter(slug=slug).exists():
        raise NoMember(f"There is no organisation {slug}.")


def _active(tenant_slug: str | None) -> QuerySet[Membership]:
    members = Membership.objects.select_related("user", "tenant").filter(
        is_active=True, user__is_active=True
    )
    return members.filter(tenant__slug=tenant_slug) if tenant_slug else members
