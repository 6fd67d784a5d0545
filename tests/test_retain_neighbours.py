"""What a fact is near to: the same however many facts are asked about at once, and however."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from memory import keywords, tenancy
from memory.backends import registry
from memory.hits import ArmHit
from memory.levels import EdgeType, Level
from memory.models import Bank, BankKind, Edge, Node
from memory.recall.scope import Scope
from memory.retain import edges, engine, nearest_vectors, neighbours, shared_words
from memory.retain.edges import NewEdge
from memory.retain.items import RetainItem
from tests.factories import Org, make_org

pytestmark = pytest.mark.django_db

SAID = [
    f"The {thing} number {number} in the {town} plant is {done} every {number} days."
    for number, (thing, town, done) in enumerate(
        (thing, town, done)
        for thing in ("pump", "valve", "boiler", "gate")
        for town in ("Rome", "Oslo", "Porto")
        for done in ("checked", "cleaned", "emptied")
    )
]


@pytest.fixture
def org() -> Org:
    return make_org()


@pytest.fixture
def bank(org: Org) -> Iterator[Bank]:
    with tenancy.scope(org.tenant.pk):
        yield Bank.objects.create(tenant=org.tenant, name="work", kind=BankKind.MEMORY)


def retain(bank: Bank, *said: str, **fields: Any) -> list[UUID]:
    items = [RetainItem(content=one, **fields) for one in said]
    return list(engine.retain(bank.pk, items).fact_ids)


def scope(bank: Bank) -> Scope:
    return Scope(bank_id=bank.pk, level=Level.L1, superseded=True)


def rounded(found: dict[UUID, tuple[ArmHit, ...]]) -> dict[UUID, list[tuple[UUID, float]]]:
    return {
        pk: sorted((hit.node_id, round(hit.score, 4)) for hit in hits) for pk, hits in found.items()
    }


def nearest(bank: Bank, ids: list[UUID], *, width: int = 50) -> dict[UUID, tuple[ArmHit, ...]]:
    recipe = registry.encoder().recipe
    return nearest_vectors.search(scope(bank), ids, recipe, width=width, minimum=0.4)


def test_pass_over_all_vectors_finds_what_single_searches_find(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = retain(bank, " ".join(SAID))
    at_once = nearest(bank, ids)
    monkeypatch.setattr(nearest_vectors, "_WORTH", 0)
    for pk, hits in nearest(bank, ids).items():
        scores = {hit.node_id: hit.score for hit in at_once[pk]}
        assert scores == pytest.approx({hit.node_id: hit.score for hit in hits}, abs=1e-3)
        assert pk not in scores


def test_pass_in_small_blocks_finds_the_same(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = retain(bank, " ".join(SAID))
    whole = nearest(bank, ids, width=3)
    monkeypatch.setattr(nearest_vectors, "_BLOCK", 5)
    monkeypatch.setattr(nearest_vectors, "_ROWS", 4)
    blocks = nearest(bank, ids, width=3)
    for pk in ids:
        assert [round(hit.score, 4) for hit in blocks[pk]] == [
            round(hit.score, 4) for hit in whole[pk]
        ]
        assert len(blocks[pk]) == 3


@pytest.mark.parametrize("worth", [0, nearest_vectors._WORTH])
def test_facts_of_another_bank_or_taken_out_by_hand_are_near_to_nothing(
    org: Org, bank: Bank, monkeypatch: pytest.MonkeyPatch, worth: int
) -> None:
    monkeypatch.setattr(nearest_vectors, "_WORTH", worth)
    other = Bank.objects.create(tenant=org.tenant, name="other", kind=BankKind.MEMORY)
    retain(other, SAID[0])
    first, second = retain(bank, SAID[0], SAID[1])
    assert [hit.node_id for hit in nearest(bank, [first])[first]] == [second]
    node = Node.objects.get(pk=second)
    node.superseded_at, node.trust = node.mentioned_at, 0.0
    node.save()
    assert nearest(bank, [first]) == {first: ()}
    assert shared_words.search(scope(bank), {first: SAID[0]}, most=5) == {first: []}


def test_words_of_many_facts_at_once_rank_as_one_search_each_does(bank: Bank) -> None:
    ids = retain(bank, " ".join(SAID))
    texts = dict(zip(ids, SAID, strict=True))
    found = shared_words.search(scope(bank), texts, most=6)
    for pk, text in texts.items():
        terms = keywords.query_terms(bank.pk, Level.L1, text)
        alone = keywords.search(scope(bank), terms, limit=7)
        assert found[pk] == [hit.node_id for hit in alone if hit.node_id != pk]


def test_words_that_nobody_else_has_are_shared_with_nobody(bank: Bank) -> None:
    (only,) = retain(bank, "Zorblax quimbled yesterday.")
    assert shared_words.search(scope(bank), {only: "Zorblax quimbled."}, most=5) == {only: []}
    assert shared_words.search(scope(bank), {only: "xyzzy"}, most=5) == {only: []}
    assert shared_words.search(scope(bank), {}, most=5) == {}


def test_what_is_near_to_a_fact_does_not_depend_on_how_many_are_asked_about(bank: Bank) -> None:
    """As a document of 100 sentences and one of them alone."""
    many = [
        text.replace("every", f"for shift {shift} every") for text in SAID for shift in (1, 2, 3)
    ]
    ids = retain(bank, " ".join(many))
    recipe = registry.encoder().recipe
    together = rounded(neighbours.near(bank.pk, ids, recipe))
    for pk in ids[::20]:
        assert rounded(neighbours.near(bank.pk, [pk], recipe))[pk] == together[pk]


def test_fc_53_change_inside_a_long_document_is_seen_by_its_words(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest_vectors, "search", lambda *_, **__: {})
    retain(bank, "The kickoff is on Tuesday.", timestamp="2024-01-01")
    filler = [f"{text} Nobody minds." for text in SAID * 2]
    retain(
        bank, " ".join([*filler, "The kickoff has been moved to Thursday."]), timestamp="2024-02-01"
    )
    lost = Node.objects.filter(bank=bank, superseded_at__isnull=False)
    assert [node.text for node in lost] == ["The kickoff is on Tuesday."]


# -- edges ----------------------------------------------------------------------------------------


def test_edge_that_is_there_stays_as_it_is(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edges, "_BATCH", 2)
    ids = retain(bank, "Ana keeps bees.", "Ben sells boats.", "Zoe reads maps.")
    Edge.objects.filter(type=EdgeType.CAUSES).delete()
    given = [NewEdge(ids[0], EdgeType.CAUSES, other, 0.5) for other in ids[1:]]
    edges.add(bank.pk, given)
    edges.add(bank.pk, [given[0]._replace(weight=0.9), NewEdge(ids[1], EdgeType.CAUSES, ids[2])])
    made = Edge.objects.filter(type=EdgeType.CAUSES)
    assert {(edge.child_id, edge.parent_id): edge.weight for edge in made} == {
        (ids[0], ids[1]): 0.5,
        (ids[0], ids[2]): 0.5,
        (ids[1], ids[2]): 1.0,
    }
    edges.add(bank.pk, [])


def test_semantic_edges_of_many_like_facts_are_bounded(bank: Bank) -> None:
    ids = retain(
        bank, " ".join(f"The pump number {n} is checked every {n} days." for n in range(90))
    )
    for pk in ids:
        own = Edge.objects.filter(child_id=pk)
        assert own.filter(type=EdgeType.SEMANTIC).count() <= 50
        assert own.filter(type=EdgeType.TEMPORAL).count() <= 20
