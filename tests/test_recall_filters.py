"""Filters are part of the SQL that finds candidates: what they leave out takes nobody's place."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from unittest.mock import patch

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import tags, tenancy, vectors
from memory.backends import registry
from memory.hits import Arm
from memory.levels import EdgeType, FactType, Level
from memory.models import Bank, Document, Node, Tenant
from memory.recall.arms import graph, semantic
from memory.recall.scope import Scope
from memory.tags import TagMatch
from tests import nodes
from tests.recalls import recall, texts

QUERY = "Where do I live?"


@pytest.fixture
def tenant(db: None) -> Iterator[Tenant]:
    made = nodes.make_tenant()
    with tenancy.scope(made.pk):
        yield made


@pytest.fixture
def bank(tenant: Tenant) -> Bank:
    return nodes.make_bank(tenant)


def place_near(found: list[Node], query: np.ndarray, *, noise: float, seed: int) -> None:
    """Give the nodes vectors around ``query``, as far from it as ``noise`` says."""
    recipe = registry.encoder().recipe
    scattered = query + np.random.default_rng(seed).normal(0, noise, (len(found), len(query)))
    unit = scattered / np.linalg.norm(scattered, axis=1, keepdims=True)
    vectors.store([node.pk for node in found], unit, recipe)


@pytest.fixture
def query_vector(request: pytest.FixtureRequest) -> np.ndarray:
    """A direction of the test's own: what other tests rolled back stays in the index for a while, and
    a walk comes past it."""
    random = np.random.default_rng(zlib.crc32(request.node.name.encode()))
    direction = random.normal(size=registry.encoder().recipe.dimensions)
    return direction / np.linalg.norm(direction)


def test_fc_33_hidden_documents_take_no_place_and_change_no_score(bank: Bank) -> None:
    hidden, open_ = (nodes.make_document(bank, name) for name in ("hidden", "open"))
    nodes.add_nodes(bank, [f"pump pressure {n}" for n in range(60)], document_id=hidden.pk)
    nodes.add_nodes(
        bank,
        [f"pump and many other words beside the pressure {n}" for n in range(3)],
        document_id=open_.pk,
    )
    readable = Document.objects.filter(pk=open_.pk)

    def answer() -> list[object]:
        found = recall(bank, "pump pressure", documents=readable, k=3, width=3)
        return [(hit.id, hit.scores) for hit in found.hits]

    before = answer()
    Node.objects.filter(document_id=hidden.pk).delete()

    assert len(before) == 3
    assert answer() == before


def test_fc_39_a_filter_by_tag_finds_that_users_memory_alone(bank: Bank) -> None:
    nodes.add_node(bank, "lives in Lyon", tags=["user:u1"])
    nodes.add_node(bank, "lives in Porto", tags=["user:u2"])

    flat = tags.flat(["user:u1"], TagMatch.ALL_STRICT)
    nested = tags.groups([{"or": [{"not": {"tags": ["user:u2"]}}, {"tags": ["user:u1"]}]}])

    assert texts(recall(bank, QUERY, tags=flat)) == ["lives in Lyon"]
    assert texts(recall(bank, QUERY, tags=nested)) == ["lives in Lyon"]


def test_a_tag_that_is_nearly_right_is_found_among_the_banks(bank: Bank) -> None:
    nodes.add_node(bank, "lives in Lyon", tags=["typescript"])
    nodes.add_node(bank, "lives in Porto", tags=["rust"])
    near = tags.groups([{"tags": ["typsecript"], "resolve": "fuzzy"}])

    assert texts(recall(bank, QUERY, tags=near)) == ["lives in Lyon"]


def prefer_walks() -> None:
    """Few rows are sorted as fast as an index is walked, and their statistics come by chance."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_sort = off")


def test_fc_40_a_narrow_filter_finds_what_an_exact_scan_finds(
    bank: Bank, query_vector: np.ndarray
) -> None:
    near = nodes.add_nodes(bank, [f"near {n}" for n in range(2000)], tags=["S1"], encode=False)
    far = nodes.add_nodes(bank, [f"far {n}" for n in range(40)], tags=["S2"], encode=False)
    place_near(near, query_vector, noise=0.02, seed=1)
    place_near(far, query_vector, noise=0.2, seed=2)
    scope = Scope(bank_id=bank.pk, level=Level.L1, tags=tags.flat(["S2"], TagMatch.ANY_STRICT))
    recipe = registry.encoder().recipe

    (exact,) = semantic.search([scope], query_vector, recipe, width=20)
    with patch.object(semantic, "EXACT", 10):
        (walked,) = semantic.search([scope], query_vector, recipe, width=20)

    assert len(exact.hits) == 20
    assert exact.is_exact
    assert {hit.node_id for hit in exact.hits} <= {node.pk for node in far}
    assert len(walked.hits) == 20
    assert {hit.node_id for hit in walked.hits} <= {node.pk for node in far}


def test_fc_40_a_walk_that_ends_early_is_made_good_by_an_exact_scan(
    bank: Bank, query_vector: np.ndarray
) -> None:
    prefer_walks()
    near = nodes.add_nodes(bank, [f"near {n}" for n in range(1500)], tags=["S1"], encode=False)
    far = nodes.add_nodes(bank, [f"far {n}" for n in range(40)], tags=["S2"], encode=False)
    place_near(near, query_vector, noise=0.02, seed=1)
    place_near(far, query_vector, noise=0.2, seed=2)
    scope = Scope(bank_id=bank.pk, level=Level.L1, tags=tags.flat(["S2"], TagMatch.ANY_STRICT))

    with (
        patch.object(semantic, "EXACT", 10),
        patch.object(semantic, "_MAX_SCAN_TUPLES", 1),
        # A wide walk comes past the far ones by chance and hands them out in the end.
        patch.object(semantic, "_LEAST_EF_SEARCH", 1),
        CaptureQueriesContext(connection) as queries,
    ):
        (found,) = semantic.search([scope], query_vector, registry.encoder().recipe, width=20)

    assert len(found.hits) == 20
    assert {hit.node_id for hit in found.hits} <= {node.pk for node in far}
    assert found.is_exact
    assert len(queries) == 3  # count, walk, exact


def test_fc_41_tagged_memories_below_a_global_top_are_found(
    bank: Bank, query_vector: np.ndarray
) -> None:
    near = nodes.add_nodes(bank, [f"near {n}" for n in range(500)], encode=False)
    tagged = nodes.add_nodes(bank, [f"far {n}" for n in range(30)], tags=["work"], encode=False)
    place_near(near, query_vector, noise=0.02, seed=1)
    place_near(tagged, query_vector, noise=0.2, seed=2)
    strict = tags.flat(["work"], TagMatch.ANY_STRICT)

    found = recall(bank, QUERY, tags=strict, k=10, arms={Arm.SEMANTIC})

    assert len(found.hits) == 10
    assert all(hit.tags == ("work",) for hit in found.hits)


@pytest.mark.parametrize("mode", list(TagMatch))
def test_fc_52_no_tags_are_no_filter_but_under_exact(bank: Bank, mode: TagMatch) -> None:
    for own in (["a"], ["b"], ["a", "team"], []):
        nodes.add_node(bank, f"pump {' '.join(own)}", tags=own)

    found = recall(bank, "pump", tags=tags.flat([], mode))

    assert len(found.hits) == (1 if mode is TagMatch.EXACT else 4)
    if mode is TagMatch.EXACT:
        assert found.hits[0].tags == ()


@pytest.mark.parametrize("mode", [TagMatch.ANY_STRICT, TagMatch.ALL_STRICT, TagMatch.EXACT])
def test_fc_52_a_tag_that_nobody_carries_finds_nothing(bank: Bank, mode: TagMatch) -> None:
    nodes.add_nodes(bank, ["pump one", "pump two"], tags=["a"])

    assert recall(bank, "pump", tags=tags.flat(["nobody"], mode)).hits == ()


def test_ten_times_k_candidates_are_counted_after_the_filter(
    bank: Bank, query_vector: np.ndarray
) -> None:
    """The corpus is larger than the width and nearer to the query: filtering afterwards would
    leave nothing."""
    sections = nodes.add_nodes(
        bank, [f"section {n}" for n in range(1200)], level=Level.R, encode=False
    )
    facts = nodes.add_nodes(bank, [f"fact {n}" for n in range(120)], encode=False)
    place_near(sections, query_vector, noise=0.01, seed=1)
    place_near(facts, query_vector, noise=0.2, seed=2)
    scope = Scope(bank_id=bank.pk, level=Level.L1)

    for exact in (0, semantic.EXACT):
        with patch.object(semantic, "EXACT", exact), CaptureQueriesContext(connection) as queries:
            (found,) = semantic.search([scope], query_vector, registry.encoder().recipe, width=50)
        assert len(found.hits) == 50
        assert {hit.node_id for hit in found.hits} <= {node.pk for node in facts}
        nearest = queries[-1]["sql"]
        assert "ORDER BY" in nearest
        assert "vector.level = 'L1'" in nearest
        assert "LIMIT 50" in nearest


def test_a_large_level_is_walked_by_its_own_index(bank: Bank, query_vector: np.ndarray) -> None:
    prefer_walks()
    facts = nodes.add_nodes(bank, [f"fact {n}" for n in range(3000)], encode=False)
    place_near(facts, query_vector, noise=0.1, seed=1)
    recipe = registry.encoder().recipe
    scope = Scope(bank_id=bank.pk, level=Level.L1)

    with patch.object(semantic, "EXACT", 100), CaptureQueriesContext(connection) as queries:
        (walked,) = semantic.search([scope], query_vector, recipe, width=50)
    (exact,) = semantic.search([scope], query_vector, recipe, width=50)

    plan = plan_of(queries[-1]["sql"])
    assert "vector_hnsw_" in plan
    assert "_l1" in plan
    assert not walked.is_exact
    assert exact.is_exact
    best = {hit.node_id for hit in exact.hits[:10]}
    assert len(best & {hit.node_id for hit in walked.hits[:10]}) >= 8


def test_an_exact_scan_reads_no_index_of_neighbours(bank: Bank, query_vector: np.ndarray) -> None:
    nodes.add_nodes(bank, [f"fact {n}" for n in range(200)])

    with CaptureQueriesContext(connection) as queries:
        semantic.search(
            [Scope(bank_id=bank.pk, level=Level.L1)],
            query_vector,
            registry.encoder().recipe,
            width=50,
        )
    assert "vector_hnsw_" not in plan_of(queries[-1]["sql"])


def plan_of(sql: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN " + sql)
        return "\n".join(row[0] for row in cursor.fetchall())


def test_nodes_are_looked_up_by_id_before_there_are_statistics(
    bank: Bank, query_vector: np.ndarray
) -> None:
    """Rows of an open transaction are in no statistics, as those of a large retain are not at first:
    (bank, level) looks as selective as an id, and is not."""
    # Of fewer nodes a tenant's part would look like one row, and any index as good as another.
    nodes.add_nodes(bank, [f"fact {n}" for n in range(2000)], tags=["a"])
    scope = Scope(bank_id=bank.pk, level=Level.L1, tags=tags.flat(["a"], TagMatch.ANY))

    with CaptureQueriesContext(connection) as queries:
        semantic.search([scope], query_vector, registry.encoder().recipe, width=5)
        graph.search([scope], [[Node.objects.first().pk]], width=5)  # type: ignore[union-attr]

    for query in queries:
        if "memory_nodeentity" in query["sql"] or "vector.embedding" in query["sql"]:
            plan = plan_of(query["sql"])
            assert "node_bank_level" not in plan, plan


def test_a_type_is_counted_by_its_index(bank: Bank, query_vector: np.ndarray) -> None:
    nodes.add_nodes(bank, [f"fact {n}" for n in range(300)], encode=False)
    scope = Scope(bank_id=bank.pk, level=Level.L1, types=(FactType.EXPERIENCE,))

    with CaptureQueriesContext(connection) as queries:
        semantic.search([scope], query_vector, registry.encoder().recipe, width=5)

    assert len(queries) == 1
    assert "node_bank_type" in plan_of(queries[0]["sql"])


def test_a_level_with_many_facts_that_lost_still_fills_its_width(
    bank: Bank, query_vector: np.ndarray
) -> None:
    lost = nodes.add_nodes(
        bank, [f"lost {n}" for n in range(300)], encode=False, superseded_at="2024-01-01T00:00Z"
    )
    current = nodes.add_nodes(bank, [f"current {n}" for n in range(40)], encode=False)
    place_near(lost, query_vector, noise=0.01, seed=1)
    place_near(current, query_vector, noise=0.2, seed=2)

    (found,) = semantic.search(
        [Scope(bank_id=bank.pk, level=Level.L1)], query_vector, registry.encoder().recipe, width=20
    )

    assert len(found.hits) == 20
    assert {hit.node_id for hit in found.hits} <= {node.pk for node in current}


def test_every_arm_keeps_to_the_filters(bank: Bank) -> None:
    mine = nodes.add_node(bank, "pump of March", tags=["mine"])
    theirs = nodes.add_node(bank, "pump of March, too", tags=["theirs"])
    seed = nodes.add_node(bank, "valve", tags=["mine"])
    nodes.mention("Pump", mine, theirs, seed)
    for far in (mine, theirs):
        nodes.link(seed, far, EdgeType.SEMANTIC)
    scope = Scope(bank_id=bank.pk, level=Level.L1, tags=tags.flat(["mine"], TagMatch.ALL_STRICT))

    (by_graph,) = graph.search([scope], [[seed.pk]], width=10)
    found = recall(bank, "pump March 2024 valve", tags=scope.tags)

    assert [hit.node_id for hit in by_graph] == [mine.pk]
    assert all(hit.tags == ("mine",) for hit in found.hits)


def test_a_type_is_part_of_the_statement(bank: Bank, query_vector: np.ndarray) -> None:
    world = nodes.add_nodes(bank, [f"world {n}" for n in range(80)], encode=False)
    own = nodes.add_nodes(
        bank, [f"own {n}" for n in range(8)], encode=False, fact_type=FactType.EXPERIENCE
    )
    place_near(world, query_vector, noise=0.01, seed=1)
    place_near(own, query_vector, noise=0.2, seed=2)

    found = recall(bank, QUERY, types=(FactType.EXPERIENCE,), width=5, arms={Arm.SEMANTIC})

    assert len(found.hits) == 5
    assert {hit.id for hit in found.hits} <= {node.pk for node in own}


def test_banks_of_one_tenant_are_apart(tenant: Tenant) -> None:
    one, other = nodes.make_bank(tenant, "one"), nodes.make_bank(tenant, "other")
    nodes.add_node(one, "pump of one")
    nodes.add_node(other, "pump of other")

    assert texts(recall(one, "pump")) == ["pump of one"]
