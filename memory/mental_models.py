"""Mental models: standing questions to a bank, the answers it gave last, and whether they still hold."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from memory import ids, tags
from memory.browsing.filters import tagged
from memory.browsing.memories import MemoryRow, memories_of, rows
from memory.errors import (
    InvalidMentalModel,
    InvalidQuery,
    MentalModelExists,
    MentalModelNotFound,
)
from memory.hits import Budget
from memory.language.text import clean_text
from memory.levels import FactType
from memory.models import Bank, MentalModel, Node
from memory.recall import planning
from memory.tags import TagFilter, TagMatch

MOST_HISTORY: Final = 50
MOST_NAME: Final = 200
FIELDS = ("title", "query", "tags", "max_tokens", "trigger")


def of_bank(bank_id: UUID) -> QuerySet[MentalModel]:
    return MentalModel.objects.filter(bank_id=bank_id).order_by("title", "pk")


def listed(bank: Bank, wanted: TagFilter | None) -> list[MentalModel]:
    """By title; those that the filter lets through."""
    return [row for row in of_bank(bank.pk) if wanted is None or tags.matches(wanted, row.tags)]


def find(bank: Bank, name: str) -> MentalModel:
    """Raises ``MentalModelNotFound``."""
    row = of_bank(bank.pk).filter(name=clean_text(name)).first()
    if row is None:
        raise MentalModelNotFound(name)
    return row


def create(bank: Bank, values: Mapping[str, Any], *, name: str | None = None) -> MentalModel:
    """Without an answer yet. ``name`` is the caller's id.

    Raises ``InvalidMentalModel`` and ``MentalModelExists``.
    """
    name = str(uuid.uuid4()) if name is None else name
    if not ids.is_id(name, most=MOST_NAME):
        raise InvalidMentalModel(f"An id has 1 to {MOST_NAME} characters {ids.NO_STEPS}.")
    try:
        with transaction.atomic():
            return MentalModel.objects.create(
                tenant_id=bank.tenant_id, bank_id=bank.pk, name=name, **_checked(values)
            )
    except IntegrityError:
        raise MentalModelExists(name) from None


def change(model: MentalModel, values: Mapping[str, Any]) -> MentalModel:
    """What is not named stays as it is; another question leaves the old answer, as a stale one."""
    chosen = _checked(values)
    if "query" in chosen and chosen["query"] != model.query:
        model.seen_at = None
    for name, value in chosen.items():
        setattr(model, name, value)
    model.save()
    return model


def delete(model: MentalModel) -> None:
    MentalModel.objects.filter(pk=model.pk).delete()


def clear(model: MentalModel) -> MentalModel:
    """Forget the answer; what it was stays in the history."""
    _remember(model)
    _empty(model)
    model.save()
    return model


def forget(bank_id: UUID, deleted: Iterable[UUID]) -> None:
    """Forget the answers that rest on deleted memories or documents, former ones and those that cite
    such an answer too. A former answer of which nobody knows what it rests on goes as well.

    A refresh that goes on meanwhile waits for the caller's transaction, or this for it.
    """
    models = list(of_bank(bank_id).select_for_update())
    ids, names = {str(one) for one in deleted}, set[str]()
    while hit := {model.name for model in models if _forget(model, ids, names)}:
        names |= hit
    for model in models:
        if model.name in names:
            model.save()


def forget_all(bank_id: UUID) -> None:
    """Forget every answer, former ones too."""
    for model in of_bank(bank_id).select_for_update():
        _empty(model)
        model.history = []
        model.save()


def answered(
    model: MentalModel,
    content: str,
    based_on: Sequence[UUID],
    *,
    seen_at: datetime,
    models: Sequence[str] = (),
) -> None:
    """Store a new answer, which rests on these memories and on answers of other ``models``.
    ``seen_at`` is from before the memories were read."""
    if content != model.content:
        _remember(model)
    documents = Node.objects.filter(pk__in=based_on, document_id__isnull=False)
    model.content = content
    model.based_on = {
        "memories": [str(memory_id) for memory_id in based_on],
        "documents": sorted({str(pk) for pk in documents.values_list("document_id", flat=True)}),
        "mental_models": list(models),
    }
    model.refreshed_at, model.failed_at, model.seen_at = timezone.now(), None, seen_at
    model.save()


def failed(model: MentalModel) -> None:
    """No answer was found. The last one stays, if there was any."""
    model.failed_at = timezone.now()
    model.save(update_fields=["failed_at", "updated_at"])


def stale(bank: Bank, models: Sequence[MentalModel]) -> set[str]:
    """The names of those for which a memory of their scope changed since they were answered, or one that
    they rest on has gone. One query for each scope that they have, and one for all."""
    cited = {memory_id for model in models for memory_id in cited_by(model)}
    held = {
        str(pk)
        for pk in Node.objects.filter(pk__in=cited, superseded_at=None).values_list("pk", flat=True)
    }
    changed: dict[str, datetime | None] = {}
    found = set()
    for model in models:
        scope = f"{model.tags}{model.trigger}"
        if scope not in changed:
            changed[scope] = scope_of(bank, model).aggregate(at=Max("updated_at"))["at"]
        at = changed[scope]
        is_overtaken = model.seen_at is None or (at is not None and at > model.seen_at)
        if is_overtaken or not held.issuperset(cited_by(model)):
            found.add(model.name)
    return found


def scope_of(bank: Bank, model: MentalModel) -> QuerySet[Node]:
    """The memories that its answer may come from."""
    nodes = tagged(memories_of(bank), tag_scope(model))
    types = types_of(model)
    return nodes if types is None else nodes.filter(fact_type__in=types)


def tag_scope(model: MentalModel) -> TagFilter | None:
    """Its own tags, all of them unless its trigger says otherwise; or the groups that the trigger names."""
    trigger = model.trigger
    if trigger.get("tag_groups"):
        return tags.groups(trigger["tag_groups"])
    return tags.flat(model.tags, trigger.get("tags_match") or TagMatch.ALL_STRICT)


def types_of(model: MentalModel) -> tuple[FactType, ...] | None:
    named = model.trigger.get("fact_types")
    return tuple(map(FactType, named)) if named else None


def sources(bank: Bank, models: Sequence[MentalModel]) -> dict[str, MemoryRow]:
    """The memories that their answers rest on, by id; those that are still there."""
    cited = {memory_id for model in models for memory_id in cited_by(model)}
    found = rows(bank, list(memories_of(bank).filter(pk__in=cited)))
    return {str(row.node.pk): row for row in found}


def cited_by(model: MentalModel) -> list[str]:
    ids: list[str] = model.based_on.get("memories", [])
    return ids


def former(model: MentalModel) -> list[dict[str, str]]:
    """What it said before, newest first."""
    return [{name: one[name] for name in ("content", "refreshed_at")} for one in model.history]


def budget_of(model: MentalModel) -> Budget:
    return Budget(model.trigger.get("budget") or Budget.LOW)


def _empty(model: MentalModel) -> None:
    model.content, model.based_on = "", {}
    model.refreshed_at = model.seen_at = model.failed_at = None


def _forget(model: MentalModel, ids: Set[str], names: Set[str]) -> bool:
    """Drop what rests on these memories and documents, or cites these models. Whether there was any."""
    kept = [one for one in model.history if not _rests_on(one.get("based_on"), ids, names)]
    is_kept = not model.content or not _rests_on(model.based_on, ids, names)
    if is_kept and len(kept) == len(model.history):
        return False
    model.history = kept
    if not is_kept:
        _empty(model)
    return True


def _rests_on(based_on: Mapping[str, Any] | None, ids: Set[str], names: Set[str]) -> bool:
    if based_on is None:
        return True
    cited = (*based_on.get("memories", ()), *based_on.get("documents", ()))
    return not ids.isdisjoint(cited) or not names.isdisjoint(based_on.get("mental_models", ()))


def _remember(model: MentalModel) -> None:
    if model.content:
        at = model.refreshed_at or timezone.now()
        entry = {
            "content": model.content,
            "refreshed_at": at.isoformat(),
            "based_on": model.based_on,
        }
        model.history = [entry, *model.history][:MOST_HISTORY]


def _checked(values: Mapping[str, Any]) -> dict[str, Any]:
    known = {name: values[name] for name in FIELDS if name in values}
    if "query" in known:
        _check_query(known["query"])
    if "tags" in known:
        known["tags"] = list(tags.checked(known["tags"]))
    if "trigger" in known:
        _check_trigger(known["trigger"])
    return known


def _check_query(query: str) -> None:
    try:
        planning.check(query)
    except InvalidQuery as problem:
        raise InvalidMentalModel(str(problem)) from None


def _check_trigger(trigger: Mapping[str, Any]) -> None:
    if trigger.get("refresh_cron") or trigger.get("full_refresh_cron"):
        raise InvalidMentalModel("Refreshes by the clock are not offered.")
    if trigger.get("response_schema") is not None:
        raise InvalidMentalModel("An answer in a shape of its own is not offered here.")
    groups = tags.groups(trigger.get("tag_groups"))
    if groups is not None and tags.has_fuzzy(groups):
        raise InvalidMentalModel("The tags of a mental model must be spelt exactly.")
