"""The graph and the temporal arm, and entities that a query names."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from unittest.mock import patch

import pytest

from memory import tenancy
from memory.hits import Arm, Window
from memory.levels import EdgeType, Level
from memory.models import Bank, Node, Tenant
from memory.recall import entities
from memory.recall.arms import graph, temporal
from memory.recall.scope import Scope
from memory.scoring import Times
from tests import nodes
from tests.recalls import recall, reranker, texts

MARCH = Window(
    datetime(2024, 3, 1, tzinfo=UTC), datetime(2024, 3, 31, 23, 59, 59, 999999, tzinfo=UTC)
)


@pytest.fixture
def tenant(db: None) -> Iterator[Tenant]:
    made = nodes.make_tenant()
    with tenancy.scope(made.pk):
        yield made


@pytest.fixture
def bank(tenant: Tenant) -> Bank:
    return nodes.make_bank(tenant)


def day(month: int, day_: int) -> datetime:
    return datetime(2024, month, day_, 12, tzinfo=UTC)


# -- graph ----------------------------------------------------------------------------------------


def reached(bank: Bank, *seeds: Node, **fields: object) -> dict[str, float]:
    """Text to score, best first."""
    (hits,) = graph.search(
        [Scope(bank_id=bank.pk, level=Level.L1)],
        [[node.pk for node in seeds]],
        width=50,
        **fields,  # type: ignore[arg-type]
    )
    by_id = {node.pk: node.text for node in Node.objects.all()}
    return {by_id[hit.node_id]: hit.score for hit in hits}


def test_shared_entities_count_by_how_many_they_are(bank: Bank) -> None:
    seed, one, two = nodes.add_nodes(bank, ["seed", "one", "two"])
    nodes.mention("Ada", seed, one, two)
    nodes.mention("Pump 4", seed, two)

    found = reached(bank, seed, hops=1)

    assert found == {
        "two": pytest.approx(math.tanh(1.0)),
        "one": pytest.approx(math.tanh(0.5)),
    }


def test_edges_count_in_both_directions_by_their_weight(bank: Bank) -> None:
    seed, near, cause = nodes.add_nodes(bank, ["seed", "near", "cause"])
    nodes.link(seed, near, EdgeType.SEMANTIC, 0.8)
    nodes.link(near, seed, EdgeType.SEMANTIC, 0.7)
    nodes.link(cause, seed, EdgeType.CAUSED_BY, 0.9)

    assert reached(bank, seed, hops=1) == {"cause": pytest.approx(0.9), "near": pytest.approx(0.8)}


def test_a_fact_that_was_derived_or_contradicts_is_not_near_for_that(bank: Bank) -> None:
    seed, other = nodes.add_nodes(bank, ["seed", "other"])
    nodes.link(seed, other, EdgeType.CONTRADICTS)

    assert reached(bank, seed) == {}


def test_the_turns_before_and_after_a_seed_are_its_neighbours(bank: Bank) -> None:
    document = nodes.make_document(bank, "talk")
    turns = [
        nodes.add_node(bank, f"turn {n}", document_id=document.pk, ordinal=n) for n in range(5)
    ]

    assert reached(bank, turns[2], hops=1) == {
        "turn 1": graph.NEIGHBOUR,
        "turn 3": graph.NEIGHBOUR,
    }


def test_a_second_hop_counts_less(bank: Bank) -> None:
    chain = nodes.add_nodes(bank, ["seed", "first", "second", "third"])
    for child, parent in pairwise(chain):
        nodes.link(child, parent, EdgeType.SEMANTIC, 0.8)

    assert reached(bank, chain[0]) == {
        "first": pytest.approx(0.8),
        "second": pytest.approx(0.8 * graph.DECAY),
    }


def test_a_cycle_ends(bank: Bank) -> None:
    ring = nodes.add_nodes(bank, ["seed", "one", "two"])
    for child, parent in zip(ring, [*ring[1:], ring[0]], strict=True):
        nodes.link(child, parent, EdgeType.CAUSES)

    assert set(reached(bank, ring[0], hops=9)) == {"one", "two"}


def test_an_entity_of_everything_leads_to_a_bounded_number(bank: Bank) -> None:
    seed, *others = nodes.add_nodes(bank, [f"node {n}" for n in range(40)], encode=False)
    nodes.mention("Everybody", seed, *others)

    with patch.object(graph, "FAN_OUT", 7):
        assert len(reached(bank, seed, hops=1)) in (6, 7)


def test_an_entity_that_the_query_names_is_a_start_of_its_own(bank: Bank) -> None:
    about, _ = nodes.add_nodes(bank, ["She moved to Lyon.", "Nothing."], encode=False)
    ada = nodes.mention("Ada Lovelace", about)

    assert entities.named_in(bank.pk, "Where does ADA  LOVELACE live?") == [ada.pk]
    found = recall(bank, "Where does Ada Lovelace live?", arms={Arm.GRAPH})
    assert texts(found) == ["She moved to Lyon."]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("Wo wohnt Jörg Müller?", "jorg muller"),
        ("where does o'brien live", "o'brien"),
        ("张伟住在哪里？", "张伟"),
        ("What is POL-0054?", "pol-0054"),
        ("What is Ada Lovelace’s address?", "ada lovelace"),
        ("Где живёт Анна?", "анна"),
    ],
)
def test_names_are_looked_for_in_any_script(query: str, name: str) -> None:
    assert name in entities.candidates(query)


def test_a_long_query_asks_for_a_bounded_number_of_names() -> None:
    assert len(entities.candidates("word " * 500 + "漢字" * 300)) <= 400


def test_another_bank_is_never_reached(tenant: Tenant) -> None:
    mine, theirs = nodes.make_bank(tenant, "mine"), nodes.make_bank(tenant, "theirs")
    seed, far = nodes.add_node(mine, "seed"), nodes.add_node(theirs, "far")
    nodes.link(seed, far, EdgeType.CAUSES)
    nodes.mention("Ada", seed, far)

    assert reached(mine, seed) == {}


def test_references_are_never_reached(bank: Bank) -> None:
    section = nodes.add_node(bank, "section", level=Level.R)

    assert graph.search([Scope(bank_id=bank.pk, level=Level.R)], [[section.pk]], width=5) == [[]]


def test_what_only_the_graph_found_is_reranked_with_the_rest(bank: Bank) -> None:
    seed = nodes.add_node(bank, "The depot opens at eight.")
    linked = nodes.add_node(bank, "Ada holds keys.")
    nodes.add_nodes(bank, [f"depot {n}" for n in range(9)])
    nodes.link(seed, linked, EdgeType.CAUSES)

    with reranker({"Ada holds keys.": 0.9}, default=0.1):
        found = recall(bank, "When does the depot open?", width=3)

    assert texts(found)[0] == "Ada holds keys."
    assert found.hits[0].scores.keyword is None


# -- temporal -------------------------------------------------------------------------------------


def dated(bank: Bank) -> dict[str, float]:
    (hits,) = temporal.search(
        [Scope(bank_id=bank.pk, level=Level.L1)],
        MARCH,
        vector=None,
        recipe=None,
        width=50,
    )
    by_id = {node.pk: node.text for node in Node.objects.all()}
    return {by_id[hit.node_id]: hit.score for hit in hits}


def test_what_touches_the_window_is_found_the_middle_first(bank: Bank) -> None:
    nodes.add_node(bank, "middle", occurred_start=day(3, 16))
    nodes.add_node(bank, "edge", occurred_start=day(3, 30))
    nodes.add_node(bank, "told", mentioned_at=day(3, 10))
    nodes.add_node(bank, "reaches in", occurred_start=day(2, 20), occurred_end=day(3, 2))
    nodes.add_node(bank, "before", occurred_start=day(2, 20), occurred_end=day(2, 25))
    nodes.add_node(bank, "after", occurred_start=day(4, 1))
    nodes.add_node(bank, "undated")

    found = dated(bank)

    assert set(found) == {"middle", "edge", "told", "reaches in"}
    assert next(iter(found)) == "middle"
    assert all(0.5 <= score <= 1.0 for score in found.values())


def test_both_ends_of_the_window_are_inside(bank: Bank) -> None:
    nodes.add_node(bank, "first", occurred_start=MARCH.start)
    nodes.add_node(bank, "last", occurred_start=MARCH.end)

    assert set(dated(bank)) == {"first", "last"}


def test_causes_of_the_period_are_found_outside_of_it(bank: Bank) -> None:
    effect = nodes.add_node(bank, "effect", occurred_start=day(3, 16))
    cause = nodes.add_node(bank, "cause", occurred_start=day(1, 2))
    later = nodes.add_node(bank, "later", occurred_start=day(5, 2))
    nodes.link(effect, cause, EdgeType.CAUSED_BY, 0.5)
    nodes.link(later, effect, EdgeType.TEMPORAL, 0.2)

    found = dated(bank)

    assert list(found) == ["effect", "cause"]
    assert found["cause"] == pytest.approx(found["effect"] * 0.5 * 2.0 * 0.7)


def test_a_cycle_of_causes_ends(bank: Bank) -> None:
    one = nodes.add_node(bank, "one", occurred_start=day(3, 16))
    two = nodes.add_node(bank, "two", occurred_start=day(3, 17))
    nodes.link(one, two, EdgeType.CAUSES)
    nodes.link(two, one, EdgeType.CAUSES)

    assert set(dated(bank)) == {"one", "two"}


def test_the_window_ranks_and_never_filters(bank: Bank) -> None:
    nodes.add_node(bank, "pump of March", occurred_start=day(3, 16))
    nodes.add_node(bank, "pump of May", occurred_start=day(5, 16))

    with reranker({}, default=0.5):
        found = recall(bank, "pump", window=MARCH, asked_at=day(6, 1))

    assert texts(found) == ["pump of March", "pump of May"]


def test_the_querys_own_words_give_the_window(bank: Bank) -> None:
    nodes.add_node(bank, "the pump broke", occurred_start=day(5, 16))
    nodes.add_node(bank, "the pump broke again", occurred_start=day(3, 16))

    found = recall(bank, "What broke on 16 March 2024?", asked_at=day(6, 1), trace=True)

    assert found.trace is not None
    constraint = found.trace["query"]["temporal_constraint"]
    assert constraint["start"].startswith("2024-03-16")
    assert constraint["end"].startswith("2024-03-16")


def test_without_a_period_the_arm_does_not_vote(bank: Bank) -> None:
    nodes.add_node(bank, "pump", occurred_start=day(3, 16))

    found = recall(bank, "pump", trace=True)

    assert found.trace is not None
    assert "temporal" not in {one["method_name"] for one in found.trace["retrieval_results"]}


def test_a_bank_without_time_ignores_the_window(tenant: Tenant) -> None:
    bank = nodes.make_bank(tenant, config={"enable_temporal_retrieval": False})
    nodes.add_node(bank, "pump", occurred_start=day(3, 16))

    found = recall(bank, "pump", window=MARCH, trace=True)

    assert found.trace is not None
    assert found.trace["query"]["temporal_constraint"] is None


def test_starts_are_spread_over_the_window(bank: Bank) -> None:
    scattered = [
        temporal._Entry(
            node_id=node.pk,
            times=Times(occurred_start=node.occurred_start),
            score=1.0,
            similarity=1.0 - place / 100,
        )
        for place, node in enumerate(
            nodes.add_node(bank, f"n{n}", occurred_start=day(3, n), encode=False)
            for n in [1] * 12 + [30]
        )
    ]

    assert day(3, 30) in {
        entry.times.occurred_start for entry in temporal._spread(scattered, MARCH)
    }
