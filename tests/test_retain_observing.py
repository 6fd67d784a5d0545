"""What several documents say alike, and what they say against each other."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest

from memory import tenancy
from memory.arbitration import SPEAKABLE
from memory.levels import EdgeType, FactType, Level
from memory.models import Bank, BankKind, Edge, Entity, Node, NodeEntity, NodeTag, Term, Vector
from memory.retain import changing, consolidating, engine
from memory.retain.consolidating import Consolidated
from memory.retain.items import Retained, RetainItem, ScopeRule
from tests.factories import make_org

pytestmark = pytest.mark.django_db

OPENS_AT_7, OPENS_AT_8 = "The depot opens at 7.", "The depot now opens at 8."


@pytest.fixture
def bank() -> Iterator[Bank]:
    org = make_org()
    with tenancy.scope(org.tenant.pk):
        yield Bank.objects.create(tenant=org.tenant, name="work", kind=BankKind.MEMORY)


def retain(bank: Bank, content: Any, **fields: Any) -> Retained:
    return engine.retain(bank.pk, [RetainItem(content=content, **fields)])


def facts(bank: Bank) -> dict[str, Node]:
    return {node.text: node for node in Node.objects.filter(bank=bank, level=Level.L1)}


def observations(bank: Bank) -> list[Node]:
    return list(Node.objects.filter(bank=bank, level=Level.L2).order_by("tags"))


def say_twice(bank: Bank, **fields: Any) -> list[Node]:
    retain(bank, "The gate code is 4711.", document_name="a", **fields)
    retain(bank, "The code of the gate is 4711.", document_name="b", **fields)
    return observations(bank)


# -- observations ---------------------------------------------------------------------------------


def test_two_documents_that_say_the_same_make_an_observation(bank: Bank) -> None:
    (made,) = say_twice(bank)
    sources = Edge.objects.filter(child_id=made.pk, type=EdgeType.DERIVED_FROM)
    assert {edge.parent_id for edge in sources} == {fact.pk for fact in facts(bank).values()}
    assert (made.fact_type, made.proof_count) == (FactType.OBSERVATION, 2)
    assert made.text in facts(bank)
    assert made.trust > 0.6
    assert Vector.objects.filter(node_id=made.pk, level=Level.L2).exists()
    assert Term.objects.filter(node_id=made.pk, level=Level.L2).exists()


def test_one_document_that_says_it_twice_makes_none(bank: Bank) -> None:
    retain(bank, "The gate code is 4711. The code of the gate is 4711.")
    assert observations(bank) == []


def test_third_source_joins_the_observation(bank: Bank) -> None:
    (before,) = say_twice(bank)
    retain(bank, "The gate code is 4711!", document_name="c")
    (after,) = observations(bank)
    assert (after.pk, after.proof_count) == (before.pk, 3)


def test_observation_spans_the_times_of_its_sources(bank: Bank) -> None:
    retain(bank, "The gate code is 4711.", document_name="a", timestamp="2024-03-01")
    retain(bank, "The code of the gate is 4711.", document_name="b", timestamp="2024-05-01")
    (made,) = observations(bank)
    assert made.mentioned_at is not None
    assert made.mentioned_at.month == 5


@pytest.mark.parametrize(
    "other",
    [
        "The gate code is 4712.",
        "The gate code is not 4711.",
        "The gate code is 4711?",
        "The cellar code is 4711.",
    ],
)
def test_words_that_say_something_else_are_no_second_source(bank: Bank, other: str) -> None:
    retain(bank, "The gate code is 4711.", document_name="a")
    retain(bank, other, document_name="b")
    assert observations(bank) == []


def test_what_two_people_say_of_themselves_is_not_the_same(bank: Bank) -> None:
    for speaker in ("Ana", "Ben"):
        retain(bank, [{"speaker": speaker, "content": "I have been a nurse for years."}])
    assert observations(bank) == []


def test_observation_goes_with_its_second_last_source(bank: Bank) -> None:
    say_twice(bank)
    changing.delete_document(bank.pk, "b")
    assert observations(bank) == []


def test_observation_goes_when_its_source_says_something_else(bank: Bank) -> None:
    say_twice(bank)
    retain(bank, "The lift is out of order.", document_name="b")
    assert observations(bank) == []


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (ScopeRule.COMBINED, [["a", "b"]]),
        (ScopeRule.PER_TAG, [["a"], ["b"]]),
        (ScopeRule.ALL_COMBINATIONS, [["a"], ["a", "b"], ["b"]]),
        (ScopeRule.SHARED, [[]]),
        ((("x",), ("a", "b")), [["a", "b"], ["x"]]),
    ],
)
def test_observations_stand_in_the_scopes_that_were_asked_for(
    bank: Bank, rule: Any, expected: list[list[str]]
) -> None:
    made = say_twice(bank, tags=("a", "b"), observation_scopes=rule)
    assert [node.tags for node in made] == expected
    tagged = NodeTag.objects.filter(node_id__in=[node.pk for node in made])
    assert sorted(tagged.values_list("tag", flat=True)) == sorted(
        tag for scope in expected for tag in scope
    )


def test_sources_of_two_scopes_are_not_merged(bank: Bank) -> None:
    retain(bank, "The gate code is 4711.", document_name="a", tags=("ana",))
    retain(bank, "The gate code is 4711.", document_name="b", tags=("ben",))
    assert observations(bank) == []


def test_relabelling_a_document_moves_its_fact_into_the_other_scope(bank: Bank) -> None:
    say_twice(bank, tags=("ana",))
    changing.tag_document(bank.pk, "b", ("ben",))
    assert observations(bank) == []
    changing.tag_document(bank.pk, "a", ("ben",))
    assert [made.tags for made in observations(bank)] == [["ben"]]


def test_consolidating_again_changes_nothing(bank: Bank) -> None:
    say_twice(bank)
    before = list(Node.objects.filter(bank=bank, level=Level.L2).values("pk", "sha", "proof_count"))
    done = consolidating.consolidate(bank.tenant_id, bank.pk)
    assert (done.facts, done.created, done.updated, done.deleted) == (2, 0, 0, 0)
    assert (
        list(Node.objects.filter(bank=bank, level=Level.L2).values("pk", "sha", "proof_count"))
        == before
    )


def test_consolidating_within_scopes_looks_at_their_facts_alone(bank: Bank) -> None:
    (made,) = say_twice(bank, tags=("a", "b"))
    changing.delete_memory(bank.pk, made.pk)
    assert consolidating.consolidate(bank.tenant_id, bank.pk, only=[("c",)]).facts == 0
    done = consolidating.consolidate(bank.tenant_id, bank.pk, only=[("c",), ("b",)])
    assert (done.facts, done.created) == (2, 1)


def test_consolidating_goes_on_where_it_ended(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consolidating, "_STEP", 2)
    (made,) = say_twice(bank)
    retain(bank, "Ana has the key of the car.")
    changing.delete_memory(bank.pk, made.pk)
    first = consolidating.step(bank.pk, Consolidated())
    second = consolidating.step(bank.pk, first)
    assert (first.facts, first.is_done) == (2, False)
    assert (second.facts, second.created, second.is_done) == (3, 1, True)


def test_consolidating_brings_back_what_was_deleted(bank: Bank) -> None:
    (made,) = say_twice(bank)
    changing.delete_memory(bank.pk, made.pk)
    assert observations(bank) == []
    assert consolidating.consolidate(bank.tenant_id, bank.pk).created == 1


@pytest.mark.parametrize(
    ("setting", "made", "asked_for"),
    [("enable_observations", 0, 0), ("enable_auto_consolidation", 0, 1)],
)
def test_bank_that_wants_no_observations_gets_none(
    bank: Bank, setting: str, made: int, asked_for: int
) -> None:
    bank.config = {setting: False}
    bank.save()
    assert len(say_twice(bank)) == made
    consolidating.consolidate(bank.tenant_id, bank.pk)
    assert len(observations(bank)) == asked_for


# -- rivals ---------------------------------------------------------------------------------------


def test_fc_53_newer_fact_supersedes_the_older_and_both_stay(bank: Bank) -> None:
    retain(bank, OPENS_AT_7, timestamp="2024-01-01")
    retain(bank, OPENS_AT_8, timestamp="2024-06-01")
    old, new = facts(bank)[OPENS_AT_7], facts(bank)[OPENS_AT_8]
    assert old.superseded_at is not None
    assert (old.mentioned_at, old.superseded_at) != (None, old.mentioned_at)
    assert old.superseded_at == new.mentioned_at
    assert old.trust < SPEAKABLE
    assert (new.superseded_at, new.trust) == (None, 0.6)
    edges = Edge.objects.filter(parent_id=old.pk, child_id=new.pk)
    assert {edge.type for edge in edges} >= {EdgeType.SUPERSEDES, EdgeType.CONTRADICTS}


def test_fc_53_order_of_arrival_decides_nothing(bank: Bank) -> None:
    retain(bank, OPENS_AT_8, timestamp="2024-06-01")
    retain(bank, OPENS_AT_7, timestamp="2024-01-01")
    assert facts(bank)[OPENS_AT_7].superseded_at is not None
    assert facts(bank)[OPENS_AT_8].superseded_at is None


def test_more_witnesses_outweigh_a_newer_one(bank: Bank) -> None:
    for name in ("a", "b"):
        retain(bank, OPENS_AT_7, timestamp="2024-01-01", document_name=name)
    retain(bank, "The depot opens at 8.", timestamp="2024-06-01")
    lost = facts(bank)["The depot opens at 8."]
    assert lost.superseded_at is not None
    assert lost.superseded_at == lost.mentioned_at  # never before it was said


def test_loser_is_back_when_the_winner_goes(bank: Bank) -> None:
    retain(bank, OPENS_AT_7, timestamp="2024-01-01")
    retain(bank, OPENS_AT_8, timestamp="2024-06-01", document_name="new")
    changing.delete_document(bank.pk, "new")
    old = facts(bank)[OPENS_AT_7]
    assert (old.superseded_at, old.trust) == (None, 0.6)


def test_observation_is_superseded_with_all_its_sources(bank: Bank) -> None:
    for name in ("a", "b"):
        retain(bank, OPENS_AT_7, timestamp="2024-01-01", document_name=name)
    for name in ("c", "d", "e"):
        retain(bank, OPENS_AT_8, timestamp="2024-06-01", document_name=name)
    old, new = sorted(observations(bank), key=lambda node: node.proof_count)
    assert old.superseded_at is not None
    assert new.superseded_at is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana likes tea.", "Ana likes coffee."),
        ("Ana ran 5 km.", "Ana ran 6 km."),
        ("Room 12 is free.", "Room 13 is free."),
        ("The tank holds 20 litres.", "The tank holds 20 gallons."),
    ],
)
def test_different_things_are_no_rivals(bank: Bank, one: str, other: str) -> None:
    retain(bank, one, timestamp="2024-01-01")
    retain(bank, other, timestamp="2024-06-01")
    assert not Node.objects.filter(bank=bank, superseded_at__isnull=False).exists()


def test_scopes_do_not_contend(bank: Bank) -> None:
    retain(bank, OPENS_AT_7, timestamp="2024-01-01", tags=("north",))
    retain(bank, OPENS_AT_8, timestamp="2024-06-01", tags=("south",))
    assert not Node.objects.filter(bank=bank, superseded_at__isnull=False).exists()


# -- edges ----------------------------------------------------------------------------------------


def test_facts_within_a_day_are_near_in_time(bank: Bank) -> None:
    retain(bank, "Ana met Ben.", timestamp="2024-01-01T08:00:00", document_name="a")
    retain(bank, "Carl bought a bike.", timestamp="2024-01-01T20:00:00", document_name="b")
    retain(bank, "Dora sold her boat.", timestamp="2024-03-01T20:00:00", document_name="c")
    (edge,) = Edge.objects.filter(bank=bank, type=EdgeType.TEMPORAL)
    assert math.isclose(edge.weight, 0.5)


def test_no_fact_has_more_than_twenty_edges_in_time(bank: Bank) -> None:
    for number in range(3):
        text = "\n".join(f"Carl counted {n} birds of kind {number}." for n in range(30, 50))
        retain(bank, text, timestamp="2024-01-01T08:00:00", document_name=str(number))
    edges = Edge.objects.filter(bank=bank, type=EdgeType.TEMPORAL)
    per_fact: dict[Any, int] = {}
    for edge in edges:
        per_fact[edge.child_id] = per_fact.get(edge.child_id, 0) + 1
        assert 0.3 <= edge.weight <= 1
    assert max(per_fact.values()) <= 20


def test_near_equal_facts_have_a_semantic_edge_with_their_cosine(bank: Bank) -> None:
    say_twice(bank)
    (edge,) = Edge.objects.filter(bank=bank, type=EdgeType.SEMANTIC)
    assert 0.7 <= edge.weight <= 1


def test_cue_makes_a_causal_edge(bank: Bank) -> None:
    retain(bank, "The pump failed on Monday. Therefore the cellar was flooded.")
    (edge,) = Edge.objects.filter(bank=bank, type=EdgeType.CAUSED_BY)
    texts = {node.pk: node.text for node in facts(bank).values()}
    assert texts[edge.child_id].startswith("Therefore")
    assert edge.weight == 1


def test_raw_passages_have_no_edges_but_those_of_their_facts(bank: Bank) -> None:
    say_twice(bank)
    passages = Node.objects.filter(bank=bank, level=Level.L0).values_list("pk", flat=True)
    assert not Edge.objects.filter(child_id__in=passages).exists()
    types = Edge.objects.filter(parent_id__in=passages).values_list("type", flat=True)
    assert set(types) == {EdgeType.DERIVED_FROM}


# -- what is left ---------------------------------------------------------------------------------


def test_deleting_a_document_leaves_nothing_of_it(bank: Bank) -> None:
    retain(bank, "Ana Perez met Carl Holm in Rome.", document_name="a", tags=("t",))
    assert changing.delete_document(bank.pk, "a") == 1
    for model in (Node, Edge, Entity, NodeEntity, NodeTag, Vector):
        assert not model._default_manager.exists(), model


def test_deleting_a_document_keeps_entities_that_others_mention(bank: Bank) -> None:
    retain(bank, "We met Ana Perez in Rome.", document_name="a")
    retain(bank, "They saw Ana Perez again.", document_name="b")
    changing.delete_document(bank.pk, "a")
    assert set(Entity.objects.values_list("name", flat=True)) == {"Ana Perez"}


def test_deleting_by_type_leaves_the_others(bank: Bank) -> None:
    say_twice(bank)
    assert changing.delete_memories(bank.pk, [FactType.OBSERVATION]) == 1
    assert len(facts(bank)) == 2
    assert changing.delete_memories(bank.pk) == 2
    assert not Node.objects.filter(bank=bank).exists()
