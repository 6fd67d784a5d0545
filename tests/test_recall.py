"""Recall through its front door: order, floors, budgets, levels and what happens when a part fails."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection

from memory import tenancy
from memory.arbitration import TAKEN_OUT
from memory.backends import registry
from memory.errors import InvalidQuery
from memory.hits import Arm, MinScores
from memory.levels import EdgeType, FactType, Level
from memory.models import Bank, Event, Tenant
from memory.recall import engine
from memory.recall.request import Floor, RecallRequest
from tests import nodes
from tests.recalls import Scripted, recall, reranker, texts

NOW = datetime(2024, 6, 15, tzinfo=UTC)


@pytest.fixture
def tenant(db: None) -> Iterator[Tenant]:
    """A tenant whose scope is open."""
    made = nodes.make_tenant()
    with tenancy.scope(made.pk):
        yield made


@pytest.fixture
def bank(tenant: Tenant) -> Bank:
    return nodes.make_bank(tenant)


# -- order ----------------------------------------------------------------------------------------


def test_what_shares_words_comes_best_first(bank: Bank) -> None:
    nodes.add_nodes(bank, ["The depot opens at eight.", "Cats sleep.", "A depot is big."])

    found = recall(bank, "When does the depot open?")

    assert texts(found)[0] == "The depot opens at eight."
    assert [hit.rank for hit in found.hits] == list(range(1, len(found.hits) + 1))
    assert not found.abstained
    assert found.degraded == ()


def test_the_reranker_decides_the_order_and_its_own_score_is_reported(bank: Bank) -> None:
    nodes.add_nodes(bank, ["pump one", "pump two", "pump three"])

    with reranker({"pump two": 0.9, "pump three": 0.6, "pump one": 0.2}):
        found = recall(bank, "pump one")

    assert texts(found) == ["pump two", "pump three", "pump one"]
    assert [hit.scores.reranker for hit in found.hits] == [0.9, 0.6, 0.2]
    assert found.reranker == "scripted"


def test_recency_settles_what_the_reranker_finds_equal(bank: Bank) -> None:
    nodes.add_node(bank, "pump one", occurred_start=NOW - timedelta(days=300))
    nodes.add_node(bank, "pump two", occurred_start=NOW - timedelta(days=3))

    with reranker({}, default=0.5):
        found = recall(bank, "pump", asked_at=NOW)

    assert texts(found) == ["pump two", "pump one"]
    assert found.hits[0].scores.final > 0.5 > found.hits[1].scores.final
    assert [hit.scores.reranker for hit in found.hits] == [0.5, 0.5]


def test_fc_46_ties_keep_a_stable_order(bank: Bank) -> None:
    nodes.add_nodes(bank, [f"pump {number}" for number in range(20)])

    with reranker({}, default=1.0):
        first, second = (texts(recall(bank, "pump 7 or 3")) for _ in range(2))

    assert first == second
    assert len(first) == 20


def test_scores_of_an_arm_are_there_where_it_found_the_hit(bank: Bank) -> None:
    nodes.add_node(bank, "The depot opens at eight.")
    nodes.add_node(bank, "Nothing in common.")

    found = recall(bank, "depot opens")
    by_text = {hit.text: hit.scores for hit in found.hits}

    depot, other = by_text["The depot opens at eight."], by_text["Nothing in common."]
    assert depot.keyword is not None
    assert depot.keyword > 0
    assert other.keyword is None
    assert other.semantic is not None


def test_the_reranker_is_told_what_recall_knows(bank: Bank) -> None:
    nodes.add_node(bank, "I painted a pump.", speaker="Melanie")
    nodes.add_node(bank, "Caroline saw a hose.", speaker="Caroline")
    nodes.add_nodes(bank, [f"pump {number}" for number in range(9)])

    with reranker({}, default=0.5) as asked:
        recall(bank, "Which pump did Melanie paint?", width=20)

    (known,) = asked.known
    by_text = dict(zip(asked.calls[0], known, strict=True))
    painted, hose = by_text["I painted a pump."], by_text["Caroline saw a hose."]
    assert painted.keyword is not None
    assert painted.ceiling is not None
    assert 0 < painted.keyword <= painted.ceiling
    assert hose.keyword is None
    assert hose.semantic is not None
    assert all(-1.01 <= (one.feedback or 0.0) <= 1.01 for one in known)
    assert painted.feedback is not None
    assert (painted.is_speaker, hose.is_speaker) == (True, False)


def test_a_keyword_score_is_known_of_what_another_arm_found(bank: Bank) -> None:
    nodes.add_nodes(bank, ["pump pump pump", "pump and a hose"])

    with reranker({}, default=0.5) as asked:
        found = recall(bank, "pump hose", min_scores=MinScores(keyword=10_000.0))

    assert all(hit.scores.keyword is None for hit in found.hits)
    assert all(one.keyword is not None for one in asked.known[0])


# -- queries --------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["", "  ", "?!", "---", "…"])
def test_fc_44_a_query_without_a_word_is_refused(bank: Bank, query: str) -> None:
    with pytest.raises(InvalidQuery):
        recall(bank, query)


@pytest.mark.parametrize("query", ["the", "it", "will"])
def test_fc_44_stop_words_find_nothing_by_keyword(bank: Bank, query: str) -> None:
    nodes.add_nodes(bank, ["The depot will open.", "It is the one."])

    found = recall(bank, query)

    assert all(hit.scores.keyword is None for hit in found.hits)


def test_an_empty_bank_finds_nothing_and_is_not_degraded(bank: Bank) -> None:
    found = recall(bank, "anything", floor=Floor.OF_RERANKER)

    assert (found.hits, found.best_score, found.abstained) == ((), None, False)
    assert found.degraded == ()


def test_no_type_that_is_known_finds_nothing(bank: Bank) -> None:
    nodes.add_node(bank, "pump")

    assert recall(bank, "pump", types=()).hits == ()


# -- floors ---------------------------------------------------------------------------------------


def test_below_the_rerankers_floor_recall_abstains_and_says_how_near_it_was(bank: Bank) -> None:
    nodes.add_nodes(bank, ["pump one", "pump two"])

    with reranker({"pump one": 0.21, "pump two": 0.1}, floor=0.35):
        found = recall(bank, "pump", floor=Floor.OF_RERANKER)

    assert found.hits == ()
    assert found.abstained
    assert (found.best_score, found.floor) == (0.21, 0.35)


def test_a_floor_is_inclusive_and_cuts_each_hit_below_it(bank: Bank) -> None:
    nodes.add_nodes(bank, ["pump one", "pump two", "pump three"])

    with reranker({"pump one": 0.9, "pump two": 0.4, "pump three": 0.39}):
        found = recall(bank, "pump", floor=0.4)

    assert texts(found) == ["pump one", "pump two"]
    assert not found.abstained


@pytest.mark.parametrize("zero", [0, 0.0])
def test_fc_45_zero_switches_the_floor_off(bank: Bank, zero: float) -> None:
    nodes.add_node(bank, "pump")

    with reranker({"pump": 0.0}, floor=0.35):
        found = recall(bank, "pump", floor=zero)

    assert texts(found) == ["pump"]
    assert found.floor is None
    assert not found.abstained


def test_without_a_floor_of_the_surface_everything_comes_back(bank: Bank) -> None:
    nodes.add_node(bank, "pump")

    with reranker({"pump": 0.0}, floor=0.35):
        assert texts(recall(bank, "pump")) == ["pump"]


def test_an_unknown_reranker_has_no_floor_and_that_can_be_seen(bank: Bank) -> None:
    nodes.add_node(bank, "pump")

    with reranker({"pump": 0.01}, floor=None):
        found = recall(bank, "pump", floor=Floor.OF_RERANKER)

    assert texts(found) == ["pump"]
    assert (found.reranker, found.floor) == ("scripted", None)


def test_the_floor_is_of_the_reranked_score_not_of_the_cosine(bank: Bank) -> None:
    nodes.add_node(bank, "pump pressure limit")

    with reranker({"pump pressure limit": 0.05}, floor=0.35):
        found = recall(bank, "pump pressure limit", floor=Floor.OF_RERANKER)

    assert found.abstained
    with reranker({"pump pressure limit": 0.05}):
        near = recall(bank, "pump pressure limit").hits[0].scores.semantic
    assert near == pytest.approx(1.0, abs=1e-3)


def test_boosts_lift_nothing_over_the_floor(bank: Bank) -> None:
    nodes.add_node(bank, "pump", occurred_start=NOW)

    with reranker({"pump": 0.34}, floor=0.35):
        found = recall(bank, "pump", floor=Floor.OF_RERANKER, asked_at=NOW)

    assert found.abstained


def test_min_scores_of_a_stage_prune_its_arm_alone(bank: Bank) -> None:
    nodes.add_nodes(bank, ["pump one", "unrelated words"])

    found = recall(bank, "pump one", min_scores=MinScores(semantic=0.99, keyword=10_000.0))

    assert texts(found) == ["pump one"]
    assert found.hits[0].scores.keyword is None


def test_min_scores_after_ranking_hold_for_every_hit(bank: Bank) -> None:
    nodes.add_nodes(bank, ["pump one", "pump two", "pump three"])

    with reranker({"pump one": 0.8, "pump two": 0.5, "pump three": 0.2}):
        by_reranker = recall(bank, "pump", min_scores=MinScores(reranker=0.5))
        by_final = recall(bank, "pump", min_scores=MinScores(final=0.6))

    assert texts(by_reranker) == ["pump one", "pump two"]
    assert texts(by_final) == ["pump one"]


# -- failures -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "script", [[math.nan, 0.9], [0.9], [], [math.inf, 0.1], RuntimeError("away")]
)
def test_fc_46_a_reranker_that_fails_never_passes_for_a_score(bank: Bank, script: object) -> None:
    nodes.add_nodes(bank, ["pump one", "pump two"])

    with reranker(script, floor=0.35):
        found = recall(bank, "pump", floor=Floor.OF_RERANKER)

    assert found.hits == ()
    assert found.abstained
    assert found.degraded == ("reranker",)
    event = Event.objects.get()
    assert event.name == "reranker_failed"
    assert event.data["reranker"] == "scripted"


@pytest.mark.parametrize("floor", [Floor.NONE, 0])
def test_without_a_floor_fusion_orders_where_the_reranker_fails(
    bank: Bank, floor: float | Floor
) -> None:
    nodes.add_nodes(bank, ["pump one", "pump two"])

    with reranker(RuntimeError("away"), floor=0.35):
        found = recall(bank, "pump two", floor=floor)

    assert texts(found) == ["pump two", "pump one"]
    assert all(hit.scores.reranker is None for hit in found.hits)
    assert found.degraded == ("reranker",)
    assert not found.abstained


def test_fc_46_a_floor_of_the_caller_lets_nothing_pass_without_a_score(bank: Bank) -> None:
    nodes.add_node(bank, "pump one")

    with reranker(RuntimeError("away")):
        found = recall(bank, "pump one", min_scores=MinScores(reranker=0.1))

    assert found.hits == ()
    assert found.degraded == ("reranker",)


@pytest.mark.parametrize(
    ("script", "passing"),
    [
        ({"pump one": 6.1, "pump two": -8.2}, ["pump one"]),
        ({"pump one": 0.003, "pump two": 0.0003}, []),
        ({"pump one": 1.0, "pump two": 1.0}, ["pump one", "pump two"]),
    ],
)
def test_fc_46_one_floor_means_the_same_on_every_scale(
    bank: Bank, script: dict[str, float], passing: list[str]
) -> None:
    nodes.add_nodes(bank, ["pump one", "pump two"])

    with reranker(script, floor=0.35):
        assert sorted(texts(recall(bank, "pump one", floor=Floor.OF_RERANKER))) == passing


def test_an_encoder_that_fails_leaves_the_keywords(bank: Bank) -> None:
    nodes.add_node(bank, "The depot opens at eight.")

    with patch.object(registry, "encoder", side_effect=RuntimeError("away")):
        found = recall(bank, "depot")

    assert texts(found) == ["The depot opens at eight."]
    assert found.degraded == ("vectors",)


def test_memories_without_a_vector_yet_are_found_by_their_words(bank: Bank) -> None:
    nodes.add_node(bank, "The depot opens at eight.", encode=False)

    found = recall(bank, "depot")

    assert texts(found) == ["The depot opens at eight."]
    assert found.hits[0].scores.semantic is None
    assert found.degraded == ("vectors",)


# -- levels and types -----------------------------------------------------------------------------


def test_references_are_recalled_only_where_they_are_asked_for(bank: Bank) -> None:
    nodes.add_node(bank, "pump fact")
    nodes.add_node(bank, "pump reference", level=Level.R, source_uri="docs/pump.md")
    nodes.add_node(bank, "pump passage", level=Level.L0)

    assert texts(recall(bank, "pump")) == ["pump fact"]
    assert texts(recall(bank, "pump", levels=(Level.R,))) == ["pump reference"]
    assert texts(recall(bank, "pump", levels=(Level.L0,))) == ["pump passage"]


def test_levels_are_merged_by_score_and_named_on_every_hit(bank: Bank) -> None:
    nodes.add_node(bank, "pump fact")
    nodes.add_node(bank, "pump reference", level=Level.R, source_uri="docs/pump.md")
    nodes.add_node(bank, "pump belief", level=Level.L2)

    script = {"pump reference": 0.9, "pump fact": 0.8, "pump belief": 0.7}
    with reranker(script) as asked:
        found = recall(bank, "pump", levels=(Level.L1, Level.L2, Level.R))

    assert [(hit.level, hit.text) for hit in found.hits] == [
        (Level.R, "pump reference"),
        (Level.L1, "pump fact"),
        (Level.L2, "pump belief"),
    ]
    assert asked.calls == [["pump fact"], ["pump belief"], ["pump reference"]]


def test_a_corpus_changes_nothing_about_facts(bank: Bank) -> None:
    nodes.add_nodes(bank, [f"pump fact {number} of the plant" for number in range(12)])
    before = recall(bank, "pump of the plant", asked_at=NOW, trace=False)

    nodes.add_nodes(bank, [f"pump section {n} of the plant" for n in range(150)], level=Level.R)
    after = recall(bank, "pump of the plant", asked_at=NOW, trace=False)

    assert after == before


def test_types_are_found_on_the_level_that_holds_them(bank: Bank) -> None:
    nodes.add_node(bank, "pump fact", fact_type=FactType.WORLD)
    nodes.add_node(bank, "pump work", fact_type=FactType.EXPERIENCE)
    nodes.add_node(bank, "pump belief", level=Level.L2)

    def of(*types: FactType) -> list[str]:
        return sorted(texts(recall(bank, "pump", types=types)))

    assert of(FactType.WORLD) == ["pump fact"]
    assert of(FactType.EXPERIENCE) == ["pump work"]
    assert of(FactType.OBSERVATION) == ["pump belief"]
    assert of(*FactType) == ["pump belief", "pump fact", "pump work"]


def test_each_type_has_a_width_of_its_own(bank: Bank) -> None:
    nodes.add_nodes(bank, [f"pump fact {n}" for n in range(30)], fact_type=FactType.WORLD)
    nodes.add_nodes(bank, ["a valve", "a hose"], fact_type=FactType.EXPERIENCE)

    found = recall(
        bank, "pump", types=(FactType.WORLD, FactType.EXPERIENCE), width=5, arms={Arm.SEMANTIC}
    )

    assert len([hit for hit in found.hits if hit.fact_type is FactType.WORLD]) == 5
    assert len([hit for hit in found.hits if hit.fact_type is FactType.EXPERIENCE]) == 2


# -- what lost ------------------------------------------------------------------------------------


def test_fc_53_a_fact_that_lost_is_hidden_unless_the_past_is_asked_for(bank: Bank) -> None:
    nodes.add_node(bank, "The depot opens at 7.", superseded_at=NOW)
    nodes.add_node(bank, "The depot now opens at 8.")

    assert texts(recall(bank, "When does the depot open?")) == ["The depot now opens at 8."]
    everything = recall(bank, "When does the depot open?", superseded=True)
    assert sorted(texts(everything)) == ["The depot now opens at 8.", "The depot opens at 7."]
    assert {hit.superseded_at for hit in everything.hits} == {NOW, None}
    before = texts(recall(bank, "When did the depot previously open?"))
    assert before == ["The depot opens at 7.", "The depot now opens at 8."]


def test_a_fact_that_was_taken_out_by_hand_is_not_what_held_before(bank: Bank) -> None:
    nodes.add_node(bank, "The depot opens at 9.", superseded_at=NOW, trust=TAKEN_OUT)
    nodes.add_node(bank, "The depot now opens at 8.")

    assert texts(recall(bank, "When did the depot previously open?")) == [
        "The depot now opens at 8."
    ]


def test_what_the_named_speaker_says_of_others_is_not_put_first_for_the_name(bank: Bank) -> None:
    nodes.add_node(bank, "The rehearsal was cancelled.", speaker="Bob")
    nodes.add_node(bank, "Bob lives in Leipzig.")
    nodes.add_node(bank, "I live in Leipzig now.", speaker="Bob")

    with reranker({}, default=0.5) as scripted:
        recall(bank, "Where does Bob live?")

    [passages], [known] = scripted.calls, scripted.known
    about = [text for text, one in zip(passages, known, strict=True) if one.is_speaker]
    assert len(passages) == 3
    assert [text.splitlines()[-1] for text in about] == ["I live in Leipzig now."]


# -- how much -------------------------------------------------------------------------------------


def test_k_bounds_the_hits(bank: Bank) -> None:
    nodes.add_nodes(bank, [f"pump {number}" for number in range(9)])

    assert len(recall(bank, "pump", k=5).hits) == 5
    assert recall(bank, "pump", k=0).hits == ()
    assert len(recall(bank, "pump", k=50).hits) == 9


def test_fc_47_a_fact_that_does_not_fit_is_passed_over(bank: Bank) -> None:
    long, longer, short = "pump " * 120, "pump " * 150, "pump " * 20
    nodes.add_nodes(bank, [long.strip(), longer.strip(), short.strip()])

    with reranker({long.strip(): 0.9, longer.strip(): 0.8, short.strip(): 0.7}):
        fitting = recall(bank, "pump", max_tokens=80)
        nothing = recall(bank, "pump", max_tokens=0)

    assert texts(fitting) == [short.strip()]
    assert not fitting.hits[0].over_budget
    assert nothing.hits == ()
    assert not nothing.abstained


def test_fc_47_the_only_fact_comes_back_whole_and_marked(bank: Bank) -> None:
    long = ("pump " * 120).strip()
    nodes.add_node(bank, long)

    (hit,) = recall(bank, "pump", max_tokens=80).hits

    assert hit.text == long
    assert hit.over_budget
    assert hit.tokens > 80


def test_of_one_document_come_only_so_many(bank: Bank) -> None:
    one, other = (nodes.make_document(bank, name) for name in ("one", "other"))
    nodes.add_nodes(bank, [f"pump {n}" for n in range(6)], document_id=one.pk)
    nodes.add_nodes(bank, ["a pump"], document_id=other.pk)

    found = recall(bank, "pump", per_document=2)

    assert len(found.hits) == 3
    assert {hit.document_name for hit in found.hits} == {"one", "other"}


def test_one_long_document_does_not_keep_the_others_from_the_reranker(bank: Bank) -> None:
    long, short = (nodes.make_document(bank, name) for name in ("long", "short"))
    nodes.add_nodes(bank, [f"pump {n}" for n in range(400)], document_id=long.pk)
    nodes.add_node(bank, "pumps and other things that are far from it", document_id=short.pk)

    with patch("memory.recall.gathering.RERANKED", 10):
        found = recall(bank, "pump", per_document=3, width=500)

    assert {hit.document_name for hit in found.hits} == {"long", "short"}


# -- observations ---------------------------------------------------------------------------------


def test_an_observation_takes_the_place_of_its_facts_and_others_move_up(bank: Bank) -> None:
    first, second, third = nodes.add_nodes(bank, ["pump one", "pump two", "pump three"])
    belief = nodes.add_node(bank, "pump belief", level=Level.L2, proof_count=2)
    nodes.link(belief, first)
    nodes.link(belief, second)

    script = {"pump one": 0.9, "pump two": 0.8, "pump belief": 0.5, "pump three": 0.1}
    with reranker(script):
        plain = recall(bank, "pump", k=2)
        preferring = recall(bank, "pump", k=2, prefer_observations=True)

    assert texts(plain) == ["pump one", "pump two"]
    assert texts(preferring) == ["pump belief", "pump three"]
    assert third.pk == preferring.hits[1].id


def test_preferring_needs_observations_and_facts(bank: Bank) -> None:
    fact = nodes.add_node(bank, "pump one")
    belief = nodes.add_node(bank, "pump belief", level=Level.L2)
    nodes.link(belief, fact)

    found = recall(bank, "pump", prefer_observations=True, levels=(Level.L1,))

    assert texts(found) == ["pump one"]


# -- switches -------------------------------------------------------------------------------------


def test_a_bank_can_switch_an_arm_off(tenant: Tenant) -> None:
    bank = nodes.make_bank(tenant, config={"enable_text_search": False})
    nodes.add_node(bank, "pump")

    assert recall(bank, "pump").hits[0].scores.keyword is None


def test_a_bank_can_do_without_reranking(tenant: Tenant) -> None:
    bank = nodes.make_bank(tenant, config={"enable_reranking": False})
    nodes.add_nodes(bank, ["pump one", "pump two"])

    with reranker(RuntimeError("never asked")) as asked:
        found = recall(bank, "pump one", floor=Floor.OF_RERANKER)

    assert asked.calls == []
    assert texts(found)[0] == "pump one"
    assert found.hits[0].scores.reranker is None
    assert (found.reranker, found.floor, found.best_score) == ("none", None, None)


# -- scopes ---------------------------------------------------------------------------------------


def test_a_recall_of_its_own_holds_no_transaction_while_a_model_thinks(committed_db: None) -> None:
    tenant = nodes.make_tenant()
    with tenancy.scope(tenant.pk):
        bank = nodes.make_bank(tenant)
        nodes.add_node(bank, "pump")
    held: list[bool] = []

    class Watching(Scripted):
        def score(self, *args: Any, **more: Any) -> list[float]:
            held.append(connection.in_atomic_block)
            return super().score(*args, **more)

    with patch.object(registry, "reranker", lambda: Watching({"pump": 0.5})):
        found = engine.recall_as(tenant.pk, RecallRequest(bank_id=bank.pk, query="pump"))

    assert texts(found) == ["pump"]
    assert held == [False]


def test_two_tenants_never_see_each_other(db: None) -> None:
    mine, theirs = nodes.make_tenant(), nodes.make_tenant()
    with tenancy.scope(theirs.pk):
        their_bank = nodes.make_bank(theirs)
        nodes.add_node(their_bank, "pump of theirs")
    with tenancy.scope(mine.pk):
        nodes.add_node(nodes.make_bank(mine), "pump of mine")
        assert recall(their_bank, "pump").hits == ()


def test_a_recall_asks_few_statements(bank: Bank, django_assert_max_num_queries: object) -> None:
    facts = nodes.add_nodes(bank, [f"pump {number}" for number in range(60)])
    nodes.mention("Pump", *facts[:5])
    nodes.link(facts[0], facts[1], EdgeType.SEMANTIC)

    with django_assert_max_num_queries(16):  # type: ignore[operator]
        recall(bank, "pump", levels=(Level.L1, Level.L2, Level.R), window=None)
