"""What is deleted is in no copy: not in answers that rest on it, nor in work that waits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import pytest
from django.utils import timezone

from memory import mental_models, operations, refreshing, tasks, tenancy
from memory.levels import Level
from memory.models import Bank, BankKind, Document, MentalModel, Node, Operation, OperationType
from memory.reflecting.records import KnownModel, Reflection
from memory.retain import changing, engine, payloads
from memory.retain.items import RetainItem
from tests.factories import make_org

pytestmark = pytest.mark.django_db

CODE, OTHER = "The gate code is 4711.", "Ana has the key of the cellar."


@pytest.fixture
def bank(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bank]:
    monkeypatch.setattr(tasks.run_operation, "delay", lambda *_: None)
    org = make_org()
    with tenancy.scope(org.tenant.pk):
        yield Bank.objects.create(tenant=org.tenant, name="work", kind=BankKind.MEMORY)


def retain(bank: Bank, content: str, name: str) -> Node:
    engine.retain(bank.pk, [RetainItem(content=content, document_name=name)])
    document = Document.objects.get(bank=bank, name=name)
    return Node.objects.get(document_id=document.pk, level=Level.L1)


def model(bank: Bank, name: str = "gate") -> MentalModel:
    return mental_models.create(bank, {"title": name, "query": "What is the code?"}, name=name)


def answer(row: MentalModel, content: str, *memories: Node, models: tuple[str, ...] = ()) -> None:
    ids = [memory.pk for memory in memories]
    mental_models.answered(row, content, ids, seen_at=timezone.now(), models=models)


def said(bank: Bank, name: str = "gate") -> tuple[str, list[str]]:
    row = mental_models.find(bank, name)
    return row.content, [entry["content"] for entry in mental_models.former(row)]


# -- answers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("whole", [True, False])
def test_answer_goes_with_the_memory_that_it_rests_on(bank: Bank, whole: bool) -> None:
    fact = retain(bank, CODE, "a")
    answer(model(bank), CODE, fact)
    if whole:
        changing.delete_document(bank.pk, "a")
    else:
        changing.delete_memory(bank.pk, fact.pk)
    row = mental_models.find(bank, "gate")
    assert (row.content, row.based_on, row.refreshed_at, row.seen_at) == ("", {}, None, None)


def test_answer_stays_when_another_memory_goes(bank: Bank) -> None:
    answer(model(bank), CODE, retain(bank, CODE, "a"))
    retain(bank, OTHER, "b")
    changing.delete_document(bank.pk, "b")
    assert said(bank) == (CODE, [])


def test_former_answer_goes_with_what_it_rested_on(bank: Bank) -> None:
    row = model(bank)
    answer(row, CODE, retain(bank, CODE, "a"))
    answer(row, OTHER, retain(bank, OTHER, "b"))
    changing.delete_document(bank.pk, "a")
    assert said(bank) == (OTHER, [])


def test_answer_goes_with_a_document_that_says_something_else_by_now(bank: Bank) -> None:
    answer(model(bank), CODE, retain(bank, CODE, "a"))
    retain(bank, OTHER, "a")
    assert said(bank) == (CODE, [])
    changing.delete_document(bank.pk, "a")
    assert said(bank) == ("", [])


def test_answer_goes_with_an_observation_that_lost_its_proof(bank: Bank) -> None:
    for name in "ab":
        retain(bank, CODE, name)
    answer(model(bank), CODE, Node.objects.get(bank=bank, level=Level.L2))
    changing.delete_document(bank.pk, "b")
    assert said(bank) == ("", [])


def test_answer_from_another_answer_goes_with_it(bank: Bank) -> None:
    answer(model(bank, "gate"), CODE, retain(bank, CODE, "a"))
    answer(model(bank, "doors"), f"Doors: {CODE}", retain(bank, OTHER, "b"), models=("gate",))
    answer(model(bank, "house"), f"House: {CODE}", models=("doors",))
    changing.delete_document(bank.pk, "a")
    assert [said(bank, name) for name in ("gate", "doors", "house")] == [("", [])] * 3


def test_former_answer_of_unknown_grounds_goes(bank: Bank) -> None:
    row = model(bank)
    row.history = [{"content": CODE, "refreshed_at": timezone.now().isoformat()}]
    row.save()
    retain(bank, OTHER, "b")
    changing.delete_document(bank.pk, "b")
    assert said(bank) == ("", [])


def test_clearing_a_bank_leaves_no_answer(bank: Bank) -> None:
    row = model(bank)
    answer(row, CODE, retain(bank, CODE, "a"))
    answer(row, OTHER, retain(bank, OTHER, "b"))
    changing.delete_memories(bank.pk)
    assert said(bank) == ("", [])


def test_answer_that_was_found_before_its_memory_went_is_not_stored(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    fact = retain(bank, CODE, "a")
    model(bank)

    def reflect(*_: Any) -> Reflection:
        changing.delete_document(bank.pk, "a")
        return Reflection(text=CODE, memories=(Mock(id=fact.pk),))

    monkeypatch.setattr(refreshing.engine, "reflect", reflect)
    ended, _ = refreshing.refresh_model(bank.tenant_id, bank.pk, "gate")
    assert (ended, said(bank)) == (refreshing.EMPTY, ("", []))


def test_answer_from_an_answer_that_went_meanwhile_is_not_stored(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    model(bank, "gate")
    model(bank, "doors")
    used = KnownModel(id="gate", title="gate", content=CODE, is_fresh=True)
    found = Reflection(text=CODE, mental_models=(used,))
    monkeypatch.setattr(refreshing.engine, "reflect", lambda *_: found)
    refreshing.refresh_model(bank.tenant_id, bank.pk, "doors")
    assert said(bank, "doors") == ("", [])


# -- work ----------------------------------------------------------------------------------------


def submit(bank: Bank, *given: RetainItem) -> Operation:
    payload = payloads.to_json(given)
    return operations.submit(bank.pk, OperationType.RETAIN, payload, items_count=len(given))


def run(operation: Operation) -> Operation:
    operations.run(operation.tenant_id, operation.pk)
    operation.refresh_from_db()
    return operation


def test_work_that_is_done_keeps_no_copy(bank: Bank) -> None:
    done = run(submit(bank, RetainItem(content=CODE, document_name="a", context="the gate")))
    assert "gate" not in json.dumps(done.payload)
    assert done.result["documents"] == ["a"]


@pytest.mark.parametrize("is_called_off", [True, False])
def test_waiting_work_does_not_bring_a_deleted_document_back(
    bank: Bank, is_called_off: bool
) -> None:
    retain(bank, OTHER, "a")
    given = (
        RetainItem(content=CODE, document_name="a"),
        RetainItem(content=OTHER, document_name="b"),
    )
    waiting = submit(bank, *given)
    if is_called_off:
        operations.cancel(waiting)
    changing.delete_document(bank.pk, "a")
    waiting.refresh_from_db()
    assert CODE not in json.dumps(waiting.payload)
    operations.retry(waiting)
    assert run(waiting).status == "completed"
    assert list(Document.objects.values_list("name", flat=True)) == ["b"]


def test_waiting_work_does_not_bring_a_deleted_memory_without_a_name_back(bank: Bank) -> None:
    engine.retain(bank.pk, [RetainItem(content=CODE)])
    waiting = submit(bank, RetainItem(content=CODE))
    changing.delete_document(bank.pk, Document.objects.get().name)
    assert run(waiting).status == "completed"
    assert not Document.objects.exists()


@pytest.mark.parametrize("name", [None, "a"])
def test_work_that_was_refused_keeps_no_document(bank: Bank, name: str | None) -> None:
    retain(bank, OTHER, "a")
    refused = run(submit(bank, RetainItem(content=CODE, document_name=name, tags=("x" * 999,))))
    assert refused.status == "failed"
    changing.delete_document(bank.pk, "a")
    refused.refresh_from_db()
    assert (CODE in json.dumps(refused.payload)) is (name is None)


def test_clearing_a_bank_leaves_nothing_to_retain(bank: Bank) -> None:
    waiting = submit(bank, RetainItem(content=CODE))
    changing.delete_memories(bank.pk)
    assert run(waiting).status == "completed"
    assert not Document.objects.exists()


def test_items_behind_a_deleted_one_are_retained(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.retain.working._ITEMS", 1)
    retain(bank, OTHER, "a")
    names = ("a", "b", "c")
    waiting = submit(bank, *(RetainItem(content=CODE, document_name=name) for name in names))
    changing.delete_document(bank.pk, "a")
    done = run(waiting)
    assert (done.items_done, done.result["documents"]) == (3, ["b", "c"])
