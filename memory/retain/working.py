"""What an operation does to a bank, in steps that each are stored with the count of what is done.

A worker that dies loses the step it was at; another takes the operation up behind the last one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Any, Final
from uuid import UUID

from django.utils import timezone

from memory import tenancy
from memory.errors import DocumentNotFound
from memory.models import Operation, OperationStatus
from memory.retain import changing, consolidating, engine, payloads
from memory.retain.consolidating import Consolidated
from memory.retain.items import DocumentChange, Retained
from memory.types import Usage

Result = dict[str, Any]

_ITEMS: Final = 20  # retained in one transaction
_STINT: Final = 120.0  # seconds, after which the rest is left to another task


class Cancelled(Exception):
    """Somebody called the operation off, or took it over. What was stored before stays."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """``failures``: sentences; with any the operation has failed. ``is_done`` False: go on later."""

    result: dict[str, Any]
    failures: tuple[str, ...] = ()
    is_done: bool = True


@dataclass(slots=True)
class Progress:
    """How far an operation is, as it stands in the database."""

    tenant_id: UUID
    operation_id: UUID
    until: float = field(default_factory=lambda: monotonic() + _STINT)  # on the monotonic clock

    @property
    def is_due(self) -> bool:
        """Whether it is time to let other work pass."""
        return monotonic() > self.until

    def advance(self, before: int, done: int, result: dict[str, Any]) -> None:
        """Note it in the transaction of the step itself, from ``before`` on. Raises ``Cancelled``,
        also where another worker has done this step: one that is slow may have been replaced."""
        with tenancy.scope(self.tenant_id):
            noted = Operation.objects.filter(
                pk=self.operation_id, status=OperationStatus.PROCESSING, items_done=before
            ).update(items_done=done, result=result, updated_at=timezone.now())
        if not noted:
            raise Cancelled


def retain(operation: Operation, progress: Progress) -> Outcome:
    """Payload: ``payloads.to_json``. Result: the documents' names, and of these the ones with unread
    passages and the ones that hold what was submitted later than this."""
    items, tags = payloads.from_json(operation.payload)
    result = {"documents": [], "unread": [], "newer": [], "usage": {}, **operation.result}
    failures: list[str] = []
    if result["unread"]:
        result, failures = _read_again(operation, progress, result)
    done, before = 0, operation.items_done
    for batch in payloads.grouped(items, _ITEMS):
        done += len(batch)
        if done <= before:
            continue
        batch = [item for item in batch if item.content]  # not of what was deleted meanwhile
        if not batch:
            progress.advance(before, done, result)
            before = done
            continue
        retained = engine.retain(
            operation.bank_id,
            batch,
            document_tags=tags,
            tenant_id=progress.tenant_id,
            submitted_at=operation.created_at,
            until=progress.until,
            then=partial(_note, progress, before, done, result),
        )
        before = done
        result = _with(result, retained)
        failures += retained.failures
        if progress.is_due and done < len(items):
            return Outcome(result, is_done=False)
    is_done = bool(failures) or not result["unread"]
    return Outcome(result, tuple(dict.fromkeys(failures)), is_done=is_done)


def consolidate(operation: Operation, progress: Progress) -> Outcome:
    """Payload: ``scopes``, lists of tags, or null. Result: the counts, and where to go on."""
    scopes = operation.payload.get("scopes")
    only = None if scopes is None else [tuple(scope) for scope in scopes]
    so_far, before = _consolidated(operation.result), operation.items_done
    while not so_far.is_done:
        with tenancy.scope(progress.tenant_id):
            so_far = consolidating.step(operation.bank_id, so_far, only=only)
            progress.advance(before, so_far.facts, _counts(so_far))
        before = so_far.facts
        if progress.is_due and not so_far.is_done:
            return Outcome(_counts(so_far), is_done=False)
    return Outcome(_counts(so_far))


def _counts(so_far: Consolidated) -> dict[str, Any]:
    return {
        "facts": so_far.facts,
        "observations_created": so_far.created,
        "observations_updated": so_far.updated,
        "observations_deleted": so_far.deleted,
        "after": str(so_far.after) if so_far.after else None,
    }


def _consolidated(result: dict[str, Any]) -> Consolidated:
    if not result.get("after"):
        return Consolidated()
    return Consolidated(
        result["facts"],
        result["observations_created"],
        result["observations_updated"],
        result["observations_deleted"],
        UUID(result["after"]),
    )


def reprocess(operation: Operation, progress: Progress) -> Outcome:
    """Payload: ``document``, its name. What is unread of it goes on later, without what was read."""
    name = operation.payload["document"]
    before = {"documents": [], "unread": [], "usage": {}, **operation.result}
    retained = changing.reprocess(
        progress.tenant_id,
        operation.bank_id,
        name,
        anew=not before["unread"],
        until=progress.until,
    )
    result = {
        "documents": [name],
        "unread": [name] if _is_unread(retained) else [],
        "usage": _added(before["usage"], retained.usage),
    }
    is_done = bool(retained.failures) or not result["unread"]
    return Outcome(result, retained.failures, is_done=is_done)


def _note(progress: Progress, before: int, done: int, result: Result, retained: Retained) -> None:
    """In the step's own transaction, and again where that is tried again."""
    progress.advance(before, done, _with(result, retained))


def _with(before: Result, retained: Retained) -> Result:
    names = [document.name for document in retained.documents]
    unread = [
        document.name
        for document in retained.documents
        if document.failure or document.is_postponed
    ]
    newer = [
        document.name for document in retained.documents if document.change is DocumentChange.NEWER
    ]
    return {
        "documents": [*before["documents"], *names],
        "unread": [*before["unread"], *unread],
        "newer": [*before["newer"], *newer],
        "usage": _added(before["usage"], retained.usage),
    }


def _added(spent: dict[str, Any], usage: Usage) -> dict[str, Any]:
    return {
        "input_tokens": spent.get("input_tokens", 0) + usage.prompt_tokens,
        "output_tokens": spent.get("output_tokens", 0) + usage.completion_tokens,
        "cost_usd": spent.get("cost_usd", 0.0) + usage.cost_usd,
        "calls": spent.get("calls", 0) + usage.calls,
    }


def _read_again(
    operation: Operation, progress: Progress, result: Result
) -> tuple[Result, list[str]]:
    """Passages that no facts were taken from at an earlier attempt."""
    failures: list[str] = []
    unread: list[str] = []
    usage = result["usage"]
    for name in dict.fromkeys(result["unread"]):
        try:
            retained = changing.reprocess(
                operation.tenant_id, operation.bank_id, name, anew=False, until=progress.until
            )
        except DocumentNotFound:  # deleted meanwhile
            continue
        failures += retained.failures
        usage = _added(usage, retained.usage)
        if _is_unread(retained):
            unread.append(name)
    return {**result, "unread": unread, "usage": usage}, failures


def _is_unread(retained: Retained) -> bool:
    return any(document.failure or document.is_postponed for document in retained.documents)
