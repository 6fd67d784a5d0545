"""What an operation does to a bank, in steps that each are stored with the count of what is done.

A worker that dies loses the step it was at; another takes the operation up behind the last one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final
from uuid import UUID

from django.utils import timezone

from memory import tenancy
from memory.errors import DocumentNotFound
from memory.models import Operation, OperationStatus
from memory.retain import changing, engine, payloads
from memory.retain.items import Retained
from memory.types import Usage

_ITEMS: Final = 20  # retained in one transaction
_STINT: Final = 120.0  # seconds, after which the rest is left to another task


class Cancelled(Exception):
    """Somebody called the operation off. What was stored before stays."""


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

    def advance(self, done: int, result: dict[str, Any]) -> None:
        """Note it in the transaction of the step itself. Raises ``Cancelled``."""
        with tenancy.scope(self.tenant_id):
            noted = Operation.objects.filter(
                pk=self.operation_id, status=OperationStatus.PROCESSING
            ).update(items_done=done, result=result, updated_at=timezone.now())
        if not noted:
            raise Cancelled


def retain(operation: Operation, progress: Progress) -> Outcome:
    """Payload: ``payloads.to_json``. Result: the documents' names, and of those with unread passages."""
    items, tags = payloads.from_json(operation.payload)
    result = {"documents": [], "unread": [], "usage": {}, **operation.result}
    failures = _read_again(operation, progress, result) if result["unread"] else []
    done = 0
    for batch in payloads.grouped(items, _ITEMS):
        done += len(batch)
        if done <= operation.items_done:
            continue
        with _stored(progress, done, result) as store:
            retained = engine.retain(
                operation.bank_id,
                batch,
                document_tags=tags,
                tenant_id=progress.tenant_id,
                until=progress.until,
                then=store,
            )
        failures += retained.failures
        if progress.is_due and done < len(items):
            return Outcome(result, is_done=False)
    is_done = bool(failures) or not result["unread"]
    return Outcome(result, tuple(dict.fromkeys(failures)), is_done=is_done)


def consolidate(operation: Operation, progress: Progress) -> Outcome:
    """Payload: ``scopes``, lists of tags, or null."""
    scopes = operation.payload.get("scopes")
    done = changing.consolidate(
        progress.tenant_id,
        operation.bank_id,
        only=None if scopes is None else [tuple(scope) for scope in scopes],
    )
    return Outcome(
        {
            "facts": done.facts,
            "observations_created": done.created,
            "observations_updated": done.updated,
            "observations_deleted": done.deleted,
        }
    )


def reprocess(operation: Operation, progress: Progress) -> Outcome:
    """Payload: ``document``, its name. What is unread of it goes on later, without those read."""
    name = operation.payload["document"]
    result: dict[str, Any] = dict(operation.result)
    retained = changing.reprocess(
        progress.tenant_id,
        operation.bank_id,
        name,
        anew=not result.get("unread"),
        until=progress.until,
    )
    result["usage"] = _added(result.get("usage", {}), retained.usage)
    result["documents"] = [name]
    is_done = not any(document.is_postponed for document in retained.documents)
    result["unread"] = [] if is_done and not retained.failures else [name]
    return Outcome(result, retained.failures, is_done=is_done or bool(retained.failures))


@contextmanager
def _stored(progress: Progress, done: int, result: dict[str, Any]) -> Iterator[Any]:
    """Hands out what is called inside the step's transaction, with what the step retained."""
    noted = dict(result)

    def store(retained: Retained) -> None:
        noted.update({key: _copy(value) for key, value in result.items()})
        _note(noted, retained)
        progress.advance(done, noted)

    yield store
    result.update(noted)


def _copy(value: Any) -> Any:
    return (
        list(value)
        if isinstance(value, list)
        else dict(value)
        if isinstance(value, dict)
        else value
    )


def _note(result: dict[str, Any], retained: Retained) -> None:
    result.setdefault("documents", [])
    result["documents"] += [document.name for document in retained.documents]
    unread = [
        document.name
        for document in retained.documents
        if document.failure or document.is_postponed
    ]
    result["unread"] = [*result.get("unread", []), *unread]
    result["usage"] = _added(result.get("usage", {}), retained.usage)


def _added(spent: dict[str, Any], usage: Usage) -> dict[str, Any]:
    return {
        "input_tokens": spent.get("input_tokens", 0) + usage.prompt_tokens,
        "output_tokens": spent.get("output_tokens", 0) + usage.completion_tokens,
        "cost_usd": spent.get("cost_usd", 0.0) + usage.cost_usd,
        "calls": spent.get("calls", 0) + usage.calls,
    }


def _read_again(operation: Operation, progress: Progress, result: dict[str, Any]) -> list[str]:
    """Passages that no facts were taken from at an earlier attempt."""
    failures: list[str] = []
    unread: list[str] = []
    for name in dict.fromkeys(result["unread"]):
        try:
            retained = changing.reprocess(
                operation.tenant_id, operation.bank_id, name, anew=False, until=progress.until
            )
        except DocumentNotFound:  # deleted meanwhile
            continue
        failures += retained.failures
        if retained.failures or any(document.is_postponed for document in retained.documents):
            unread.append(name)
        result["usage"] = _added(result["usage"], retained.usage)
    result["unread"] = unread
    return failures
