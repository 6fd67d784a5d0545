"""A tag filter means the same in SQL, on real rows under row security, as in Python."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from uuid import UUID

import pytest
from django.db import connection, connections
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory import tenancy
from memory.levels import Level
from memory.models import Bank, Node, NodeTag
from memory.recall.tag_sql import condition
from memory.tags import AllOf, AnyOf, Leaf, Not, TagFilter, TagMatch, flat, matches, similarity
from memory.tenancy import OWNER_ALIAS
from tests.factories import make_org

WORDS = ("a", "b", "c", "d", "x') OR 1=1 --", "%s", "é")
SETS = st.lists(st.frozensets(st.sampled_from(WORDS), max_size=4), min_size=1, max_size=6)
LEAVES = st.builds(
    Leaf,
    st.lists(st.sampled_from((*WORDS, "nowhere")), max_size=4, unique=True).map(tuple),
    st.sampled_from(TagMatch),
)


def compound(parts: st.SearchStrategy[TagFilter]) -> st.SearchStrategy[TagFilter]:
    some = st.lists(parts, max_size=3).map(tuple)
    return st.one_of(st.builds(AllOf, some), st.builds(AnyOf, some), st.builds(Not, parts))


FILTERS: st.SearchStrategy[TagFilter] = st.recursive(LEAVES, compound, max_leaves=6)


def make_nodes(sets: Sequence[Sequence[str]], *, bank: Bank) -> list[UUID]:
    """One node for each set of tags, in the tenant whose scope is open."""
    nodes = Node.objects.bulk_create(
        Node(tenant_id=bank.tenant_id, bank=bank, level=Level.L0, sha=f"{at:064}", text="text")
        for at in range(len(sets))
    )
    NodeTag.objects.bulk_create(
        NodeTag(tenant_id=bank.tenant_id, bank=bank, tag=tag, node=node)
        for node, tags in zip(nodes, sets, strict=True)
        for tag in tags
    )
    return [node.id for node in nodes]


def make_bank() -> Bank:
    tenant = make_org().tenant
    with tenancy.scope(tenant.id):
        return Bank.objects.create(tenant=tenant, name="bank")


def found(expression: TagFilter, bank: Bank) -> set[UUID]:
    where, params = condition(expression)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT node.id FROM memory_node node WHERE node.bank_id = %(bank_id)s AND {where}",
            {"bank_id": bank.id, **params},
        )
        return {row[0] for row in cursor.fetchall()}


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(sets=SETS, filters=st.lists(FILTERS, min_size=1, max_size=4))
def test_sql_passes_what_python_passes(
    db: None, sets: list[frozenset[str]], filters: list[TagFilter]
) -> None:
    bank = make_bank()
    with tenancy.scope(bank.tenant_id):
        ids = make_nodes([sorted(tags) for tags in sets], bank=bank)
        for each in filters:
            expected = {id for id, tags in zip(ids, sets, strict=True) if matches(each, tags)}
            assert found(each, bank) == expected


def test_fc_52_unknown_tag_never_turns_into_no_filter(db: None) -> None:
    bank = make_bank()
    with tenancy.scope(bank.tenant_id):
        make_nodes([["a"], ["b"], ["a", "team"], []], bank=bank)
        for mode in (TagMatch.ANY_STRICT, TagMatch.ALL_STRICT, TagMatch.EXACT):
            assert found(Leaf(("nowhere",), mode), bank) == set()


def test_fc_52_exact_without_tags_finds_the_untagged(db: None) -> None:
    bank = make_bank()
    with tenancy.scope(bank.tenant_id):
        *_, untagged = make_nodes([["a"], ["b"], ["a", "team"], []], bank=bank)
        only = flat([], "exact")
        assert only is not None
        assert found(only, bank) == {untagged}


def test_fc_69_tags_are_parameters_alone() -> None:
    tag = "x') OR 1=1 --"
    where, params = condition(Leaf((tag, "y"), TagMatch.EXACT))
    assert tag not in where
    assert [tag, "y"] in params.values()


def test_name_of_the_row_is_a_name() -> None:
    assert "hit.id" in condition(Leaf(("a",)), node="hit")[0]
    with pytest.raises(ValueError, match="no name"):
        condition(Leaf(("a",)), node="node; select 1")


def test_fuzzy_leaf_has_to_be_resolved_before() -> None:
    with pytest.raises(ValueError, match="not resolved"):
        condition(Leaf(("a",), fuzzy=True))


def test_strict_filters_start_from_the_tag_in_the_b_tree(committed_db: None) -> None:
    bank = make_bank()
    with tenancy.scope(bank.tenant_id):
        make_nodes(
            [["rare", "x"] if at < 5 else [f"tag-{at % 50}"] for at in range(2000)], bank=bank
        )
    with connections[OWNER_ALIAS].cursor() as cursor:
        cursor.execute("ANALYZE memory_node, memory_nodetag")
    for mode in (TagMatch.ANY_STRICT, TagMatch.ALL_STRICT, TagMatch.EXACT):
        for tags in (("rare",), ("rare", "x")):
            plan = plan_of(Leaf(tags, mode), bank)
            assert "Index Only Scan using memory_nodetag_pkey" in plan
            assert "Seq Scan" not in plan


def plan_of(expression: TagFilter, bank: Bank) -> str:
    where, params = condition(expression)
    with tenancy.scope(bank.tenant_id), connection.cursor() as cursor:
        cursor.execute(
            f"EXPLAIN SELECT node.id FROM memory_node node WHERE node.bank_id = %(bank)s AND {where}",
            {"bank": bank.id, **params},
        )
        return "\n".join(row[0] for row in cursor.fetchall())


ALPHABET = "abcdeABC019 :-_./äÖñéжШ中"


@pytest.mark.django_db(databases=["owner"])
def test_similarity_is_that_of_pg_trgm() -> None:
    drawn = Random(7)
    words = ["".join(drawn.choices(ALPHABET, k=drawn.randint(0, 12))) for _ in range(1000)]
    pairs = list(zip(words, words[1:] + words[:1], strict=True))
    pairs += [(word, f"{word[: len(word) // 2]}x{word[len(word) // 2 :]}") for word in words]
    with connections["owner"].cursor() as cursor:
        cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")  # gone with the transaction
        cursor.execute(
            "SELECT a, b, similarity(a, b) FROM unnest(%s::text[], %s::text[]) AS pair (a, b)",
            [[a for a, _ in pairs], [b for _, b in pairs]],
        )
        theirs = cursor.fetchall()
    assert [row for row in theirs if abs(similarity(*row[:2]) - row[2]) > 1e-6] == []
