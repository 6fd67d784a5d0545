"""Retain: content becomes memories that can be recalled when this returns.

read ─▶ plan (facts are extracted) ─▶ encode ─▶ write, in one transaction
 ▲          no transaction is held here             │
 └──────────── another writer was first ◀───────────┘
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import OperationalError
from django.utils import timezone

from memory import entities, tenancy
from memory.backends import registry
from memory.facts import names
from memory.retain import consequences, linking, observing, planning, wanted, writing
from memory.retain import plans as planned
from memory.retain.consequences import Removal
from memory.retain.encoding import Encoding
from memory.retain.extractor_cache import CachingExtractor
from memory.retain.items import Retained, RetainedDocument, RetainItem
from memory.retain.plans import Plan
from memory.retain.wanted import Wanted
from memory.retain.writing import Overtaken
from memory.seams import Extractor

_ATTEMPTS: Final = 12
_IN_PASSING: Final = 3  # so many are overtaken; later ones plan while they hold the documents
_TRANSIENT: Final = frozenset({"40001", "40P01"})  # serialisation failure, deadlock


def retain(
    bank_id: UUID,
    items: Sequence[RetainItem],
    *,
    document_tags: Iterable[str] = (),
    extractor: Extractor | None = None,
    tenant_id: UUID | None = None,
    submitted_at: datetime | None = None,
    until: float | None = None,
    then: Callable[[Retained], None] | None = None,
) -> Retained:
    """Store items and what follows from them.

    Needs a tenant: the running scope's, or ``tenant_id`` and no scope, in which case no transaction
    is held while a model works. Raises ``InvalidMemory`` and ``BankNotFound``; then nothing was
    stored. Facts that could not be extracted are a ``failure`` of their document, whose passages
    are stored and found.

    What was ``submitted_at`` a time, None for now, takes the place of nothing that was submitted
    later: such a document is left as it is, as ``DocumentChange.NEWER``.

    A model is asked ``until`` then, on the monotonic clock; passages beyond are postponed:
    ``changing.reprocess`` with ``anew`` False reads them. ``then`` runs at the end of the
    transaction that writes; what it raises undoes that.
    """
    documents = wanted.read(items, document_tags=document_tags, now=submitted_at or timezone.now())
    return store(
        tenant_id or tenancy.require(),
        bank_id,
        documents,
        extractor=extractor,
        until=until,
        then=then,
    )


def store(
    tenant_id: UUID,
    bank_id: UUID,
    documents: Sequence[Wanted],
    *,
    extractor: Extractor | None = None,
    anew: bool = False,
    until: float | None = None,
    then: Callable[[Retained], None] | None = None,
) -> Retained:
    """``retain`` of what was read already. ``anew`` extracts the facts of every passage again."""
    work = _Work(
        tenant_id,
        bank_id,
        documents,
        extractor or registry.extractor(),
        anew=anew,
        until=until,
        then=then,
    )
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            return work.attempt(locked=attempt > _IN_PASSING)
        except Overtaken:
            if attempt == _ATTEMPTS:
                raise
        except OperationalError as error:
            if attempt == _ATTEMPTS or not is_transient(error):
                raise
        time.sleep(random.uniform(0, 0.02 * attempt))
    raise AssertionError("unreachable")


def is_transient(error: OperationalError) -> bool:
    """Whether another try may do better: the database ended the transaction to break a tie."""
    return getattr(error.__cause__, "sqlstate", None) in _TRANSIENT


class _Work:
    """One call, over its attempts."""

    def __init__(
        self,
        tenant_id: UUID,
        bank_id: UUID,
        documents: Sequence[Wanted],
        extractor: Extractor,
        *,
        anew: bool,
        until: float | None,
        then: Callable[[Retained], None] | None,
    ) -> None:
        self._tenant_id, self._bank_id, self._documents = tenant_id, bank_id, documents
        self._extractor = CachingExtractor(extractor)
        self._anew, self._until, self._then = anew, until, then
        self._encoding = Encoding(tenant_id, registry.encoder())
        self._openers = frozenset(
            opener for document in documents for opener in names.openers(document.text)
        )

    def attempt(self, *, locked: bool) -> Retained:
        if locked:
            with tenancy.scope(self._tenant_id):
                return self._write(self._plan(lock=True))
        plans = self._plan(lock=False)
        with tenancy.scope(self._tenant_id):
            return self._write(plans)

    def _plan(self, *, lock: bool) -> list[Plan]:
        documents = [document.name for document in self._documents]
        with tenancy.scope(self._tenant_id):
            writing.find_bank(self._bank_id)
            known = writing.read_known(self._bank_id, documents, lock=lock)
            entity_names = entities.known(self._bank_id, self._openers)
        plans = [
            planning.make(
                document,
                known.get(document.name),
                bank_id=self._bank_id,
                tenant_id=self._tenant_id,
                extractor=self._extractor,
                anew=self._anew,
                until=self._until,
                names=entity_names,
            )
            for document in self._documents
        ]
        # What holds a vector may go with what rests on it: the last attempts rely on their own ones.
        self._encoding.add(
            (node for plan in plans for node in plan.added),
            reuse=not lock,
            leaving=[node_id for plan in plans for node_id in plan.removed],
        )
        return plans

    def _write(self, plans: list[Plan]) -> Retained:
        changed, said_again = planned.changed(plans), planned.said_again(plans)
        if changed or said_again:
            writing.lock_documents(self._bank_id, [*changed, *said_again])
            writing.note_submissions(said_again)
        if changed:
            recipe = self._encoding.recipe
            removal = self._remove(changed)
            writing.write_nodes(self._bank_id, changed, self._encoding.rows, recipe)
            writing.lock_bank(self._bank_id)
            near = linking.connect(self._bank_id, changed, recipe)
            reconsidered = _reconsidered(changed)
            removal.observations |= observing.resting_on(reconsidered)
            consequences.draw(self._bank_id, {*near, *reconsidered}, recipe, neighbours=near)
            removal.finish(self._bank_id, recipe)
        retained = Retained(documents=tuple(map(_retained, plans)), usage=planned.total(plans))
        if self._then:
            self._then(retained)
        return retained

    def _remove(self, changed: list[Plan]) -> Removal:
        removed = [node_id for plan in changed for node_id in plan.removed]
        reconsidered = _reconsidered(changed)
        if removed or reconsidered:
            writing.lock_bank(self._bank_id)
        return consequences.remove(removed, changed=reconsidered)


def _reconsidered(plans: Iterable[Plan]) -> set[UUID]:
    return {fact_id for plan in plans for fact_id in plan.reconsidered}


def _retained(plan: Plan) -> RetainedDocument:
    return RetainedDocument(
        id=plan.document.pk,
        name=plan.document.name,
        change=plan.change,
        passage_ids=tuple(node.pk for node in plan.passages),
        fact_ids=tuple(node.pk for node in plan.facts),
        failure=plan.failure,
        is_postponed=plan.is_postponed,
    )
