"""Finding and adding members."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet

from memory.models import Membership, Role, Tenant, User


class NoMember(ValueError):
    """No such active member, or more than one organisation to choose from."""


def find(username: str, *, tenant_slug: str | None = None) -> Membership:
    """The active membership of a user. Raises ``NoMember`` with a sentence for people."""
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
    admins = _active(tenant_slug).filter(role=Role.ADMIN).order_by("created_at")
    if tenant_slug is None and len({admin.tenant_id for admin in admins}) > 1:
        raise NoMember("There are several organisations: say which with --tenant.")
    admin = admins.first()
    if admin is None:
        raise NoMember("There is no admin to act as: say who with --user.")
    return admin


def add(
    tenant: Tenant, username: str, role: Role, *, groups: Iterable[str] = (), password: str = ""
) -> Membership:
    """Make a user where there is none, and their membership. Running it twice changes nothing."""
    user, is_new = User.objects.get_or_create(username=username)
    if is_new:
        user.set_password(password or None)
        user.save()
    member, _ = Membership.objects.get_or_create(
        tenant=tenant, user=user, defaults={"role": role, "groups": sorted(groups)}
    )
    return member


def other_admins(member: Membership) -> QuerySet[Membership]:
    """Who else administers this member's organisation today."""
    return (
        Membership.objects.filter(tenant_id=member.tenant_id, role=Role.ADMIN)
        .filter(is_active=True, user__is_active=True)
        .exclude(pk=member.pk)
    )


def _active(tenant_slug: str | None) -> QuerySet[Membership]:
    members = Membership.objects.select_related("user", "tenant").filter(
        is_active=True, user__is_active=True
    )
    return members.filter(tenant__slug=tenant_slug) if tenant_slug else members
