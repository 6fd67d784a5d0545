"""Directives of a bank: rules that an answer must keep, and which of them apply to a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from memory import tags
from memory.errors import DirectiveNotFound
from memory.models import Bank, Directive
from memory.tags import TagFilter

FIELDS = ("name", "content", "priority", "is_active", "tags")


def of_bank(bank_id: UUID) -> QuerySet[Directive]:
    """Highest priority first, then the oldest."""
    return Directive.objects.filter(bank_id=bank_id).order_by("-priority", "created_at", "pk")


def listed(bank: Bank, wanted: TagFilter | None, *, active_only: bool) -> Sequence[Directive]:
    """Those that the filter lets through; untagged ones always."""
    rows = of_bank(bank.pk)
    if active_only:
        rows = rows.filter(is_active=True)
    return [row for row in rows if wanted is None or _applies(row, wanted)]


def applying(bank_id: UUID, wanted: TagFilter | None, *, all_of_them: bool) -> list[Directive]:
    """The active ones for a question with these tags. Tagged ones need a question with tags."""
    active = of_bank(bank_id).filter(is_active=True)
    if all_of_them:
        return list(active)
    return [row for row in active if not row.tags or (wanted is not None and _applies(row, wanted))]


def find(bank: Bank, directive_id: UUID) -> Directive:
    """Raises ``DirectiveNotFound``."""
    row = of_bank(bank.pk).filter(pk=directive_id).first()
    if row is None:
        raise DirectiveNotFound(str(directive_id))
    return row


def create(bank: Bank, values: Mapping[str, Any]) -> Directive:
    return Directive.objects.create(tenant_id=bank.tenant_id, bank_id=bank.pk, **_checked(values))


def change(directive: Directive, values: Mapping[str, Any]) -> Directive:
    """What is not named stays as it is."""
    for name, value in _checked(values).items():
        setattr(directive, name, value)
    directive.save()
    return directive


def delete(directive: Directive) -> None:
    Directive.objects.filter(pk=directive.pk).delete()


def _checked(values: Mapping[str, Any]) -> dict[str, Any]:
    known = {name: values[name] for name in FIELDS if name in values}
    if "tags" in known:
        known["tags"] = list(tags.checked(known["tags"]))
    return known


def _applies(directive: Directive, wanted: TagFilter) -> bool:
    return not directive.tags or tags.matches(wanted, directive.tags)
