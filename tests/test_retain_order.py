"""Content that is sent twice, or later than what it is older than: the newest submission stays."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memory import operations, tasks, tenancy
from memory.levels import Level
from memory.models import Bank, BankKind, Document, Node, Operation, OperationStatus, OperationType
from memory.retain import changing, engine, payloads, rereading, writing
from memory.retain.items import DocumentChange, Retained, RetainItem, UpdateMode
from tests.factories import make_org

pytestmark = pytest.mark.django_db

OLD, NEW = "The gate code is 1111.", "The gate code is 2222."


@pytest.fixture
def bank(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bank]:
    monkeypatch.setattr(tasks.run_operation, "delay", lambda *_: None)
    org = make_org()
    with tenancy.scope(org.tenant.pk):
        yield Bank.objects.create(tenant=org.tenant, name="work", kind=BankKind.MEMORY)


def retain(bank: Bank, content: Any, **fields: Any) -> Retained:
    fields.setdefault("document_name", "x")
    return engine.retain(bank.pk, [RetainItem(content=content, **fields)])


def submit(bank: Bank, *contents: str, **fields: Any) -> Operation:
    fields.setdefault("document_name", "x")
    given = [RetainItem(content=content, **fields) for content in contents]
    payload = payloads.to_json(given)
    return operations.submit(bank.pk, OperationType.RETAIN, payload, items_count=len(given))


def run(operation: Operation) -> Operation:
    operations.run(operation.tenant_id, operation.pk)
    operation.refresh_from_db()
    return operation


def text(bank: Bank) -> str:
    return Document.objects.get(bank=bank).text


def facts(bank: Bank) -> list[str]:
    nodes = Node.objects.filter(bank=bank, level=Level.L1)
    return list(nodes.order_by("ordinal").values_list("text", flat=True))


# -- late work -----------------------------------------------------------------------------------


def test_fc_74_late_work_leaves_what_was_submitted_after_it(bank: Bank) -> None:
    late = submit(bank, OLD)
    retain(bank, NEW)
    done = run(late)
    assert (done.status, done.result["newer"]) == (OperationStatus.COMPLETED, ["x"])
    assert (text(bank), facts(bank)) == (NEW, [NEW])


def test_cancelled_work_that_is_tried_again_is_as_old_as_it_was(bank: Bank) -> None:
    late = submit(bank, OLD)
    operations.cancel(late)
    retain(bank, NEW)
    operations.retry(late)
    assert run(late).result["newer"] == ["x"]
    assert text(bank) == NEW


def test_late_work_leaves_what_was_sent_again_after_it(bank: Bank) -> None:
    retain(bank, NEW)
    late = submit(bank, OLD)
    assert retain(bank, NEW).documents[0].change is DocumentChange.UNCHANGED
    assert run(late).result["newer"] == ["x"]
    assert text(bank) == NEW


def test_work_is_done_in_the_order_in_which_it_was_submitted(bank: Bank) -> None:
    first, second = submit(bank, OLD), submit(bank, NEW)
    assert run(second).result["newer"] == []
    assert run(first).result["newer"] == ["x"]
    assert text(bank) == NEW
    first, second = submit(bank, OLD), submit(bank, NEW)
    run(first)
    assert run(second).result["newer"] == []
    assert text(bank) == NEW


def test_late_work_keeps_its_other_documents(bank: Bank) -> None:
    given = [RetainItem(content=OLD, document_name=name) for name in ("x", "y")]
    late = operations.submit(bank.pk, OperationType.RETAIN, payloads.to_json(given), items_count=2)
    retain(bank, NEW)
    assert run(late).result["newer"] == ["x"]
    assert dict(Document.objects.values_list("name", "text")) == {"x": NEW, "y": OLD}


def test_late_addition_is_not_dropped_and_late_text_does_not_drop_an_addition(bank: Bank) -> None:
    addition = submit(bank, "Ana has the key.", update_mode=UpdateMode.APPEND)
    whole = submit(bank, OLD)
    retain(bank, NEW)
    run(addition)
    assert text(bank) == f"{NEW}\n\nAna has the key."
    assert run(whole).result["newer"] == ["x"]
    assert facts(bank) == [NEW, "Ana has the key."]


def test_fc_53_late_memory_does_not_hold_against_what_was_said_after_it(bank: Bank) -> None:
    late = submit(bank, OLD, document_name=None)
    retain(bank, NEW, document_name=None)
    run(late)
    held = Node.objects.filter(bank=bank, level=Level.L1, superseded_at=None)
    assert [node.text for node in held] == [NEW]


def test_reading_again_leaves_what_was_retained_meanwhile(bank: Bank) -> None:
    retain(bank, OLD)
    read = rereading.wanted(writing.read_known(bank.pk, ["x"])["x"])
    retain(bank, NEW)
    done = engine.store(bank.tenant_id, bank.pk, [read], anew=True)
    assert done.documents[0].change is DocumentChange.NEWER
    assert text(bank) == NEW
    changing.reprocess(bank.tenant_id, bank.pk, "x")
    assert facts(bank) == [NEW]


def test_document_of_unknown_submission_is_replaced(bank: Bank) -> None:
    retain(bank, OLD)
    Document.objects.update(submitted_at=None)
    late = submit(bank, NEW)
    Operation.objects.update(created_at=timezone.now() - timedelta(days=1))
    run(late)
    assert text(bank) == NEW


# -- sent again ----------------------------------------------------------------------------------


def append(bank: Bank, content: Any, **fields: Any) -> DocumentChange:
    return retain(bank, content, update_mode=UpdateMode.APPEND, **fields).documents[0].change


def test_addition_that_is_sent_again_is_there_once(bank: Bank) -> None:
    retain(bank, NEW)
    for change in (DocumentChange.UPDATED, DocumentChange.UNCHANGED):
        assert append(bank, "Ana has the key.") is change
    assert text(bank) == f"{NEW}\n\nAna has the key."
    assert facts(bank) == [NEW, "Ana has the key."]


def test_first_addition_that_is_sent_again_is_there_once(bank: Bank) -> None:
    for _ in range(2):
        append(bank, NEW)
    assert text(bank) == NEW


def test_addition_that_another_one_followed_is_added_again(bank: Bank) -> None:
    for content in (OLD, NEW, OLD):
        append(bank, content)
    assert text(bank) == "\n\n".join((OLD, NEW, OLD))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"timestamp": "2024-03-01"}, {"timestamp": "2024-03-02"}),
        ({"tags": ("a",)}, {"tags": ("b",)}),
        ({"context": "phone"}, {"context": "mail"}),
        ({"metadata": {"k": "1"}}, {"metadata": {"k": "2"}}),
    ],
)
def test_same_words_of_another_time_or_label_are_added(
    bank: Bank, first: dict[str, Any], second: dict[str, Any]
) -> None:
    append(bank, NEW, **first)
    assert append(bank, NEW, **second) is DocumentChange.UPDATED
    assert append(bank, NEW, **second) is DocumentChange.UNCHANGED


def test_turn_of_another_time_is_added(bank: Bank) -> None:
    def turn(at: str) -> list[dict[str, str]]:
        return [{"role": "user", "content": NEW, "timestamp": at}]

    append(bank, turn("2024-03-01T10:00:00Z"))
    assert append(bank, turn("2024-03-01T10:05:00Z")) is DocumentChange.UPDATED
    assert append(bank, turn("2024-03-01T10:05:00Z")) is DocumentChange.UNCHANGED


def test_words_inside_the_last_line_are_no_addition_that_was_sent(bank: Bank) -> None:
    retain(bank, "Perhaps Ana has the key.")
    assert append(bank, "Ana has the key.") is DocumentChange.UPDATED


# -- one id, however it is written ----------------------------------------------------------------


def test_same_instant_in_another_zone_is_the_same_memory(bank: Bank) -> None:
    for at in ("2026-03-01T00:00:00Z", "2026-03-01T01:00:00+01:00"):
        retain(bank, NEW, document_name=None, timestamp=at)
    assert Document.objects.count() == 1


def test_white_space_around_a_memory_without_a_name_is_no_other_memory(bank: Bank) -> None:
    for content in (NEW, f"  {NEW} "):
        retain(bank, content, document_name=None)
    assert Document.objects.count() == 1


@pytest.mark.parametrize("other", [" Café", "Café ", unicodedata.normalize("NFD", "Café")])
def test_one_id_or_tag_is_one_however_it_is_typed(bank: Bank, other: str) -> None:
    retain(bank, OLD, document_name="Café", tags=("Café",))
    retain(bank, NEW, document_name=other, tags=(other,))
    assert list(Document.objects.values_list("name", "text", "tags")) == [("Café", NEW, ["Café"])]
    given = [
        RetainItem(content=str(n), document_name=name) for n, name in enumerate(("Café", other))
    ]
    assert len(payloads.grouped(given, 1)) == 1
