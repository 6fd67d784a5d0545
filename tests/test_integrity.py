"""Verifying edges, vectors and chunks: every fault is named, and a sound bank has none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connections

from memory import integrity, tenancy
from memory.backends import registry
from memory.integrity import Verified
from memory.models import Bank, Document, Edge, EdgeType, Level, Node, Vector
from memory.seams import Recipe
from tests.bank_rows import make_bank, make_document, place_node
from tests.factories import make_org
from tests.nodes import add_node, link
from tests.owner import without_constraints

FACT = "Alice wrote the runbook. 🙂"
NOTE = "Ω On Monday: " + FACT + " It was short."


@pytest.fixture
def bank(db: None) -> Bank:
    return make_bank(make_org(), "ops")


def sound(bank: Bank) -> tuple[Document, Node, Node, Node]:
    """A passage, a fact from it, an observation and a reference. Inside the scope."""
    document = make_document(bank, "note", NOTE)
    raw = place_node(document, NOTE, level=Level.L0)
    fact = place_node(document, FACT)
    seen = add_node(bank, "Alice writes runbooks.", level=Level.L2)
    place_node(document, "It was short.", level=Level.R)
    link(fact, raw)
    link(seen, fact)
    return document, raw, fact, seen


def verify(check: Callable[..., Verified], *banks: Bank) -> Verified:
    with tenancy.scope(banks[0].tenant_id):
        return check([bank.pk for bank in banks])


def told(verified: Verified) -> list[tuple[str, ...]]:
    return [(fault.reason, *fault.pair) for fault in verified.faults]


@pytest.mark.parametrize("check", integrity.CHECKS.values(), ids=integrity.CHECKS)
def test_a_sound_bank_has_no_fault(bank: Bank, check: Callable[..., Verified]) -> None:
    with tenancy.scope(bank.tenant_id):
        sound(bank)
    verified = verify(check, bank)
    assert (verified.found, verified.faults) == (0, ())
    assert verified.rows > 0


def test_a_bank_that_is_not_asked_about_is_not_read(bank: Bank) -> None:
    with tenancy.scope(bank.tenant_id):
        document, *_ = sound(bank)
        Document.objects.filter(pk=document.pk).update(text="Other words.")
    other = make_bank(make_org(), "other")
    assert verify(integrity.verify_chunks, other).rows == 0
    assert verify(integrity.verify_chunks, bank).found == 2  # the passage and the reference


# -- edges: the database refuses all of these, so its constraints are taken away -----------------


def to_reference(bank: Bank, raw: Node, fact: Node, seen: Node) -> tuple[str, Node, Node]:
    reference = Node.objects.get(bank=bank, level=Level.R)
    link(fact, reference, EdgeType.SEMANTIC)
    return "a reference section is the parent of an edge", fact, reference


def of_reference(bank: Bank, raw: Node, fact: Node, seen: Node) -> tuple[str, Node, Node]:
    reference = Node.objects.get(bank=bank, level=Level.R)
    link(reference, fact, EdgeType.CAUSES)
    return "a reference section is the child of an edge", reference, fact


def two_levels_down(bank: Bank, raw: Node, fact: Node, seen: Node) -> tuple[str, Node, Node]:
    link(seen, raw)
    return "not derived from one level down", seen, raw


def to_itself(bank: Bank, raw: Node, fact: Node, seen: Node) -> tuple[str, Node, Node]:
    link(fact, fact, EdgeType.SEMANTIC)
    return "an edge to itself", fact, fact


def too_heavy(bank: Bank, raw: Node, fact: Node, seen: Node) -> tuple[str, Node, Node]:
    link(seen, fact, EdgeType.SEMANTIC, weight=1.5)
    return "its weight is outside 0 to 1", seen, fact


def other_levels(bank: Bank, raw: Node, fact: Node, seen: Node) -> tuple[str, Node, Node]:
    edge = link(seen, fact, EdgeType.SEMANTIC)
    Edge.objects.filter(pk=edge.pk).update(parent_level=Level.L0)
    return "the edge names other levels than its ends have", seen, fact


def other_bank(bank: Bank, raw: Node, fact: Node, seen: Node) -> tuple[str, Node, Node]:
    elsewhere = Bank.objects.create(tenant_id=bank.tenant_id, name="elsewhere")
    away = add_node(elsewhere, "Bob reads.")
    link(fact, away, EdgeType.SEMANTIC)
    return "the ends are not in the bank of the edge", fact, away


_CONSTRAINTS = (
    "edge_never_of_reference",
    "edge_derived_one_level_down",
    "edge_weight",
    "edge_not_to_itself",
    "memory_edge_child_id_fk",
    "memory_edge_parent_id_fk",
)


@pytest.fixture
def open_edges(committed_db: None) -> Iterator[Bank]:
    """A bank in a database that lets every edge in."""
    with without_constraints("memory_edge", *_CONSTRAINTS):
        yield make_bank(make_org(), "ops")


@pytest.mark.parametrize(
    "damage",
    [to_reference, of_reference, two_levels_down, to_itself, too_heavy, other_levels, other_bank],
)
def test_a_bad_edge_is_named_by_the_pair(open_edges: Bank, damage: Callable[..., Any]) -> None:
    with tenancy.scope(open_edges.tenant_id):
        _, *nodes = sound(open_edges)
        reason, child, parent = damage(open_edges, *nodes)
    verified = verify(integrity.verify_edges, open_edges)
    assert told(verified) == [(reason, child.sha, parent.sha)]
    assert str(verified.faults[0]).startswith(f"{child.sha[:12]} → {parent.sha[:12]}: {reason}")


@pytest.mark.parametrize("end", ["child", "parent"])
def test_an_edge_whose_end_is_gone_is_named_by_what_is_left(open_edges: Bank, end: str) -> None:
    gone = uuid4()
    with tenancy.scope(open_edges.tenant_id):
        _, _, fact, seen = sound(open_edges)
        edge = link(seen, fact, EdgeType.SEMANTIC)
        Edge.objects.filter(pk=edge.pk).update(**{f"{end}_id": gone})
    pair = (str(gone), fact.sha) if end == "child" else (seen.sha, str(gone))
    assert told(verify(integrity.verify_edges, open_edges)) == [
        (f"the {end} does not exist", *pair)
    ]


def test_a_cycle_is_named_by_the_edge_that_closes_it(open_edges: Bank) -> None:
    with tenancy.scope(open_edges.tenant_id):
        _, raw, _, seen = sound(open_edges)
        link(raw, seen)  # raw → seen → fact → raw
    assert told(verify(integrity.verify_edges, open_edges)) == [
        ("not derived from one level down", raw.sha, seen.sha),
        ("derived from itself by way of others", raw.sha, seen.sha),
    ]


# -- vectors --------------------------------------------------------------------------------------


def test_a_node_without_a_vector_is_named(bank: Bank) -> None:
    with tenancy.scope(bank.tenant_id):
        _, _, fact, _ = sound(bank)
        Vector.objects.filter(node=fact)._raw_delete("default")
    assert told(verify(integrity.verify_vectors, bank)) == [
        ("no vector of the encoder that is set", fact.sha)
    ]


def test_a_vector_of_another_recipe_does_not_count(bank: Bank) -> None:
    with tenancy.scope(bank.tenant_id):
        _, _, fact, _ = sound(bank)
        Vector.objects.filter(node=fact).update(level=Level.L1)
        as_rows("UPDATE memory_vector SET recipe = 'older' WHERE node_id = %s", fact.pk)
    assert verify(integrity.verify_vectors, bank).found == 1


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ("embedding = l2_normalize(embedding) + embedding", "a vector that is not of unit length"),
        ("level = 'L2'", "a vector of another bank or level"),
    ],
)
def test_a_bad_vector_is_named(bank: Bank, damage: str, reason: str) -> None:
    with tenancy.scope(bank.tenant_id):
        _, _, fact, _ = sound(bank)
        as_rows(f"UPDATE memory_vector SET {damage} WHERE node_id = %s", fact.pk)
    assert told(verify(integrity.verify_vectors, bank)) == [(reason, fact.sha)]


def test_a_vector_of_another_size_is_named(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no index of the recipe refuses it."""
    with tenancy.scope(bank.tenant_id):
        sound(bank)
    known = registry.encoder().recipe
    shorter = SimpleNamespace(recipe=Recipe(known.name, known.dimensions // 2))
    monkeypatch.setattr(registry, "encoder", lambda: shorter)
    verified = verify(integrity.verify_vectors, bank)
    assert {fault.reason for fault in verified.faults} == {"a vector of another size"}
    assert verified.found == 4


def test_a_vector_without_a_node_is_named(committed_db: None) -> None:
    bank = make_bank(make_org(), "ops")
    orphan = uuid4()
    with without_constraints("memory_vector", "memory_vector_node_id_fk"):
        with tenancy.scope(bank.tenant_id):
            Vector.objects.create(
                tenant_id=bank.tenant_id,
                bank=bank,
                node_id=orphan,
                level=Level.L1,
                recipe=registry.encoder().recipe.name,
                embedding=[1.0] + [0.0] * 63,
            )
        verified = verify(integrity.verify_vectors, bank)
    assert told(verified) == [("a vector without a node", str(orphan))]


# -- chunks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [Level.L0, Level.R])
def test_a_text_that_is_not_its_slice_is_named(bank: Bank, level: Level) -> None:
    with tenancy.scope(bank.tenant_id):
        sound(bank)
        node = Node.objects.get(level=level)
        Node.objects.filter(pk=node.pk).update(char_start=node.char_start + 1)
    assert told(verify(integrity.verify_chunks, bank)) == [
        ("its document reads otherwise at its place", node.sha)
    ]


def test_a_fact_in_its_own_words_stands_inside_its_passage(bank: Bank) -> None:
    with tenancy.scope(bank.tenant_id):
        _, _, fact, _ = sound(bank)
        Node.objects.filter(pk=fact.pk).update(text="Alice is the author.")
        assert integrity.verify_chunks([bank.pk]).found == 0
        Node.objects.filter(pk=fact.pk).update(char_end=len(NOTE) + 1)
    assert told(verify(integrity.verify_chunks, bank)) == [
        ("its place is in none of its passages", fact.sha)
    ]


def test_a_passage_without_its_document_is_named(bank: Bank) -> None:
    with tenancy.scope(bank.tenant_id):
        _, raw, *_ = sound(bank)
        Node.objects.filter(pk=raw.pk).update(document_id=uuid4())
    assert told(verify(integrity.verify_chunks, bank)) == [("its document does not exist", raw.sha)]


def test_more_faults_than_are_told_are_counted(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(integrity, "MOST_TOLD", 2)
    with tenancy.scope(bank.tenant_id):
        sound(bank)
        Vector.objects.filter(bank=bank)._raw_delete("default")
    verified = verify(integrity.verify_vectors, bank)
    assert (verified.found, len(verified.faults)) == (4, 2)


def as_rows(statement: str, node_id: UUID) -> None:
    with connections["default"].cursor() as cursor:
        cursor.execute(statement, [node_id])
