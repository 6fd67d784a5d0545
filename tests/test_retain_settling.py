"""Which of two facts holds: decided by what is there, whenever and in whatever order it came."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest
from django.utils import timezone

from memory import curating, tenancy
from memory.backends import registry
from memory.curating import MemoryEdit
from memory.levels import Level
from memory.models import Bank, BankKind, Node
from memory.recall.arms import semantic
from memory.retain import changing, consolidating, engine, nearest_vectors, neighbours
from memory.retain.items import DocumentChange, Retained, RetainItem
from tests.factories import Org, make_org

pytestmark = pytest.mark.django_db

AT_7, AT_8, NOW_8 = "The depot opens at 7.", "The depot opens at 8.", "The depot now opens at 8."


@pytest.fixture
def org() -> Org:
    return make_org()


@pytest.fixture
def bank(org: Org) -> Iterator[Bank]:
    with tenancy.scope(org.tenant.pk):
        yield make_bank(org)


def make_bank(org: Org, name: str = "work") -> Bank:
    return Bank.objects.create(tenant=org.tenant, name=name, kind=BankKind.MEMORY)


def retain(bank: Bank, content: Any, **fields: Any) -> Retained:
    return engine.retain(bank.pk, [RetainItem(content=content, **fields)])


def facts(bank: Bank) -> list[Node]:
    return list(Node.objects.filter(bank=bank, level=Level.L1).order_by("created_at"))


def holding(bank: Bank) -> list[str]:
    return sorted({fact.text for fact in facts(bank) if fact.superseded_at is None})


def state(bank: Bank) -> list[tuple[Any, ...]]:
    return [(fact.pk, fact.superseded_at, fact.trust) for fact in facts(bank)]


# -- at the same time -----------------------------------------------------------------------------


def test_fc_53_change_in_one_document_holds_every_time(org: Org) -> None:
    with tenancy.scope(org.tenant.pk):
        for number in range(6):
            bank = make_bank(org, f"b{number}")
            retain(bank, f"{AT_7} {NOW_8}", timestamp="2024-01-01")
            assert holding(bank) == [NOW_8]


@pytest.mark.parametrize("timestamp", ["2024-01-01", "unset"])
def test_fc_53_of_two_documents_of_one_time_the_later_one_holds(org: Org, timestamp: str) -> None:
    with tenancy.scope(org.tenant.pk):
        for number in range(6):
            bank = make_bank(org, f"b{number}")
            retain(bank, AT_7, timestamp=timestamp)
            retain(bank, AT_8, timestamp=timestamp)
            assert holding(bank) == [AT_8]


@pytest.mark.parametrize("timestamp", ["2024-01-01", "unset"])
def test_fc_53_change_of_the_same_time_holds_though_it_came_first(
    bank: Bank, timestamp: str
) -> None:
    retain(bank, NOW_8, timestamp=timestamp)
    retain(bank, AT_7, timestamp=timestamp)
    assert holding(bank) == [NOW_8]


# -- a stated change ------------------------------------------------------------------------------


def test_fc_53_stated_change_holds_against_two_older_witnesses(bank: Bank) -> None:
    retain(bank, AT_7, timestamp="2024-01-01", document_name="a")
    retain(bank, AT_7, timestamp="2024-01-02", document_name="b")
    retain(bank, NOW_8, timestamp="2024-02-01", document_name="c")
    assert holding(bank) == [NOW_8]
    lost_at = {fact.superseded_at for fact in facts(bank)} - {None}
    assert [time.date().isoformat() for time in lost_at if time] == ["2024-02-01"]


def test_later_witness_of_the_new_value_does_not_move_the_day_of_the_change(bank: Bank) -> None:
    retain(bank, AT_7, timestamp="2024-01-01", document_name="a")
    retain(bank, NOW_8, timestamp="2024-02-01", document_name="b")
    retain(bank, NOW_8, timestamp="2024-03-01", document_name="c")
    (lost,) = [fact for fact in facts(bank) if fact.superseded_at]
    assert lost.superseded_at is not None
    assert lost.superseded_at.date().isoformat() == "2024-02-01"


_SAID = (("a", AT_7, "2024-01-01"), ("b", AT_7, "2024-01-02"), ("c", NOW_8, "2024-02-01"))
_LATER = (("d", AT_8, "2024-03-01"), ("e", AT_7, "2024-04-01"))


@pytest.mark.parametrize("order", list(permutations(range(5)))[::11])
def test_order_of_arrival_and_what_was_there_before_decide_nothing(
    bank: Bank, order: tuple[int, ...]
) -> None:
    said = [*_SAID, *_LATER]
    for place in order:
        name, text, day = said[place]
        retain(bank, text, timestamp=day, document_name=name)
    assert holding(bank) == [AT_7]  # two old witnesses and a new one
    changing.delete_document(bank.pk, "e")
    assert holding(bank) == [NOW_8, AT_8]
    lost_at = {fact.superseded_at for fact in facts(bank)} - {None}
    assert [time.date().isoformat() for time in lost_at if time] == ["2024-02-01"]


# -- what leaves ----------------------------------------------------------------------------------


def four_witnesses(bank: Bank, *, new: str = AT_8) -> None:
    """Two for 7, and later two for 8."""
    for name, text, day in (("a", AT_7, 1), ("b", AT_7, 2), ("d", new, 3), ("e", new, 4)):
        retain(bank, text, timestamp=f"2024-01-0{day}", document_name=name)
    assert holding(bank) == [new]


@pytest.mark.parametrize("gone", ["d", "e"])
def test_slot_is_judged_again_when_a_witness_of_the_winner_goes(bank: Bank, gone: str) -> None:
    four_witnesses(bank)
    changing.delete_document(bank.pk, gone)
    assert holding(bank) == [AT_7]
    before = state(bank)
    consolidating.consolidate(bank.tenant_id, bank.pk)
    assert state(bank) == before


def test_slot_is_judged_again_when_a_witness_of_the_loser_goes(bank: Bank) -> None:
    retain(bank, AT_8, timestamp="2024-02-01", document_name="new")
    for name in ("a", "b"):
        retain(bank, AT_7, timestamp="2024-01-01", document_name=name)
    assert holding(bank) == [AT_7]
    changing.delete_document(bank.pk, "a")
    assert holding(bank) == [AT_8]


def test_slot_is_judged_again_when_a_witness_says_something_else(bank: Bank) -> None:
    four_witnesses(bank)
    retain(bank, "The lift is out of order.", timestamp="2024-01-05", document_name="d")
    assert AT_7 in holding(bank)
    assert AT_8 not in holding(bank)


def test_slot_is_judged_again_when_a_witness_moves_into_another_scope(bank: Bank) -> None:
    four_witnesses(bank)
    changing.tag_document(bank.pk, "d", ["other"])
    held = {fact.text: fact.tags for fact in facts(bank) if fact.superseded_at is None}
    assert held == {AT_7: [], AT_8: ["other"]}


def test_slot_is_judged_again_when_a_document_gets_another_date(bank: Bank) -> None:
    retain(bank, AT_7, timestamp="2024-01-01", document_name="a")
    retain(bank, AT_8, timestamp="2024-02-01", document_name="b")
    retain(bank, AT_7, timestamp="2024-03-01", document_name="a")
    assert holding(bank) == [AT_7]


def test_taking_the_winner_out_by_hand_brings_the_loser_back(org: Org) -> None:
    with tenancy.scope(org.tenant.pk):
        bank = make_bank(org)
        retain(bank, AT_7, timestamp="2024-01-01", document_name="old")
        made = retain(bank, AT_8, timestamp="2024-02-01", document_name="new")
    who = {"tenant_id": org.tenant.pk, "changed_by": org.admin.user_id}
    (winner,) = made.fact_ids
    curating.change(bank.pk, winner, MemoryEdit(is_valid=False), **who)
    with tenancy.scope(org.tenant.pk):
        assert holding(bank) == [AT_7]
        changing.delete_document(bank.pk, "old")
        assert holding(bank) == []  # it stays out
    curating.change(bank.pk, winner, MemoryEdit(is_valid=True), **who)
    with tenancy.scope(org.tenant.pk):
        assert holding(bank) == [AT_8]


# -- said again -----------------------------------------------------------------------------------


def test_fc_53_going_back_to_an_old_value_is_heard(bank: Bank) -> None:
    first = retain(bank, AT_7)
    retain(bank, NOW_8)
    assert holding(bank) == [NOW_8]
    began = timezone.now()
    again = retain(bank, AT_7)
    assert again.fact_ids == first.fact_ids
    assert again.documents[0].change is DocumentChange.UPDATED
    assert holding(bank) == [AT_7]
    seven, eight = facts(bank)
    assert seven.mentioned_at is not None
    assert seven.mentioned_at >= began
    assert eight.superseded_at == seven.mentioned_at
    assert retain(bank, AT_7).documents[0].change is DocumentChange.UNCHANGED


def test_document_with_a_name_that_is_sent_again_says_nothing_new(bank: Bank) -> None:
    retain(bank, AT_7, document_name="handbook")
    retain(bank, NOW_8)
    assert retain(bank, AT_7, document_name="handbook").documents[0].change is (
        DocumentChange.UNCHANGED
    )
    assert holding(bank) == [NOW_8]


def test_what_was_taken_out_by_hand_is_not_said_again(org: Org) -> None:
    with tenancy.scope(org.tenant.pk):
        bank = make_bank(org)
        (fact_id,) = retain(bank, AT_7).fact_ids
    curating.change(
        bank.pk,
        fact_id,
        MemoryEdit(is_valid=False),
        tenant_id=org.tenant.pk,
        changed_by=org.admin.user_id,
    )
    with tenancy.scope(org.tenant.pk):
        assert retain(bank, AT_7).documents[0].change is DocumentChange.UNCHANGED
        assert holding(bank) == []


# -- in other words --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The kickoff is on Tuesday.", "The kickoff has been moved to Thursday."),
        ("The office closes at 6.", "The office now shuts at 7."),
        ("Das Treffen ist am Dienstag.", "Das Treffen wurde auf Donnerstag verschoben."),
        ("La réunion est mardi.", "La réunion est reportée à jeudi."),
        ("La reunión es el martes.", "La reunión se ha pasado al jueves."),
        ("会议在星期二。", "会议改到星期四。"),
        ("会議は火曜日です。", "会議は木曜日に変更されました。"),
    ],
)
def test_fc_53_change_in_other_words_outdates_what_was_said(
    bank: Bank, before: str, after: str
) -> None:
    retain(bank, before, timestamp="2024-01-01")
    retain(bank, after, timestamp="2024-02-01")
    assert holding(bank) == [after]
    lost = Node.objects.get(bank=bank, level=Level.L1, text=before)
    assert lost.superseded_at is not None


def test_fc_53_what_holds_again_after_a_change_is_said_plainly(bank: Bank) -> None:
    retain(bank, "The kickoff has been moved to Thursday.", timestamp="2024-02-01")
    retain(bank, "The kickoff is on Friday.", timestamp="2024-03-01")
    assert holding(bank) == ["The kickoff is on Friday."]


def test_two_people_without_a_name_do_not_contend(bank: Bank) -> None:
    retain(bank, "I live in Lyon.", metadata={"user": "1"}, timestamp="2024-01-01")
    retain(bank, "I live in Porto.", metadata={"user": "2"}, timestamp="2024-02-01")
    assert holding(bank) == ["I live in Lyon.", "I live in Porto."]


# -- the same words many times --------------------------------------------------------------------


def test_sentence_that_a_document_repeats_is_one_fact(bank: Bank) -> None:
    many = "The depot number 1 opens at seven. " * 200
    made = retain(bank, many, document_name="a")
    assert len(made.fact_ids) == 1
    (fact,) = facts(bank)
    assert (fact.char_start, fact.text) == (0, "The depot number 1 opens at seven.")
    again = retain(bank, many, document_name="a")
    assert (again.documents[0].change, again.fact_ids) == (DocumentChange.UNCHANGED, made.fact_ids)


def test_appending_a_sentence_later_is_another_fact(bank: Bank) -> None:
    retain(bank, AT_7, document_name="a", timestamp="2024-01-01")
    retain(bank, AT_7, document_name="a", timestamp="2024-02-01", update_mode="append")
    assert len(facts(bank)) == 2


def test_same_words_are_looked_for_once(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [retain(bank, AT_7, document_name=name).fact_ids[0] for name in "abc"]
    looks: list[int] = []
    search = semantic.search

    def count(*args: Any, **kwargs: Any) -> Any:
        looks.append(1)
        return search(*args, **kwargs)

    monkeypatch.setattr(nearest_vectors, "_WORTH", 0)
    monkeypatch.setattr(semantic, "search", count)
    found = neighbours.near(bank.pk, ids, registry.encoder().recipe)
    assert len(looks) == 1
    assert {pk: {hit.node_id for hit in hits} for pk, hits in found.items()} == {
        pk: set(ids) - {pk} for pk in ids
    }


def test_every_copy_of_a_fact_loses_with_it_however_many_there_are(bank: Bank) -> None:
    items = [
        RetainItem(content=AT_7, document_name=f"d{n}", timestamp="2024-01-01") for n in range(70)
    ]
    engine.retain(bank.pk, items)
    retain(bank, NOW_8, timestamp="2024-02-01", document_name="new")
    assert holding(bank) == [NOW_8]
    changing.delete_document(bank.pk, "new")
    assert holding(bank) == [AT_7]
    assert not [fact for fact in facts(bank) if fact.superseded_at]


# -- another encoder ------------------------------------------------------------------------------


_LYON, _ROME = (
    [{"speaker": "Ana", "content": "I live in Lyon."}],
    [{"speaker": "Ana", "content": "I now live in Rome."}],
)


@pytest.mark.parametrize(("old", "new"), [(AT_7, NOW_8), (_LYON, _ROME)])
def test_fc_55_contradiction_is_seen_across_two_encoders(
    bank: Bank, settings: Any, old: Any, new: Any
) -> None:
    retain(bank, old, timestamp="2024-01-01", document_name="a")
    settings.FOOTNOTE = settings.FOOTNOTE | {"ENCODER": "tests.wide_encoder.OtherEncoder"}
    retain(bank, new, timestamp="2024-02-01", document_name="b")
    before, after = facts(bank)
    assert (before.superseded_at, after.superseded_at) == (after.mentioned_at, None)
    changing.delete_document(bank.pk, "b")
    assert holding(bank) == [before.text]


# -- in other words -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Mia is the team lead.", "Jonas is the team lead now."),
        (
            "The office in Ghent opens at 7:30 and closes at 19:00.",
            "The office in Ghent now opens at 8:00.",
        ),
        (
            "The staging server runs PostgreSQL 14.",
            "We upgraded staging: the staging server now runs PostgreSQL 16.",
        ),
        ("The deadline is 15 June.", "The deadline moved, it is now 30 June."),
        ("The weekly sync is on Tuesday at 10:00.", "The weekly sync moves to Thursday."),
        ("The ticket costs 29 euros.", "The ticket costs 35 euros since May."),
    ],
)
@pytest.mark.parametrize("speaker", ["", "Ana: "])
def test_newer_document_wins_whatever_its_words(
    bank: Bank, before: str, after: str, speaker: str
) -> None:
    retain(bank, before, document_name="old", timestamp="2024-03-01T10:00:00Z")
    retain(bank, f"{speaker}{after}", document_name="new", timestamp="2024-05-02T10:00:00Z")
    assert holding(bank) == [after]
    (lost,) = (fact for fact in facts(bank) if fact.superseded_at)
    assert lost.superseded_at is not None
    assert (lost.text, lost.superseded_at.date().isoformat()) == (before, "2024-05-02")
