"""Asynchronous work that a caller can watch, cancel and try again.

    submit ─▶ row (pending) ─commit─▶ message ─▶ run: claim ─▶ steps ─▶ completed | failed
                  ▲                                   │  a heartbeat keeps the claim
                  └────── reconcile: no message, or no heartbeat: send again ◀──┘

The row is the truth; a message only says that there is something to do. Two messages do it once.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import Any, Final
from uuid import UUID

from celery.exceptions import SoftTimeLimitExceeded
from django.db import InterfaceError, OperationalError, connection, transaction
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext, gettext_lazy
from kombu.exceptions import OperationalError as BrokerAway

from memory import events, tasks, tenancy
from memory.errors import BankNotFound, DocumentNotFound, MemoryFault
from memory.models import Operation, OperationStatus, OperationType, User
from memory.retain import payloads
from memory.retain.working import Cancelled, Outcome, Progress
from memory.retain.writing import Overtaken

logger = logging.getLogger(__name__)

HANDLERS: Final[dict[str, str]] = {
    OperationType.RETAIN: "memory.refreshing.retain",
    OperationType.CONSOLIDATION: "memory.refreshing.consolidate",
    OperationType.REPROCESS: "memory.retain.working.reprocess",
    OperationType.REFRESH_MENTAL_MODEL: "memory.refreshing.refresh",
}
_NOT_THERE: Final = {
    DocumentNotFound: gettext_lazy("The document “%(name)s” is not there any more."),
    BankNotFound: gettext_lazy("The bank is not there any more."),
}
_OPEN: Final = (OperationStatus.PENDING, OperationStatus.PROCESSING)
_ENDED: Final = (OperationStatus.FAILED, OperationStatus.CANCELLED)
_BEAT: Final = 10.0  # seconds
_LEASE: Final = timedelta(seconds=45)  # without a heartbeat
_SETTLE: Final = timedelta(seconds=30)  # what was submitted just now has its message on the way
_ATTEMPTS: Final = 5
_RESENT: Final = 500  # at once, of one tenant


def submit(
    bank_id: UUID,
    kind: OperationType,
    payload: dict[str, Any],
    *,
    actor: User | None = None,
    items_count: int = 0,
    operation_id: UUID | None = None,
) -> Operation:
    """Accept work, in the caller's transaction; it is sent when that commits.

    The same ``operation_id`` again is the same operation, whatever else is given.
    """
    fields = {
        "tenant_id": tenancy.require(),
        "bank_id": bank_id,
        "type": kind,
        "payload": payload,
        "items_count": items_count,
        "created_by": actor,
    }
    if operation_id is None:
        operation = Operation.objects.create(**fields)
    else:
        operation, is_new = Operation.objects.get_or_create(pk=operation_id, defaults=fields)
        if not is_new:
            return operation
    _send_on_commit(operation)
    return operation


def submit_consolidation(
    bank_id: UUID, payload: dict[str, Any], *, actor: User | None
) -> tuple[Operation, bool]:
    """The consolidation that waits already, or a new one; and whether it waited."""
    waiting = Operation.objects.filter(
        bank_id=bank_id,
        type=OperationType.CONSOLIDATION,
        status=OperationStatus.PENDING,
        payload=payload,
    ).first()
    if waiting is not None:
        return waiting, True
    return submit(bank_id, OperationType.CONSOLIDATION, payload, actor=actor), False


def cancel(operation: Operation) -> bool:
    """Call open work off; the step that runs is undone, earlier ones stay. False: it had ended."""
    return bool(
        Operation.objects.filter(pk=operation.pk, status__in=_OPEN).update(
            status=OperationStatus.CANCELLED, updated_at=timezone.now(), finished_at=timezone.now()
        )
    )


def retry(operation: Operation) -> bool:
    """Take failed or cancelled work up where it ended. False: it is open, or was completed."""
    is_again = bool(
        Operation.objects.filter(pk=operation.pk, status__in=_ENDED).update(
            status=OperationStatus.PENDING,
            error="",
            attempts=0,
            finished_at=None,
            updated_at=timezone.now(),
        )
    )
    if is_again:
        _send_on_commit(operation)
    return is_again


def forget(operation: Operation) -> bool:
    """Remove the record of work that has ended. False: it is open."""
    ended = Operation.objects.filter(pk=operation.pk).exclude(status__in=_OPEN)
    return bool(ended.delete()[0])


def reconcile(tenant_id: UUID) -> int:
    """Send again what lost its message or its worker. Returns how many."""
    now = timezone.now()
    with tenancy.scope(tenant_id):
        lost = [
            *Operation.objects.filter(
                status=OperationStatus.PENDING, updated_at__lt=now - _SETTLE
            ).values_list("pk", flat=True)[:_RESENT],
            *Operation.objects.filter(
                status=OperationStatus.PROCESSING, updated_at__lt=now - _LEASE
            ).values_list("pk", flat=True)[:_RESENT],
        ]
    for operation_id in lost:
        send(tenant_id, operation_id)
    return len(lost)


def run(tenant_id: UUID, operation_id: UUID) -> OperationStatus | None:
    """Do what waits to be done. None where there is nothing, or another worker is at it.

    A database that is away is raised, for the task to be tried again.
    """
    operation = _claim(tenant_id, operation_id)
    if operation is None:
        return None
    progress = Progress(tenant_id, operation_id)
    try:
        with _heartbeat(tenant_id, operation_id):
            outcome = import_string(HANDLERS[operation.type])(operation, progress)
    except Cancelled:
        return OperationStatus.CANCELLED
    except (OperationalError, InterfaceError, SoftTimeLimitExceeded) as error:
        _release(tenant_id, operation_id)
        if isinstance(error, SoftTimeLimitExceeded):
            send(tenant_id, operation_id)
            return OperationStatus.PENDING
        raise
    except (DocumentNotFound, BankNotFound) as error:
        return _end(operation, Outcome({}, (_NOT_THERE[type(error)] % {"name": str(error)},)))
    except Overtaken:  # many times: the engine has tried again already
        return _end(
            operation, Outcome({}, (gettext("A document kept changing meanwhile. Try again."),))
        )
    except MemoryFault as error:
        return _end(operation, Outcome({}, (str(error),)))
    except Exception as error:
        logger.exception("operation_failed", extra={"operation_id": str(operation_id)})
        with tenancy.scope(tenant_id):
            events.record(
                events.EventName.OPERATION_FAILED,
                operation_id=str(operation_id),
                error=type(error).__name__,
            )
        return _end(operation, Outcome({}, (gettext("Something went wrong on our side."),)))
    if not outcome.is_done:
        _release(tenant_id, operation_id, result=outcome.result)
        send(tenant_id, operation_id)
        return OperationStatus.PENDING
    return _end(operation, outcome)


def send(tenant_id: UUID, operation_id: UUID) -> None:
    """An unreachable broker loses nothing: the reconciler sends again."""
    try:
        tasks.run_operation.delay(str(tenant_id), str(operation_id))
    except BrokerAway:
        logger.warning("operation_not_sent", extra={"operation_id": str(operation_id)})


def _send_on_commit(operation: Operation) -> None:
    transaction.on_commit(partial(send, operation.tenant_id, operation.pk))


def _claim(tenant_id: UUID, operation_id: UUID) -> Operation | None:
    now = timezone.now()
    with tenancy.scope(tenant_id):
        operation = Operation.objects.select_for_update().filter(pk=operation_id).first()
        if operation is None or operation.status not in _OPEN:
            return None
        if operation.status == OperationStatus.PROCESSING and operation.updated_at > now - _LEASE:
            return None
        operation.attempts += 1
        operation.started_at = operation.started_at or now
        operation.status = OperationStatus.PROCESSING
        if operation.attempts > _ATTEMPTS:
            operation.status = OperationStatus.FAILED
            operation.error = gettext("This was tried several times and never ended.")
            operation.finished_at = now
        operation.save()
    return operation if operation.status == OperationStatus.PROCESSING else None


def _release(tenant_id: UUID, operation_id: UUID, *, result: dict[str, Any] | None = None) -> None:
    """Let go of a claim, so that the next message is taken up at once. A ``result`` shows that there
    was progress: such an attempt is none of those that came to nothing."""
    with tenancy.scope(tenant_id):
        held = Operation.objects.filter(pk=operation_id, status=OperationStatus.PROCESSING)
        if result is not None:
            held.update(attempts=0, result=result)
        held.update(status=OperationStatus.PENDING, updated_at=timezone.now())


def _end(operation: Operation, outcome: Outcome) -> OperationStatus:
    status = OperationStatus.FAILED if outcome.failures else OperationStatus.COMPLETED
    with tenancy.scope(operation.tenant_id):
        held = Operation.objects.filter(pk=operation.pk, status=OperationStatus.PROCESSING)
        if outcome.result:
            held.update(result=outcome.result)
        if not held.update(
            status=status,
            error=" ".join(outcome.failures),
            finished_at=timezone.now(),
            updated_at=timezone.now(),
        ):
            return OperationStatus.CANCELLED
        if (operation.type, status) == (OperationType.RETAIN, OperationStatus.COMPLETED):
            Operation.objects.filter(pk=operation.pk).update(payload=_done(operation.payload))
    return status


def _done(payload: dict[str, Any]) -> dict[str, Any]:
    """The content is in its documents now. A copy would outlive them."""
    return payloads.without_content(payload, range(len(payload["items"])))


@contextmanager
def _heartbeat(tenant_id: UUID, operation_id: UUID) -> Iterator[None]:
    """Says every few seconds that the operation is worked on, on a connection of its own."""
    stopped = threading.Event()

    def beat() -> None:
        try:
            while not stopped.wait(_BEAT):
                with tenancy.scope(tenant_id):
                    Operation.objects.filter(
                        pk=operation_id, status=OperationStatus.PROCESSING
                    ).update(updated_at=timezone.now())
        except (OperationalError, InterfaceError):
            logger.warning("heartbeat_lost", extra={"operation_id": str(operation_id)})
        finally:
            connection.close()

    thread = threading.Thread(target=beat, name="operation-heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()
