"""Verifying banks: every fault is named, and a sound bank has none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connections
from django.utils import timezone

from memory import integrity, keyword_packing, keywords, tenancy, vectors
from memory.backends import registry
from memory.integrity import Verified, records
from memory.language.text import content_hash
from memory.models import (
    Bank,
    Document,
    Edge,
    EdgeType,
    Level,
    Node,
    Term,
    TermBlock,
    TermStatistics,
    Vector,
)
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
    copy = make_document(bank, "copy", FACT)
    raw_copy = place_node(copy, FACT, level=Level.L0)
    fact = place_node(document, FACT, chunk_id=raw.pk)
    again = place_node(copy, FACT, chunk_id=raw_copy.pk)
    seen = add_node(bank, FACT, level=Level.L2, proof_count=2)
    place_node(document, "It was short.", level=Level.R)
    link(fact, raw)
    link(again, raw_copy)
    link(seen, fact)
    link(seen, again)
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


def test_a_fact_that_lost_the_edge_to_its_passage_is_named(bank: Bank) -> None:
    with tenancy.scope(bank.tenant_id):
        _, raw, fact, _ = sound(bank)
        Edge.objects.filter(child=fact, parent=raw)._raw_delete("default")
    assert told(verify(integrity.verify_edges, bank)) == [
        ("it is not derived from the passage that it names", fact.sha, raw.sha)
    ]


# -- keywords -------------------------------------------------------------------------------------


def packed(bank: Bank) -> tuple[Node, Node]:
    """A sound bank whose index lies in blocks: a passage and a fact of it."""
    _, raw, fact, _ = sound(bank)
    for level in Level:
        keyword_packing.pack(bank.pk, level)
    return raw, fact


def in_rows(bank: Bank) -> tuple[Node, Node]:
    _, raw, fact, _ = sound(bank)
    return raw, fact


@pytest.mark.parametrize("lay", [in_rows, packed])
def test_a_bank_whose_postings_are_gone_names_every_node(
    bank: Bank, lay: Callable[[Bank], object]
) -> None:
    with tenancy.scope(bank.tenant_id):
        lay(bank)
        Term.objects.all()._raw_delete("default")
        TermBlock.objects.all()._raw_delete("default")
        TermStatistics.objects.all()._raw_delete("default")
        shas = set(Node.objects.values_list("sha", flat=True))
    verified = verify(integrity.verify_keywords, bank)
    assert (verified.found, verified.rows) == (6, 6)
    assert set(told(verified)) == {("it is not in the keyword index", sha) for sha in shas}


@pytest.mark.parametrize("lay", [in_rows, packed])
def test_a_node_that_lost_one_of_its_terms_is_named(
    bank: Bank, lay: Callable[[Bank], tuple[Node, Node]]
) -> None:
    with tenancy.scope(bank.tenant_id):
        raw, _ = lay(bank)
        (term,) = keywords.count("Monday", "en")
        Term.objects.filter(term=term)._raw_delete("default")
        TermBlock.objects.filter(term=term)._raw_delete("default")
    whole = raw.term_count
    assert told(verify(integrity.verify_keywords, bank)) == [
        (f"the keyword index has {whole - 1} of its {whole} terms", raw.sha)
    ]


def test_a_packed_node_that_is_indexed_again_is_named(bank: Bank) -> None:
    with tenancy.scope(bank.tenant_id):
        raw, _ = packed(bank)
        keywords.add(bank.pk, Level.L0, [(raw, keywords.count(raw.text, "en"))])
    assert told(verify(integrity.verify_keywords, bank)) == [
        ("it is twice in the keyword index", raw.sha)
    ]


def test_a_packed_node_that_was_indexed_anew_or_is_gone_is_sound(bank: Bank) -> None:
    with tenancy.scope(bank.tenant_id):
        raw, fact = packed(bank)
        keywords.remove([raw.pk])
        keywords.add(bank.pk, Level.L0, [(raw, keywords.count(raw.text, "en"))])
        Node.objects.filter(pk=fact.pk)._raw_delete("default")
    assert verify(integrity.verify_keywords, bank).faults == ()


def test_a_length_that_is_not_that_of_the_terms_is_named(bank: Bank) -> None:
    with tenancy.scope(bank.tenant_id):
        _, _, fact, _ = sound(bank)
        Node.objects.filter(pk=fact.pk).update(term_count=50)
    assert told(verify(integrity.verify_keywords, bank)) == [
        (f"it counts 50 terms, the keyword index {fact.term_count}", fact.sha)
    ]


def test_statistics_that_disagree_with_the_postings_are_named(bank: Bank) -> None:
    with tenancy.scope(bank.tenant_id):
        _, fact = packed(bank)
        TermStatistics.objects.filter(level=Level.L2).update(nodes=1_000)
    (fault,) = verify(integrity.verify_keywords, bank).faults
    assert fault.pair == (f"bank {bank.pk}",)
    length = fact.term_count
    assert fault.detail == f"L2: 1000 nodes with {length} terms, not 1 with {length}"


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
    assert verified.found == 6


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
        node = Node.objects.filter(level=level).earliest("number")
        Node.objects.filter(pk=node.pk).update(char_start=node.char_start + 1)
    assert told(verify(integrity.verify_chunks, bank)) == [
        ("its document reads otherwise at its place", node.sha)
    ]


def test_a_fact_in_its_own_words_stands_inside_its_passage(bank: Bank) -> None:
    with tenancy.scope(bank.tenant_id):
        _, _, fact, _ = sound(bank)
        text = "Alice is the author."
        Node.objects.filter(pk=fact.pk).update(text=text, sha=content_hash(text))
        assert integrity.verify_chunks([bank.pk]).found == 0
        Node.objects.filter(pk=fact.pk).update(char_end=len(NOTE) + 1)
    assert told(verify(integrity.verify_chunks, bank)) == [
        ("its place is in none of its passages", content_hash(text))
    ]


def test_a_passage_without_its_document_is_named(bank: Bank) -> None:
    with tenancy.scope(bank.tenant_id):
        _, raw, fact, _ = sound(bank)
        Node.objects.filter(pk=raw.pk).update(document_id=uuid4())
    assert told(verify(integrity.verify_chunks, bank)) == [
        ("its document does not exist", raw.sha),
        ("the passage that it names is none of its document", fact.sha),
    ]


def test_a_fact_that_names_no_passage_is_named(bank: Bank) -> None:
    with tenancy.scope(bank.tenant_id):
        _, _, fact, _ = sound(bank)
        Node.objects.filter(pk=fact.pk).update(chunk_id=None)
    assert told(verify(integrity.verify_chunks, bank)) == [("it names no passage", fact.sha)]


def test_a_fact_that_is_of_no_document_needs_no_passage(bank: Bank) -> None:
    with tenancy.scope(bank.tenant_id):
        add_node(bank, FACT)
    assert verify(integrity.verify_chunks, bank).faults == ()
    assert verify(integrity.verify_edges, bank).faults == ()


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("damage", [{"sha": "0" * 64}, {"text": "Nobody wrote it."}])
def test_words_and_their_hash_have_to_agree(
    bank: Bank, level: Level, damage: dict[str, str]
) -> None:
    with tenancy.scope(bank.tenant_id):
        sound(bank)
        node = Node.objects.filter(level=level).earliest("number")
        Node.objects.filter(pk=node.pk).update(**damage)
    reason = "its hash is not that of its words"
    assert (reason, damage.get("sha", node.sha)) in told(verify(integrity.verify_chunks, bank))


@pytest.mark.parametrize(
    "above",
    [
        {"lead": "Priya, 6 May 2024", "heading_path": ["Ops", "", "Größe"]},
        {"lead": "", "heading_path": [""]},
        {"lead": "What did\nshe say?"},
    ],
)
def test_a_hash_is_of_all_that_is_indexed(bank: Bank, above: dict[str, Any]) -> None:
    with tenancy.scope(bank.tenant_id):
        node = add_node(bank, FACT, **above)
        node.sha = content_hash(vectors.indexed_text(node))
        node.save()
    assert verify(integrity.verify_chunks, bank).faults == ()


def test_more_faults_than_are_told_are_counted(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MOST_TOLD", 2)
    with tenancy.scope(bank.tenant_id):
        sound(bank)
        Vector.objects.filter(bank=bank)._raw_delete("default")
    verified = verify(integrity.verify_vectors, bank)
    assert (verified.found, len(verified.faults)) == (6, 2)


def as_rows(statement: str, node_id: UUID) -> None:
    with connections["default"].cursor() as cursor:
        cursor.execute(statement, [node_id])


# -- observations ---------------------------------------------------------------------------------


def other_words(fact: Node, seen: Node) -> list[tuple[str, ...]]:
    Node.objects.filter(pk=fact.pk).update(text="Bob wrote the summary.", sha="0" * 64)
    return [("no facts of two documents say it alike in its tags", seen.sha)]


def taken_out(fact: Node, seen: Node) -> list[tuple[str, ...]]:
    Node.objects.filter(pk=fact.pk).update(trust=0, superseded_at=timezone.now())
    return [("no facts of two documents say it alike in its tags", seen.sha)]


def other_tags(fact: Node, seen: Node) -> list[tuple[str, ...]]:
    Node.objects.filter(pk=fact.pk).update(tags=["a"])
    return [("no facts of two documents say it alike in its tags", seen.sha)]


def other_count(fact: Node, seen: Node) -> list[tuple[str, ...]]:
    Node.objects.filter(pk=seen.pk).update(proof_count=3)
    return [("it counts other documents than it has", seen.sha)]


def own_words(fact: Node, seen: Node) -> list[tuple[str, ...]]:
    Node.objects.filter(pk=seen.pk).update(text="Bob wrote the summary.", sha="0" * 64)
    return [("its words are of none of its sources", "0" * 64)]


def a_stranger(fact: Node, seen: Node) -> list[tuple[str, ...]]:
    text = "Bob reads the summary."
    stranger = place_node(make_document(seen.bank, "other", text), text)
    link(seen, stranger)
    return [("a source says something else", seen.sha, stranger.sha)]


@pytest.mark.parametrize(
    "damage", [other_words, taken_out, other_tags, other_count, own_words, a_stranger]
)
def test_an_observation_that_does_not_agree_with_its_sources_is_named(
    bank: Bank, damage: Callable[[Node, Node], list[tuple[str, ...]]]
) -> None:
    with tenancy.scope(bank.tenant_id):
        _, _, fact, seen = sound(bank)
        expected = damage(fact, seen)
    assert told(verify(integrity.verify_observations, bank)) == expected
