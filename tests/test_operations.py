"""Asynchronous work: accepted once, done once, watched, cancelled, tried again, never lost."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerAway

from memory import operations, tasks, tenancy
from memory.backends.extractors.fake import FAILS
from memory.levels import Level
from memory.models import (
    Bank,
    BankKind,
    Document,
    Event,
    Node,
    Operation,
    OperationStatus,
    OperationType,
)
from memory.retain import engine, payloads, working
from memory.retain.items import RetainItem, UpdateMode
from memory.retain.writing import Overtaken
from tests.factories import make_org

FAKE = "memory.backends.extractors.fake.FakeExtractor"


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[uuid.UUID]:
    """What was handed to the broker."""
    found: list[uuid.UUID] = []
    monkeypatch.setattr(
        tasks.run_operation, "delay", lambda tenant, operation: found.append(uuid.UUID(operation))
    )
    return found


@pytest.fixture
def bank(db: None, sent: list[uuid.UUID]) -> Iterator[Bank]:
    org = make_org()
    with tenancy.scope(org.tenant.pk):
        yield Bank.objects.create(tenant=org.tenant, name="work", kind=BankKind.MEMORY)


def items(*contents: str, **fields: Any) -> list[RetainItem]:
    return [
        RetainItem(content=content, document_name=f"d{number}", **fields)
        for number, content in enumerate(contents)
    ]


def submit(bank: Bank, given: list[RetainItem], **fields: Any) -> Operation:
    return operations.submit(
        bank.pk,
        OperationType.RETAIN,
        payloads.to_json(given),
        items_count=len(given),
        **fields,
    )


def run(operation: Operation) -> OperationStatus | None:
    status = operations.run(operation.tenant_id, operation.pk)
    operation.refresh_from_db()
    return status


def texts(bank: Bank) -> list[str]:
    return sorted(Node.objects.filter(bank=bank, level=Level.L1).values_list("text", flat=True))


def test_items_are_the_same_after_they_waited_as_json() -> None:
    given = [
        RetainItem(
            content=[{"role": "user", "content": "Hi", "timestamp": timezone.now()}],
            timestamp=timezone.now(),
            tags=("a",),
            metadata={"k": "v"},
            update_mode=UpdateMode.APPEND,
            observation_scopes=(("a", "b"),),
        )
    ]
    stored = payloads.to_json(given, ("t",))
    read, tags = payloads.from_json(stored)
    assert tags == ("t",)
    assert payloads.to_json(read, tags) == stored


def test_payload_holds_no_nul_and_no_half_surrogate() -> None:
    stored = payloads.to_json([RetainItem(content="a\x00b \ud83d", metadata={"k\x00": "\udc8f"})])
    assert stored["items"][0]["content"] == "ab \ufffd"
    assert stored["items"][0]["metadata"] == {"k": "\ufffd"}


def test_items_of_one_document_stay_in_one_step() -> None:
    given = [RetainItem(content=str(n), document_name=f"d{n % 3}") for n in range(9)]
    steps = payloads.grouped(given, 4)
    assert [[item.content for item in step] for step in steps] == [
        ["0", "3", "6"],
        ["1", "4", "7"],
        ["2", "5", "8"],
    ]


def test_submitted_work_is_sent_when_the_transaction_commits(
    bank: Bank, sent: list[uuid.UUID], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        operation = submit(bank, items("The depot opens at 7."))
        assert sent == []
    assert sent == [operation.pk]


def test_run_does_the_work_and_says_so(bank: Bank) -> None:
    operation = submit(bank, items("The depot opens at 7.", "Ana has the key."))
    assert run(operation) == OperationStatus.COMPLETED
    assert texts(bank) == ["Ana has the key.", "The depot opens at 7."]
    assert (operation.items_done, operation.result["documents"]) == (2, ["d0", "d1"])
    assert operation.started_at
    assert operation.finished_at


def test_second_message_does_nothing(bank: Bank) -> None:
    operation = submit(bank, items("The depot opens at 7.", update_mode=UpdateMode.APPEND))
    run(operation)
    assert run(operation) is None
    assert texts(bank) == ["The depot opens at 7."]


def test_work_that_another_worker_is_at_is_left_to_it(bank: Bank) -> None:
    operation = submit(bank, items("The depot opens at 7."))
    Operation.objects.update(status=OperationStatus.PROCESSING, updated_at=timezone.now())
    assert run(operation) is None
    assert texts(bank) == []


def test_same_operation_id_is_the_same_operation(bank: Bank) -> None:
    chosen = uuid.uuid4()
    one = submit(bank, items("The depot opens at 7."), operation_id=chosen)
    other = submit(bank, items("Something else."), operation_id=chosen)
    assert one == other
    assert Operation.objects.count() == 1


def test_waiting_consolidation_is_not_asked_for_twice(bank: Bank) -> None:
    one, was_there = operations.submit_consolidation(bank.pk, {"scopes": None}, actor=None)
    other, is_there = operations.submit_consolidation(bank.pk, {"scopes": None}, actor=None)
    assert (one, was_there, is_there) == (other, False, True)
    assert run(one) == OperationStatus.COMPLETED


def test_worker_that_died_is_replaced_behind_its_last_step(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(working, "_ITEMS", 1)
    operation = submit(
        bank, items(*(f"Item number {n} is here." for n in range(3)), update_mode=UpdateMode.APPEND)
    )
    retain, calls = engine.retain, []

    def dies(*args: Any, **kwargs: Any) -> Any:
        calls.append(args)
        if len(calls) == 3:
            raise OperationalError("the server went away")
        return retain(*args, **kwargs)

    monkeypatch.setattr(engine, "retain", dies)
    with pytest.raises(OperationalError):
        run(operation)
    operation.refresh_from_db()
    assert (operation.status, operation.items_done) == (OperationStatus.PENDING, 2)
    assert run(operation) == OperationStatus.COMPLETED
    assert texts(bank) == [f"Item number {n} is here." for n in range(3)]
    assert operation.result["documents"] == ["d0", "d1", "d2"]


def test_reconcile_sends_what_lost_its_message_or_its_worker(
    bank: Bank, sent: list[uuid.UUID]
) -> None:
    waiting, working_, fresh, done = (submit(bank, items(f"Number {n} is here.")) for n in range(4))
    long_ago = timezone.now() - timedelta(minutes=5)
    Operation.objects.filter(pk=waiting.pk).update(updated_at=long_ago)
    Operation.objects.filter(pk=working_.pk).update(
        status=OperationStatus.PROCESSING, updated_at=long_ago
    )
    Operation.objects.filter(pk=done.pk).update(
        status=OperationStatus.COMPLETED, updated_at=long_ago
    )
    assert operations.reconcile(bank.tenant_id) == 2
    assert set(sent) == {waiting.pk, working_.pk}
    assert fresh.pk not in sent
    assert run(working_) == OperationStatus.COMPLETED


def test_broker_that_is_away_loses_nothing(
    bank: Bank, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    def away(*_: Any) -> None:
        raise BrokerAway("no broker")

    monkeypatch.setattr(tasks.run_operation, "delay", away)
    with django_capture_on_commit_callbacks(execute=True):
        operation = submit(bank, items("The depot opens at 7."))
    assert Operation.objects.get(pk=operation.pk).status == OperationStatus.PENDING


def test_cancelled_work_stops_and_is_undone_to_the_last_step(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(working, "_ITEMS", 1)
    operation = submit(bank, items("Item one is here.", "Item two is here."))
    retain, calls = engine.retain, []

    def cancels(*args: Any, **kwargs: Any) -> Any:
        calls.append(args)
        if len(calls) == 2:
            assert operations.cancel(operation)
        return retain(*args, **kwargs)

    monkeypatch.setattr(engine, "retain", cancels)
    assert run(operation) == OperationStatus.CANCELLED
    assert operation.status == OperationStatus.CANCELLED
    assert texts(bank) == ["Item one is here."]
    assert not operations.cancel(operation)


def test_retry_takes_up_what_was_cancelled(bank: Bank) -> None:
    operation = submit(bank, items("The depot opens at 7."))
    operations.cancel(operation)
    assert run(operation) is None
    assert operations.retry(operation)
    assert run(operation) == OperationStatus.COMPLETED
    assert not operations.retry(operation)


def test_item_that_is_refused_fails_with_its_sentence(bank: Bank) -> None:
    operation = submit(bank, items(" "))
    assert run(operation) == OperationStatus.FAILED
    assert operation.error == "There is nothing in this content to remember."


def test_our_fault_fails_with_a_sentence_and_an_event(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("secret words")

    monkeypatch.setattr(engine, "retain", breaks)
    operation = submit(bank, items("The depot opens at 7."))
    assert run(operation) == OperationStatus.FAILED
    assert "secret" not in operation.error
    assert Event.objects.get().name == "operation_failed"


def test_work_that_others_overtake_fails_with_a_sentence_and_can_be_retried(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    def loses(*_: Any, **__: Any) -> Any:
        raise Overtaken("d0")

    operation = submit(bank, items("The depot opens at 7."))
    with monkeypatch.context() as patched:
        patched.setattr(engine, "retain", loses)
        assert run(operation) == OperationStatus.FAILED
    assert "kept changing" in operation.error
    assert not Event.objects.exists()
    assert operations.retry(operation)
    assert run(operation) == OperationStatus.COMPLETED


def test_work_that_never_ends_is_given_up(bank: Bank) -> None:
    operation = submit(bank, items("The depot opens at 7."))
    Operation.objects.update(attempts=5)
    assert run(operation) is None
    assert operation.status == OperationStatus.FAILED
    assert operation.error


def test_long_work_lets_others_pass_and_goes_on(
    bank: Bank, sent: list[uuid.UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(working, "_ITEMS", 1)
    monkeypatch.setattr(working, "_STINT", -1.0)
    operation = submit(bank, items(*(f"Item number {n} is here." for n in range(7))))
    statuses = [run(operation) for _ in range(7)]
    assert statuses == [OperationStatus.PENDING] * 6 + [OperationStatus.COMPLETED]
    assert sent == [operation.pk] * 6
    assert len(texts(bank)) == 7


def test_failed_extraction_leaves_the_passage_and_retry_reads_it(bank: Bank, settings: Any) -> None:
    settings.FOOTNOTE = {**settings.FOOTNOTE, "EXTRACTOR": FAKE}
    operation = submit(bank, items(f"The depot opens at 7 {FAILS}", "Ana has the key."))
    assert run(operation) == OperationStatus.FAILED
    assert operation.error == "The model gave no facts that could be read."
    assert operation.result["unread"] == ["d0"]
    assert texts(bank) == ["Ana has the key."]
    assert Node.objects.filter(bank=bank, level=Level.L0, text__startswith="The depot").exists()

    settings.FOOTNOTE = {**settings.FOOTNOTE, "EXTRACTOR": FAKE.replace("fake.Fake", "rules.Rules")}
    assert operations.retry(operation)
    assert run(operation) == OperationStatus.COMPLETED
    assert operation.result["unread"] == []
    assert len(texts(bank)) == 2


def test_reprocessing_takes_the_facts_of_every_passage_again(bank: Bank, settings: Any) -> None:
    engine.retain(bank.pk, items("The depot opens at 7. It is red."))
    settings.FOOTNOTE = {**settings.FOOTNOTE, "EXTRACTOR": FAKE}
    operation = operations.submit(bank.pk, OperationType.REPROCESS, {"document": "d0"})
    assert run(operation) == OperationStatus.COMPLETED
    assert texts(bank) == ["The depot opens at 7. It is red."]
    assert Document.objects.filter(bank=bank).count() == 1


def test_reprocessing_what_is_not_there_fails_with_a_sentence(bank: Bank) -> None:
    operation = operations.submit(bank.pk, OperationType.REPROCESS, {"document": "gone"})
    assert run(operation) == OperationStatus.FAILED
    assert "gone" in operation.error


def test_model_that_takes_long_is_left_between_passages(
    bank: Bank, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.FOOTNOTE = {**settings.FOOTNOTE, "EXTRACTOR": FAKE}
    monkeypatch.setattr(working, "_STINT", -1.0)
    operation = submit(bank, items("The depot opens at 7."))
    assert run(operation) == OperationStatus.PENDING
    assert (texts(bank), operation.result["unread"]) == ([], ["d0"])
    assert Node.objects.filter(bank=bank, level=Level.L0).exists()

    monkeypatch.setattr(working, "_STINT", 120.0)
    assert run(operation) == OperationStatus.COMPLETED
    assert (texts(bank), operation.result["unread"]) == (["The depot opens at 7."], [])


def test_item_of_a_bank_that_went_fails_with_a_sentence(bank: Bank) -> None:
    operation = submit(bank, items("The depot opens at 7."))
    Bank.objects.filter(pk=bank.pk).update(kind=BankKind.PAGES)
    assert run(operation) == OperationStatus.FAILED
    assert operation.error.endswith(".")
