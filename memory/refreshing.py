"""Asks a mental model's question again and stores the answer; an operation's work."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from memory import bank_config, bank_settings, mental_models, operations, tenancy
from memory.errors import MentalModelNotFound
from memory.levels import FactType
from memory.models import (
    Bank,
    MentalModel,
    Node,
    Operation,
    OperationStatus,
    OperationType,
    User,
)
from memory.reflecting import engine
from memory.reflecting.records import KnownModel, NoAnswer, Reflection, ReflectRequest
from memory.retain import working
from memory.retain.working import Outcome, Progress

# What the Hindsight API calls the ways in which a refresh can end.
WRITTEN, UNCHANGED = "content_written", "content_unchanged"
KEPT, EMPTY = "content_preserved_no_new_facts", "refresh_failed_empty_candidate"
_FAULTS = (NoAnswer.UNVERIFIED, NoAnswer.FAULT)


def retain(operation: Operation, progress: Progress) -> Outcome:
    """Retain in the background, and what follows from it."""
    return _followed(operation, working.retain(operation, progress))


def consolidate(operation: Operation, progress: Progress) -> Outcome:
    """Consolidation, and what follows from it."""
    return _followed(operation, working.consolidate(operation, progress))


def follow(bank_id: UUID) -> int:
    """Ask again what is stale and shall follow the bank's memories. Needs a scope. Returns how many.

    One that waits to be asked already is not asked twice.
    """
    following = [
        model
        for model in mental_models.of_bank(bank_id)
        if model.trigger.get("refresh_after_consolidation") and _is_rested(model)
    ]
    if not following:
        return 0
    bank = Bank.objects.get(pk=bank_id)
    waiting = set(_waiting(bank_id).values_list("payload__mental_model", flat=True))
    asked_again = mental_models.stale(bank, following) - waiting
    for name in sorted(asked_again):
        submit(bank_id, name, actor=None)
    return len(asked_again)


def submit(bank_id: UUID, name: str, *, actor: User | None) -> Operation:
    """Have a mental model asked again; where that waits already, it is the operation that waits.
    Needs a scope."""
    # One after another: the second sees what the first submitted.
    list(MentalModel.objects.select_for_update().filter(bank_id=bank_id, name=name))
    waiting = _waiting(bank_id).filter(payload__mental_model=name).first()
    return waiting or operations.submit(
        bank_id,
        OperationType.REFRESH_MENTAL_MODEL,
        {"mental_model": name},
        actor=actor,
        items_count=1,
    )


def _waiting(bank_id: UUID) -> QuerySet[Operation]:
    return Operation.objects.filter(
        bank_id=bank_id,
        type=OperationType.REFRESH_MENTAL_MODEL,
        status=OperationStatus.PENDING,
    )


def _followed(operation: Operation, outcome: Outcome) -> Outcome:
    if outcome.is_done:
        with tenancy.scope(operation.tenant_id):
            follow(operation.bank_id)
    return outcome


def _is_rested(model: MentalModel) -> bool:
    least = model.trigger.get("min_refresh_interval_seconds") or 0
    return model.refreshed_at is None or timezone.now() >= model.refreshed_at + timedelta(
        seconds=least
    )


def refresh(operation: Operation, progress: Progress) -> Outcome:
    """Payload: ``mental_model``, its id among callers. Result: ``outcome``."""
    name = operation.payload["mental_model"]
    ended, reason = refresh_model(progress.tenant_id, operation.bank_id, name)
    return Outcome({"mental_model": name, "outcome": ended, "reason": reason})


def refresh_model(tenant_id: UUID, bank_id: UUID, name: str) -> tuple[str, NoAnswer | None]:
    """How it ended, and why there was no answer. Opens scopes of its own.

    Without an answer the last one stays, as it does where asking fails: that is noted and raised.
    Raises ``MentalModelNotFound`` too, also where it was removed while it was asked.
    """
    seen_at = timezone.now()
    with tenancy.scope(tenant_id):
        bank = Bank.objects.get(pk=bank_id)
        request = _request(bank, mental_models.find(bank, name))
    try:
        found = engine.reflect(tenant_id, request)
    except Exception:
        with tenancy.scope(tenant_id):
            for asked in mental_models.of_bank(bank_id).filter(name=name):
                mental_models.failed(asked)
        raise
    with tenancy.scope(tenant_id):
        model = MentalModel.objects.select_for_update().filter(bank_id=bank_id, name=name).first()
        if model is None:
            raise MentalModelNotFound(name)
        return _store(model, found, seen_at=seen_at), found.reason


def _store(model: MentalModel, found: Reflection, *, seen_at: datetime) -> str:
    if found.reason is not None:
        mental_models.failed(model)
        return KEPT if model.content and found.reason not in _FAULTS else EMPTY
    ids, models = [hit.id for hit in found.memories], found.mental_models
    if not _are_there(model.bank_id, ids, models):
        mental_models.failed(model)
        return KEPT if model.content else EMPTY
    is_same = found.text == model.content
    names = [one.id for one in models]
    mental_models.answered(model, found.text, ids, seen_at=seen_at, models=names)
    return UNCHANGED if is_same else WRITTEN


def _are_there(bank_id: UUID, memories: Sequence[UUID], models: Sequence[KnownModel]) -> bool:
    """Whether what an answer rests on was deleted while it was found."""
    held = dict(mental_models.of_bank(bank_id).values_list("name", "content"))
    return Node.objects.filter(pk__in=memories).count() == len(set(memories)) and all(
        held.get(one.id) == one.content for one in models
    )


def _request(bank: Bank, model: MentalModel) -> ReflectRequest:
    trigger = model.trigger
    budget = mental_models.budget_of(model)
    config = bank_settings.resolved(bank)
    return ReflectRequest(
        bank_id=bank.pk,
        query=model.query,
        budget=budget,
        width=bank_config.width(config, budget, max_tokens=model.max_tokens),
        max_tokens=model.max_tokens,
        types=mental_models.types_of(model) or tuple(FactType),
        tags=mental_models.tag_scope(model),
        mental_models=not trigger.get("exclude_mental_models"),
        without_models=frozenset({model.name, *(trigger.get("exclude_mental_model_ids") or ())}),
    )
