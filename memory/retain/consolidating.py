"""Compares every fact of a bank with those near to it: what retain saw already changes nothing.

In steps, each in a transaction of its own under the bank's lock, so that writers come in between and
work that was interrupted goes on where it ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.utils import timezone

from memory import tenancy
from memory.backends import registry
from memory.levels import Level
from memory.models import Bank, Node
from memory.retain import consequences, observing, writing
from memory.retain.scopes import TagSet

_STEP: Final = 200  # facts


@dataclass(frozen=True, slots=True)
class Consolidated:
    """What was done so far. ``after`` is the last fact; None at the start and at the end."""

    facts: int = 0
    created: int = 0
    updated: int = 0
    deleted: int = 0
    after: UUID | None = None
    is_done: bool = False


def consolidate(
    tenant_id: UUID, bank_id: UUID, *, only: Sequence[TagSet] | None = None
) -> Consolidated:
    """All steps. ``only``: facts that carry all tags of one of these sets.

    Opens scopes of its own where none is open.
    """
    so_far = Consolidated()
    while not so_far.is_done:
        with tenancy.scope(tenant_id):
            so_far = step(bank_id, so_far, only=only)
    return so_far


def step(
    bank_id: UUID, so_far: Consolidated, *, only: Sequence[TagSet] | None = None
) -> Consolidated:
    """The next facts, in the caller's transaction. Raises ``BankNotFound``."""
    writing.lock_bank(bank_id)
    facts = _after(bank_id, so_far.after)
    asked = [pk for pk, tags in facts if _is_wanted(tags, only)]
    changes = observing.refresh(bank_id, observing.resting_on(asked))
    recipe = registry.encoder().recipe
    changes += consequences.draw(bank_id, asked, recipe, is_asked_for=True)
    is_done = len(facts) < _STEP
    if is_done:
        Bank.objects.filter(pk=bank_id).update(consolidated_at=timezone.now())
    return Consolidated(
        facts=so_far.facts + len(asked),
        created=so_far.created + changes.created,
        updated=so_far.updated + changes.updated,
        deleted=so_far.deleted + changes.deleted,
        after=None if is_done else facts[-1][0],
        is_done=is_done,
    )


def _after(bank_id: UUID, last: UUID | None) -> list[tuple[UUID, list[str]]]:
    facts = Node.objects.filter(bank_id=bank_id, level=Level.L1).order_by("pk")
    if last is not None:
        facts = facts.filter(pk__gt=last)
    return list(facts.values_list("pk", "tags")[:_STEP])


def _is_wanted(tags: Sequence[str], only: Sequence[TagSet] | None) -> bool:
    return only is None or any(set(scope) <= set(tags) for scope in only)
