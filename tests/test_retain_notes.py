"""Ordinary notes, one after another: which of them hold, which say the same, whom they name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from memory import tenancy
from memory.levels import Level
from memory.models import Bank, BankKind, Document, Entity, Node, NodeEntity
from memory.retain import engine, nearest_vectors
from memory.retain.items import Retained, RetainItem
from tests.factories import make_org

pytestmark = pytest.mark.django_db


@pytest.fixture
def bank() -> Iterator[Bank]:
    org = make_org()
    with tenancy.scope(org.tenant.pk):
        yield Bank.objects.create(tenant=org.tenant, name="work", kind=BankKind.MEMORY)


def retain(bank: Bank, content: Any, **fields: Any) -> Retained:
    return engine.retain(bank.pk, [RetainItem(content=content, **fields)])


def observations(bank: Bank) -> list[Node]:
    return list(Node.objects.filter(bank=bank, level=Level.L2).order_by("tags"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The weekly sync is on Tuesday.", "The weekly sync is now on Thursday."),
        ("The server runs Debian 11.", "The server now runs Debian 12."),
        (
            "# Standup 2 September\n\nThe orders database runs on PostgreSQL 15.",
            "# Standup 23 September\n\nThe orders database runs on PostgreSQL 16 now.",
        ),
        (
            "# Standup 2 September\n\nThe Atlas launch is planned for 15 October.",
            "# Standup 23 September\n\nThe Atlas launch is planned for 2 November.",
        ),
        (
            "# Minutes 24 September\n\nThe server room is locked at 18:00.",
            "# Minutes 1 October\n\nThe server room is now locked at 20:00.",
        ),
        (
            "Marta: The Atlas budget is 48,000 euros.",
            "The Atlas budget is now 52,500 euros.",
        ),
        (
            "Marta: The Atlas budget is 48,000 euros.",
            "Jonas: The Atlas budget is now 52,500 euros.",
        ),
    ],
)
def test_newer_note_supersedes_what_an_older_one_says(bank: Bank, old: str, new: str) -> None:
    retain(bank, old, timestamp="2024-09-02", document_name="old")
    retain(bank, new, timestamp="2024-09-23", document_name="new")
    lost = Node.objects.filter(bank=bank, level=Level.L1, superseded_at__isnull=False)
    (document,) = Document.objects.filter(bank=bank, name="old")
    assert [node.document_id for node in lost] == [document.pk]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("# Room 1\n\nThe fee is 20 euros.", "# Room 2\n\nThe fee is 30 euros."),
        ("# Concert 3 May\n\nThe fee is 20 euros.", "# Concert 10 May\n\nThe fee is 30 euros."),
        ("# North\n\nThe fee is 20 euros.", "# South\n\nThe fee is now 30 euros."),
        ("Marta: My budget is 48,000 euros.", "Jonas: My budget is now 52,500 euros."),
        ("Marta: I live in Rome now.", "Jonas: I live in Paris now."),
    ],
)
def test_what_stands_above_or_who_speaks_keeps_facts_apart(
    bank: Bank, one: str, other: str
) -> None:
    retain(bank, one, timestamp="2024-09-02")
    retain(bank, other, timestamp="2024-09-23")
    assert not Node.objects.filter(bank=bank, superseded_at__isnull=False).exists()


@pytest.mark.parametrize("other", ["Marta: {}", "[09:12] Marta: {}", "- **Marta**: {}"])
def test_prose_and_a_turn_that_say_the_same_make_an_observation(bank: Bank, other: str) -> None:
    said = "The vendor delivers the pumps on Friday."
    retain(bank, said)
    retain(bank, other.format(said))
    (made,) = observations(bank)
    assert (made.text, made.proof_count) == (said, 2)


@pytest.mark.parametrize("first", [0, 1])
def test_statement_far_from_its_like_by_meaning_is_found_by_its_words(
    bank: Bank, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest_vectors, "search", lambda *_, **__: {})
    said = "The vendor delivers the pumps on Friday."
    small_talk = "Well hello everybody, shall we begin now? I have an hour, then the dentist waits."
    given = [said, f"Jonas: {small_talk}\nMarta: {said}\nJonas: Thanks, I noted that."]
    retain(bank, given[first])
    retain(bank, given[1 - first])
    (made,) = observations(bank)
    assert (made.text, made.proof_count) == (said, 2)


def test_what_the_speaker_says_of_themselves_is_witnessed_by_them_alone(bank: Bank) -> None:
    said = "I ordered three pumps for the depot."
    retain(bank, said)
    retain(bank, f"Marta: {said}")
    assert observations(bank) == []
    retain(bank, f"**Marta**: {said}", document_name="again")
    (made,) = observations(bank)
    assert (made.speaker, made.proof_count) == ("Marta", 2)


def test_observing_at_once_is_a_consolidation(bank: Bank) -> None:
    retain(bank, "The gate code is 4711.")
    bank.refresh_from_db()
    assert bank.consolidated_at is not None


def test_bank_that_waits_for_its_consolidation_was_never_consolidated(bank: Bank) -> None:
    bank.config = {"enable_auto_consolidation": False}
    bank.save()
    retain(bank, "The gate code is 4711.")
    bank.refresh_from_db()
    assert bank.consolidated_at is None


def test_first_word_is_the_entity_that_the_bank_knows(bank: Bank) -> None:
    retain(bank, "The proxy is watched by Zorblax.", document_name="a")
    retain(bank, "Zorblax: see the appendix of the contract.", document_name="b")
    (entity,) = Entity.objects.filter(bank=bank, name="Zorblax")
    assert NodeEntity.objects.filter(entity_id=entity.pk).count() == 2


def test_who_does_something_at_the_start_is_an_entity(bank: Bank) -> None:
    retain(bank, "Alice fixed the proxy in March.")
    assert list(Entity.objects.values_list("name", flat=True)) == ["Alice"]
