"""The demo organisation in the database: one tenant, four users, the pages of this package."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from kb import intake
from kb.demo.pages import DemoPage, load_pages
from kb.intake import PageFields
from kb.models import Doc
from memory import tenancy
from memory.models import Membership, Role, Tenant, User
from memory.people import members

TENANT_SLUG = "demo"
TENANT_NAME = "Petrel & Vane"
USERS: tuple[tuple[str, Role, tuple[str, ...]], ...] = (
    ("admin", Role.ADMIN, ("engineering", "hr")),
    ("editor", Role.EDITOR, ("engineering", "hr")),
    ("reader", Role.READER, ("engineering",)),
    ("contractor", Role.READER, ()),
)


@dataclass(frozen=True, slots=True)
class Report:
    pages_added: int
    pages_kept: int
    password: str  # of users made now; empty where all were there


def install_demo(*, password: str | None = None) -> Report:
    """Add what is missing; run twice, it changes nothing. Pages are written by the editor."""
    tenant, _ = Tenant.objects.get_or_create(slug=TENANT_SLUG, defaults={"name": TENANT_NAME})
    known = set(
        User.objects.filter(username__in=[name for name, _, _ in USERS]).values_list(
            "username", flat=True
        )
    )
    password = password or secrets.token_urlsafe(9)
    made = {
        name: members.add(tenant, name, role, groups=groups, password=password)
        for name, role, groups in USERS
    }
    added = kept = 0
    for page in load_pages():
        with tenancy.scope(tenant.pk):
            if Doc.objects.filter(slug=page.slug).exists():
                kept += 1
                continue
            _write(made["editor"], page)
            added += 1
    return Report(added, kept, password if len(known) < len(USERS) else "")


def _write(editor: Membership, page: DemoPage) -> None:
    intake.create_page(
        editor,
        PageFields(
            title=page.title,
            source=page.source,
            slug=page.slug,
            language=page.language,
            visibility=page.visibility,
            allowed_groups=list(page.groups),
            status=page.status,
        ),
    )
