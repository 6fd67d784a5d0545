"""What comes along with the hits: chunks, source facts, entities, provenance, the trace."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from memory import tenancy
from memory.hits import Arm, Window
from memory.language.tokens import clip_tokens, count_tokens
from memory.levels import EdgeType, FactType, Level
from memory.models import Bank, Node, Tenant
from memory.recall import provenance
from memory.recall.phases import Phase
from memory.recall.request import Floor, Include
from tests import nodes
from tests.recalls import recall, reranker, texts
from tests.test_scoring import MARCH


@pytest.fixture
def tenant(db: None) -> Iterator[Tenant]:
    made = nodes.make_tenant()
    with tenancy.scope(made.pk):
        yield made


@pytest.fixture
def bank(tenant: Tenant) -> Bank:
    return nodes.make_bank(tenant, "proj_1")


class Story:
    """Two passages of one document, a fact of each, and a belief that rests on both facts."""

    def __init__(self, bank: Bank) -> None:
        self.document = nodes.make_document(bank, "notes")
        self.passages = [
            nodes.add_node(
                bank,
                f"Passage {n} about the pump and more of what was said.",
                level=Level.L0,
                document_id=self.document.pk,
                ordinal=n,
                char_start=100 * n,
                char_end=100 * n + 49,
            )
            for n in range(2)
        ]
        self.facts = [
            nodes.add_node(
                bank,
                f"pump fact {n}",
                document_id=self.document.pk,
                chunk_id=passage.pk,
                ordinal=n,
            )
            for n, passage in enumerate(self.passages)
        ]
        self.belief = nodes.add_node(bank, "pump belief", level=Level.L2, proof_count=2)
        for fact, passage in zip(self.facts, self.passages, strict=True):
            nodes.link(fact, passage)
            nodes.link(self.belief, fact)


@pytest.fixture
def story(bank: Bank) -> Story:
    return Story(bank)


# -- chunks ---------------------------------------------------------------------------------------


def test_chunks_come_in_the_order_of_the_hits_under_the_callers_names(
    bank: Bank, story: Story
) -> None:
    with reranker({"pump fact 1": 0.9, "pump fact 0": 0.5}):
        found = recall(bank, "pump", levels=(Level.L1,), include=Include(chunks=1000))

    assert found.chunks is not None
    assert list(found.chunks) == ["proj%5F1_notes_1", "proj%5F1_notes_0"]
    assert [hit.chunk_id for hit in found.hits] == list(found.chunks)
    first = found.chunks["proj%5F1_notes_1"]
    assert (first.text, first.index, first.truncated) == (story.passages[1].text, 1, False)


def test_an_observation_brings_the_chunks_of_its_facts(bank: Bank, story: Story) -> None:
    found = recall(bank, "pump", types=(FactType.OBSERVATION,), include=Include(chunks=1000))

    assert found.hits[0].chunk_id is None
    assert {one.text for one in (found.chunks or {}).values()} == {
        passage.text for passage in story.passages
    }


def test_the_last_chunk_is_cut_to_fit(bank: Bank, story: Story) -> None:
    whole = count_tokens(story.passages[0].text)

    found = recall(bank, "pump", levels=(Level.L1,), include=Include(chunks=whole + 3))

    assert found.chunks is not None
    first, last = found.chunks.values()
    assert not first.truncated
    assert last.truncated
    assert count_tokens(last.text) == 3
    assert any(passage.text.startswith(last.text) for passage in story.passages)


def test_no_facts_at_all_can_still_bring_chunks(bank: Bank, story: Story) -> None:
    found = recall(bank, "pump", max_tokens=0, include=Include(chunks=1000))

    assert found.hits == ()
    assert len(found.chunks or {}) == 2


def test_chunks_that_were_not_asked_for_are_absent(bank: Bank, story: Story) -> None:
    assert recall(bank, "pump").chunks is None
    assert recall(bank, "pump", include=Include(chunks=0)).chunks == {}


def test_half_a_character_is_never_left_at_the_end() -> None:
    text = "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 😀😀"
    for most in range(count_tokens(text) + 1):
        assert text.startswith(clip_tokens(text, most))


# -- source facts ---------------------------------------------------------------------------------


def test_source_facts_are_named_on_the_observation_and_given_once(bank: Bank, story: Story) -> None:
    found = recall(bank, "pump", include=Include(source_facts=1000))

    belief = next(hit for hit in found.hits if hit.level is Level.L2)
    assert belief.source_fact_ids == tuple(fact.pk for fact in story.facts)
    assert set(found.source_facts or {}) == {fact.pk for fact in story.facts}
    assert found.source_facts_truncated is False
    assert all(hit.source_fact_ids is None for hit in found.hits if hit.level is Level.L1)


def test_source_facts_that_do_not_fit_are_left_out_and_that_is_said(
    bank: Bank, story: Story
) -> None:
    room_for_one = count_tokens(story.facts[0].text)

    found = recall(bank, "pump", include=Include(source_facts=room_for_one))

    belief = next(hit for hit in found.hits if hit.level is Level.L2)
    assert len(belief.source_fact_ids or ()) == 2
    assert len(found.source_facts or {}) == 1
    assert found.source_facts_truncated is True


@pytest.mark.parametrize(
    ("include", "count"),
    [
        (Include(source_facts=-1), 2),
        (Include(source_facts=0), 0),
        (Include(source_facts=0, per_observation=1000), 2),
        (Include(source_facts=1000, per_observation=0), 0),
    ],
)
def test_budgets_of_source_facts(bank: Bank, story: Story, include: Include, count: int) -> None:
    found = recall(bank, "pump", types=(FactType.OBSERVATION,), include=include)

    assert len(found.source_facts or {}) == count


# -- entities -------------------------------------------------------------------------------------


def test_entities_are_named_on_hits_and_together(bank: Bank, story: Story) -> None:
    ada = nodes.mention("Ada", story.facts[0])

    found = recall(bank, "pump", include=Include(entities=True, source_facts=1000))

    by_text = {hit.text: hit.entities for hit in found.hits}
    assert by_text["pump fact 0"] == ("Ada",)
    assert by_text["pump fact 1"] == ()
    assert found.entities is not None
    assert found.entities["Ada"].id == ada.pk
    assert (found.source_facts or {})[story.facts[0].pk].entities == ("Ada",)


def test_entities_that_were_not_asked_for_are_absent(bank: Bank, story: Story) -> None:
    found = recall(bank, "pump")

    assert found.entities is None
    assert all(hit.entities is None for hit in found.hits)


# -- provenance -----------------------------------------------------------------------------------


def ancestors(*of: Node) -> dict[str, list[tuple[int, str]]]:
    names = {node.pk: node.text for node in of}
    walked = provenance.walk([node.pk for node in of])
    return {
        names[node_id]: [(one.depth, one.text) for one in found]
        for node_id, found in walked.items()
    }


def test_a_fact_rests_on_its_passage_and_a_belief_on_facts_and_passages(story: Story) -> None:
    first, second = (passage.text for passage in story.passages)

    assert ancestors(story.facts[0], story.belief) == {
        "pump fact 0": [(1, first)],
        "pump belief": [(1, "pump fact 0"), (1, "pump fact 1"), (2, first), (2, second)],
    }


def test_an_ancestor_says_where_it_stands(story: Story) -> None:
    (ancestor,) = provenance.walk([story.facts[1].pk])[story.facts[1].pk]

    assert ancestor.document_name == "notes"
    assert (ancestor.char_start, ancestor.char_end) == (100, 149)
    assert ancestor.sha == story.passages[1].sha
    assert ancestor.via == story.facts[1].pk


def test_other_edges_are_no_provenance(bank: Bank, story: Story) -> None:
    nodes.link(story.facts[0], story.facts[1], EdgeType.CAUSED_BY)

    assert len(ancestors(story.facts[0])["pump fact 0"]) == 1


def test_references_and_passages_rest_on_nothing(bank: Bank, story: Story) -> None:
    section = nodes.add_node(bank, "section", level=Level.R)

    assert ancestors(section, story.passages[0]) == {}


def test_provenance_comes_with_the_recall_in_one_statement_for_facts_alone(
    bank: Bank, story: Story
) -> None:
    nodes.add_node(bank, "pump section", level=Level.R, source_uri="docs/pump.md")

    found = recall(
        bank, "pump", levels=(Level.L1, Level.L2, Level.R), include=Include(provenance=True)
    )

    assert found.provenance is not None
    assert set(found.provenance) == {hit.id for hit in found.hits if hit.level is not Level.R}


# -- what a hit shows -----------------------------------------------------------------------------


def test_a_reference_shows_its_address_and_headings(bank: Bank) -> None:
    nodes.add_node(
        bank,
        "kubectl describe pod",
        level=Level.R,
        source_uri="k8s/debug.md",
        heading_path=["Debugging", "Pods"],
    )

    (hit,) = recall(bank, "describe pod", levels=(Level.R,)).hits

    assert (hit.source_uri, hit.heading_path) == ("k8s/debug.md", ("Debugging", "Pods"))
    assert hit.chunk_id is None


def test_a_hit_shows_what_was_retained_with_it(bank: Bank) -> None:
    document = nodes.make_document(bank, "talk 7")
    node = nodes.add_node(
        bank,
        "pump",
        document_id=document.pk,
        speaker="Ada",
        context="meeting",
        metadata={"source": "mail"},
        tags=["b", "a"],
        occurred_start=MARCH.start,
        mentioned_at=MARCH.end,
        trust=0.75,
    )

    (hit,) = recall(bank, "pump").hits

    assert (hit.id, hit.sha, hit.level, hit.fact_type) == (
        node.pk,
        node.sha,
        Level.L1,
        FactType.WORLD,
    )
    assert (hit.speaker, hit.context, hit.metadata) == ("Ada", "meeting", {"source": "mail"})
    assert (hit.tags, hit.trust) == (("b", "a"), 0.75)
    assert (hit.occurred_start, hit.mentioned_at) == (MARCH.start, MARCH.end)
    assert (hit.document_id, hit.document_name) == (document.pk, "talk 7")


# -- trace ----------------------------------------------------------------------------------------


def test_the_trace_tells_what_every_stage_did(bank: Bank, story: Story) -> None:
    window = Window(MARCH.start, MARCH.end)
    with reranker({"pump fact 0": 0.9}, default=0.2, floor=0.35):
        found = recall(bank, "pump fact", trace=True, window=window, floor=Floor.OF_RERANKER)

    trace = found.trace
    assert trace is not None
    json.dumps(trace, allow_nan=False)
    assert trace["query"]["query_text"] == "pump fact"
    assert trace["query"]["temporal_constraint"]["start"].startswith("2024-03-01")
    assert {(one["method_name"], one["level"]) for one in trace["retrieval_results"]} == {
        (method, level)
        for method in ("semantic", "bm25", "graph", "temporal")
        for level in ("L1", "L2")
    }
    assert trace["rrf_merged"][0]["source_ranks"]
    best = trace["reranked"][0]
    assert best["node_id"] == str(story.facts[0].pk)
    assert best["score_components"]["reranker"] == 0.9
    assert trace["floor"] == {
        "reranker": "scripted",
        "floor": 0.35,
        "best_score": 0.9,
        "cut": 2,
        "failure": None,
    }
    assert [one["text"] for one in trace["final_results"]] == texts(found) == ["pump fact 0"]
    summary = trace["summary"]
    assert summary["results_returned"] == 1
    phases = {one["phase_name"]: one["duration_seconds"] for one in summary["phase_metrics"]}
    assert {Phase.ENCODE, Phase.RETRIEVE, Phase.FUSE, Phase.RERANK, Phase.TOKENS} <= set(phases)
    assert all(seconds >= 0 for seconds in phases.values())


def test_a_trace_changes_nothing(bank: Bank, story: Story) -> None:
    plain = recall(bank, "pump fact", asked_at=MARCH.end)
    traced = recall(bank, "pump fact", asked_at=MARCH.end, trace=True)

    assert plain.trace is None
    assert traced.hits == plain.hits


def test_an_arm_that_was_not_asked_is_not_in_the_trace(bank: Bank) -> None:
    nodes.add_node(bank, "pump")

    with reranker({}, default=0.5):
        found = recall(bank, "pump", trace=True, arms=frozenset({Arm.KEYWORD}), levels=(Level.L1,))

    assert [one["method_name"] for one in (found.trace or {})["retrieval_results"]] == ["bm25"]
