"""Retaining from many threads at once: nothing is lost, nothing is there twice."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from django.db import connections

from memory import tenancy
from memory.levels import Level
from memory.models import Bank, BankKind, Document, Entity, Node
from memory.retain import changing, engine, writing
from memory.retain.items import Retained, RetainItem, UpdateMode
from tests.factories import make_org

MANY = 8


@pytest.fixture
def bank(committed_db: None) -> Bank:
    org = make_org()
    with tenancy.scope(org.tenant.pk):
        return Bank.objects.create(tenant=org.tenant, name="work", kind=BankKind.MEMORY)


def retain(bank: Bank, content: str, **fields: Any) -> Retained:
    return engine.retain(bank.pk, [RetainItem(content=content, **fields)], tenant_id=bank.tenant_id)


def at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """All calls on threads of their own, started together. An exception of one is raised here."""
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            start.wait()
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as threads:
        return [future.result() for future in [threads.submit(run, call) for call in calls]]


def facts(bank: Bank) -> list[Node]:
    with tenancy.scope(bank.tenant_id):
        return list(Node.objects.filter(bank=bank, level=Level.L1).order_by("ordinal"))


def test_fc_48_retains_at_once_are_all_there(bank: Bank) -> None:
    made = at_once(
        [
            partial(retain, bank, f"Ana keeps marker{n} in Berlin.", document_name=f"d{n}")
            for n in range(MANY)
        ]
    )
    stored = {fact.pk: fact.text for fact in facts(bank)}
    for number, result in enumerate(made):
        assert [f"marker{number}" in stored[pk] for pk in result.fact_ids] == [True]
    with tenancy.scope(bank.tenant_id):
        assert Entity.objects.filter(bank=bank, folded="berlin").count() == 1


def test_fc_48_appends_to_one_document_at_once_are_all_there(bank: Bank) -> None:
    at_once(
        [
            partial(
                retain,
                bank,
                f"Shelf holds marker{n} today.",
                document_name="d",
                update_mode=UpdateMode.APPEND,
            )
            for n in range(MANY)
        ]
    )
    stored = facts(bank)
    assert sorted(fact.text.split()[2] for fact in stored) == [f"marker{n}" for n in range(MANY)]
    with tenancy.scope(bank.tenant_id):
        text = Document.objects.get(bank=bank).text
    assert all(text[fact.char_start : fact.char_end] == fact.text for fact in stored)


def test_fc_48_replacing_one_document_at_once_leaves_one_whole_version(bank: Bank) -> None:
    at_once(
        [
            partial(
                retain, bank, f"First of {n} is here. Second of {n} is here.", document_name="d"
            )
            for n in range(MANY)
        ]
    )
    with tenancy.scope(bank.tenant_id):
        text = Document.objects.get(bank=bank).text
    assert " ".join(fact.text for fact in facts(bank)) == text


def test_fc_49_same_words_at_the_same_moment_are_one_memory(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    between_check_and_insert = threading.Barrier(2, timeout=20)
    lock_documents = writing.lock_documents
    waited: set[int] = set()

    def held(bank_id: UUID, plans: Any) -> None:
        if threading.get_ident() not in waited:
            waited.add(threading.get_ident())
            between_check_and_insert.wait()
        lock_documents(bank_id, plans)

    monkeypatch.setattr(writing, "lock_documents", held)
    one, other = at_once([lambda: retain(bank, "Coffee break is at 10")] * 2)
    assert one.fact_ids == other.fact_ids
    assert one.documents[0].id == other.documents[0].id
    assert len(facts(bank)) == 1


def test_deleting_and_retaining_at_once_end_without_an_error(bank: Bank) -> None:
    for number in range(4):
        retain(bank, f"The depot opens at 7 on line {number}.", document_name=f"d{number}")

    def delete(number: int) -> None:
        with tenancy.scope(bank.tenant_id):
            changing.delete_document(bank.pk, f"d{number}")

    at_once(
        [partial(delete, n) for n in range(4)]
        + [
            partial(retain, bank, f"The depot opens at 7 on line {n}.", document_name=f"e{n}")
            for n in range(4)
        ]
    )
    with tenancy.scope(bank.tenant_id):
        names = set(Document.objects.filter(bank=bank).values_list("name", flat=True))
    assert names == {f"e{number}" for number in range(4)}
