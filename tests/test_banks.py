"""Banks: who sees which, opening at once, deleting, and what one holds."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.apps import apps
from django.db import connection

from memory import banks, tenancy
from memory.errors import BankNotFound, InvalidBank
from memory.models import (
    Access,
    Bank,
    ChangeKind,
    Corpus,
    Directive,
    EntityTrigram,
    Level,
    Membership,
    MemoryChange,
    MentalModel,
    Operation,
    OperationType,
    TenantModel,
    TermBlock,
    TermStatistics,
)
from tests.bank_rows import make_bank, make_document, place_node
from tests.factories import Org, make_org
from tests.nodes import link, mention


def names(member: Membership) -> list[str]:
    with tenancy.scope(member.tenant_id):
        return [bank.name for bank in banks.visible_banks(member)]


def find(member: Membership, name: str) -> Bank:
    with tenancy.scope(member.tenant_id):
        return banks.find(member, name)


@pytest.mark.django_db
def test_shared_banks_and_own_private_ones_are_seen_and_no_others() -> None:
    org = make_org()
    make_bank(org, "shared")
    make_bank(org, "diary", owner=org.reader, access=Access.PRIVATE)
    assert names(org.reader) == ["diary", "shared"]
    assert names(org.editor) == ["shared"]
    assert names(org.admin) == ["shared"]
    assert names(make_org().admin) == []


@pytest.mark.django_db
def test_a_private_bank_of_another_reads_as_one_that_does_not_exist() -> None:
    org = make_org()
    make_bank(org, "diary", owner=org.reader, access=Access.PRIVATE)
    with pytest.raises(BankNotFound) as others:
        find(org.admin, "diary")
    with pytest.raises(BankNotFound) as nobodys:
        find(org.admin, "diarx")
    assert (str(others.value), str(nobodys.value)) == ("diary", "diarx")


@pytest.mark.django_db
def test_ones_own_private_bank_comes_before_the_shared_one_of_that_name() -> None:
    org = make_org()
    shared = make_bank(org, "notes")
    own = make_bank(org, "notes", owner=org.editor, access=Access.PRIVATE)
    assert find(org.editor, "notes") == own
    assert find(org.reader, "notes") == shared


@pytest.mark.django_db
def test_the_bank_of_pages_is_neither_listed_nor_opened() -> None:
    org = make_org()
    with tenancy.scope(org.tenant.pk):
        pages = banks.pages_bank()
    assert names(org.admin) == []
    with pytest.raises(BankNotFound):
        find(org.admin, pages.name)
    with tenancy.scope(org.tenant.pk):
        assert banks.open_or_create(org.admin, pages.name) != pages


@pytest.mark.django_db
def test_opening_makes_a_bank_once_and_the_opener_owns_it() -> None:
    org = make_org()
    with tenancy.scope(org.tenant.pk):
        made = banks.open_or_create(org.editor, "  ops\n")
        assert banks.open_or_create(org.reader, "ops") == made
    assert (made.name, made.owner_id, made.access) == ("ops", org.editor.user_id, Access.TENANT)


@pytest.mark.parametrize("name", ["", "   ", "\x00", "x" * 201])
@pytest.mark.django_db
def test_a_name_that_no_bank_can_have_is_refused(name: str) -> None:
    org = make_org()
    with tenancy.scope(org.tenant.pk), pytest.raises(InvalidBank):
        banks.open_or_create(org.editor, name)


@pytest.mark.django_db
def test_a_bank_that_was_made_meanwhile_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """The constraint decides, not the look before."""
    org = make_org()
    shared = make_bank(org, "ops")
    looks = iter([BankNotFound("ops"), shared])

    def look(member: Membership, name: str, *, access: str | None = None) -> Bank:
        found = next(looks)
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setattr(banks, "find", look)
    with tenancy.scope(org.tenant.pk):
        assert banks.open_or_create(org.editor, "ops") == shared
        assert Bank.objects.count() == 1  # the transaction lives on


@pytest.mark.django_db
def test_deleting_a_bank_takes_all_that_it_holds_and_nothing_else() -> None:
    org = make_org()
    kept, gone = filled_bank(org, "kept"), filled_bank(org, "gone")
    before = rows_by_bank(org, kept)
    with tenancy.scope(org.tenant.pk):
        assert banks.delete(gone) == 1  # a fact; its passage and the section are no memories
        connection.check_constraints()
    assert not any(rows_by_bank(org, gone).values())
    assert rows_by_bank(org, kept) == before
    assert names(org.admin) == ["kept"]


@pytest.mark.django_db
def test_a_bank_that_was_removed_meanwhile_is_not_found() -> None:
    org = make_org()
    bank = make_bank(org, "gone")
    with tenancy.scope(org.tenant.pk):
        banks.delete(Bank.objects.get(pk=bank.pk))
        with pytest.raises(BankNotFound):
            banks.delete(bank)


@pytest.mark.django_db
def test_deleting_covers_every_table_that_belongs_to_a_bank() -> None:
    """A table that comes later is filled here, or this test says so."""
    org = make_org()
    bank = filled_bank(org, "all")
    empty = {name for name, number in rows_by_bank(org, bank).items() if not number}
    assert not empty, "fill it in filled_bank"


@pytest.mark.django_db
def test_statistics_count_what_a_bank_holds() -> None:
    org = make_org()
    bank = filled_bank(org, "ops")
    with tenancy.scope(org.tenant.pk):
        found = banks.statistics(bank)
    assert found.nodes == 3
    assert found.nodes_by_level == {"L0": 1, "L1": 1, "R": 1}
    assert found.facts_by_type == {"world": 1}
    assert found.edges_by_type == {"derived_from": 1}
    assert (found.documents, found.corpora, found.entities) == (1, {"docs": 1}, 1)
    assert (found.vectors_missing, found.superseded) == (1, 0)
    assert found.operations_by_status == {"pending": 1}
    assert found.as_json()["consolidated_at"] is None


@pytest.mark.parametrize("round", range(3))
def test_many_who_open_at_once_get_one_bank(committed_db: None, round: int) -> None:
    org = make_org()

    def open_it(_: int) -> uuid.UUID:
        try:
            with tenancy.scope(org.tenant.pk):
                return banks.open_or_create(org.editor, "ops").pk
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        opened = set(pool.map(open_it, range(6)))
    assert len(opened) == 1


def filled_bank(org: Org, name: str) -> Bank:
    """A bank with a row in every table that belongs to one: three memories."""
    bank = make_bank(org, name)
    with tenancy.scope(org.tenant.pk):
        corpus = Corpus.objects.create(tenant=org.tenant, bank=bank, name="docs", sections=1)
        page = make_document(bank, "page.md", "Pods are small.", corpus=corpus)
        said = make_document(bank, "chat", "Alice wrote the runbook.")
        place_node(page, page.text, level=Level.R)
        raw = place_node(said, said.text, level=Level.L0, encode=False)
        fact = place_node(said, said.text, tags=["ops"])
        link(fact, raw)
        entity = mention("Alice", fact)
        EntityTrigram.objects.create(
            tenant=org.tenant, bank=bank, trigram="ali", entity_id=entity.pk
        )
        about = {"tenant": org.tenant, "bank": bank}
        MentalModel.objects.create(**about, name="m", title="M", query="What?")
        Directive.objects.create(**about, name="d", content="Be brief.")
        MemoryChange.objects.create(**about, node=fact, kind=ChangeKind.EDITED)
        TermBlock.objects.create(**about, level=Level.L1, term="alice", block=0, postings=b"")
        TermStatistics.objects.create(**about, level=Level.L1, nodes=0, length=0)
        Operation.objects.create(tenant=org.tenant, bank=bank, type=OperationType.RETAIN)
    return bank


def rows_by_bank(org: Org, bank: Bank) -> dict[str, int]:
    with tenancy.scope(org.tenant.pk):
        return {
            model._meta.db_table: model._base_manager.filter(bank_id=bank.pk).count()
            for model in apps.get_models()
            if issubclass(model, TenantModel)
            and any(field.name == "bank" for field in model._meta.fields)
        }
