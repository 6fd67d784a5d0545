"""The few objects that most tests need: a tenant, its people, a published page."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from kb import intake
from kb.intake import PageFields
from kb.models import Doc, Status
from memory import tenancy
from memory.models import Membership, Role, Tenant, User


@dataclass(frozen=True)
class Org:
    """A tenant with three actors. Names are unique, so that two can stand beside each other."""

    tenant: Tenant
    admin: Membership
    editor: Membership
    reader: Membership


def make_org(slug: str | None = None) -> Org:
    slug = slug or f"org-{uuid.uuid4().hex[:8]}"
    tenant = Tenant.objects.create(slug=slug, name=slug.title())
    made = [
        _join(tenant, f"{role}-{slug}", role) for role in (Role.ADMIN, Role.EDITOR, Role.READER)
    ]
    return Org(tenant, *made)


def make_member(org: Org, role: Role = Role.READER, *groups: str) -> Membership:
    return _join(org.tenant, f"{role}-{uuid.uuid4().hex[:8]}", role, *groups)


def _join(tenant: Tenant, username: str, role: Role, *groups: str) -> Membership:
    """Without ``members.add``, so that a test's audit chain begins with what the test does."""
    user = User.objects.create_user(username)
    return Membership.objects.create(tenant=tenant, user=user, role=role, groups=sorted(groups))


def make_page(org: Org, source: str, *, title: str = "Page", **fields: Any) -> Doc:
    """A page of the editor, published unless the test says otherwise."""
    fields.setdefault("status", Status.PUBLISHED)
    fields.setdefault("language", "en")
    with tenancy.scope(org.tenant.pk):
        return intake.create_page(org.editor, PageFields(title=title, source=source, **fields))


def edit_page(org: Org, doc: Doc, **fields: Any) -> Doc:
    with tenancy.scope(org.tenant.pk):
        return intake.update_page(org.editor, doc, PageFields(**fields))
