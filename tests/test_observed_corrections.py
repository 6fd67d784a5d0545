"""Observations whose sources are corrected, taken out or removed: they say what their sources say."""

from __future__ import annotations

from typing import Any

import pytest

from memory import curating, tenancy
from memory.curating import MemoryEdit
from memory.errors import InvalidMemory
from memory.levels import EdgeType, Level
from memory.models import (
    Bank,
    BankKind,
    ChangeKind,
    Document,
    Edge,
    Entity,
    MemoryChange,
    Node,
    NodeEntity,
)
from memory.retain import changing, engine
from memory.retain.items import RetainItem
from tests.factories import Org, make_org

pytestmark = pytest.mark.django_db

OPENS = "The depot in Lyon opens at 7 every weekday."
BANANAS = "Bananas are rich in potassium."


class Case:
    def __init__(self, org: Org) -> None:
        self.org, self.tenant_id = org, org.tenant.pk
        with tenancy.scope(self.tenant_id):
            self.bank = Bank.objects.create(tenant=org.tenant, name="w", kind=BankKind.MEMORY)

    def retain(self, name: str, content: str, **fields: Any) -> None:
        item = RetainItem(content=content, document_name=name, **fields)
        engine.retain(self.bank.pk, [item], tenant_id=self.tenant_id)

    def fact(self, document: str) -> Node:
        with tenancy.scope(self.tenant_id):
            of = Document.objects.get(bank=self.bank, name=document)
            return Node.objects.get(document_id=of.pk, level=Level.L1)

    def change(self, document: str, **edit: Any) -> Node:
        who = {"tenant_id": self.tenant_id, "changed_by": self.org.admin.user_id}
        curating.change(self.bank.pk, self.fact(document).pk, MemoryEdit(**edit), **who)
        return self.fact(document)

    def observed(self) -> list[tuple[str, int, set[str]]]:
        """What each observation says, its proofs, and the documents of its sources."""
        with tenancy.scope(self.tenant_id):
            names = dict(Document.objects.values_list("pk", "name"))
            return [
                (made.text, made.proof_count, {names[one.document_id] for one in sources(made)})
                for made in Node.objects.filter(bank=self.bank, level=Level.L2).order_by("text")
            ]


def sources(observation: Node) -> list[Node]:
    edges = Edge.objects.filter(child_id=observation.pk, type=EdgeType.DERIVED_FROM)
    return list(Node.objects.filter(pk__in=edges.values("parent_id")))


@pytest.fixture
def case() -> Case:
    return Case(make_org())


@pytest.fixture
def said_twice(case: Case) -> Case:
    case.retain("a", OPENS)
    case.retain("b", OPENS)
    assert case.observed() == [(OPENS, 2, {"a", "b"})]
    return case


@pytest.mark.parametrize("document", ["a", "b"])
def test_observation_goes_when_one_of_two_sources_is_corrected(
    said_twice: Case, document: str
) -> None:
    said_twice.change(document, text=BANANAS)
    assert said_twice.observed() == []


def test_corrected_source_leaves_an_observation_that_others_prove(said_twice: Case) -> None:
    said_twice.retain("c", OPENS)
    said_twice.change("c", text=BANANAS)
    assert said_twice.observed() == [(OPENS, 2, {"a", "b"})]


def test_corrected_source_joins_what_it_says_now(said_twice: Case) -> None:
    said_twice.retain("c", OPENS)
    said_twice.retain("d", BANANAS)
    said_twice.change("c", text=BANANAS)
    assert said_twice.observed() == [(BANANAS, 2, {"c", "d"}), (OPENS, 2, {"a", "b"})]


def test_source_that_is_corrected_back_is_a_source_again(said_twice: Case) -> None:
    said_twice.change("b", text=BANANAS)
    said_twice.change("b", text=OPENS)
    assert said_twice.observed() == [(OPENS, 2, {"a", "b"})]


def test_sources_that_only_a_corrected_one_held_together_go_two_ways(case: Case) -> None:
    every = "The crew paints the north wall white and grey on dry summer mornings early."
    one = "The crew paints the north wall white and grey on summer mornings."
    other = "The crew paints the north wall white on dry summer mornings early."
    for name, text in (("a", one), ("b", one), ("m", every), ("x", other), ("y", other)):
        case.retain(name, text)
    assert [documents for *_, documents in case.observed()] == [{"a", "b", "m", "x", "y"}]
    case.change("m", text=BANANAS)
    assert case.observed() == [(one, 2, {"a", "b"}), (other, 2, {"x", "y"})]


@pytest.mark.parametrize("document", ["a", "b"])
def test_observation_goes_when_one_of_two_sources_is_taken_out(
    said_twice: Case, document: str
) -> None:
    said_twice.change(document, is_valid=False)
    assert said_twice.observed() == []
    said_twice.change(document, is_valid=True)
    assert said_twice.observed() == [(OPENS, 2, {"a", "b"})]


def test_source_that_is_taken_out_leaves_what_others_prove(said_twice: Case) -> None:
    said_twice.retain("c", OPENS)
    said_twice.change("a", is_valid=False)
    assert said_twice.observed() == [(OPENS, 2, {"b", "c"})]


def test_source_that_is_removed_leaves_what_others_prove(said_twice: Case) -> None:
    said_twice.retain("c", OPENS)
    with tenancy.scope(said_twice.tenant_id):
        changing.delete_memory(said_twice.bank.pk, said_twice.fact("a").pk)
    assert said_twice.observed() == [(OPENS, 2, {"b", "c"})]


def test_observation_mentions_whom_its_sources_mention_now(said_twice: Case) -> None:
    said_twice.change("a", entities=("Norma Quill",))
    said_twice.change("b", entities=())
    with tenancy.scope(said_twice.tenant_id):
        made = Node.objects.get(bank=said_twice.bank, level=Level.L2)
        named = NodeEntity.objects.filter(node_id=made.pk).values("entity_id")
        assert [one.name for one in Entity.objects.filter(pk__in=named)] == ["Norma Quill"]


def test_correction_that_adds_a_rival_leaves_the_observation_to_the_others(case: Case) -> None:
    for name in "abc":
        case.retain(name, "The gate code is 4711.")
    case.change("c", text="The gate code is 4712.")
    assert case.observed() == [("The gate code is 4711.", 2, {"a", "b"})]
    assert case.fact("c").superseded_at is not None


# -- put back into force -------------------------------------------------------------------------


def test_memory_that_lost_to_another_is_not_put_back_by_a_word(case: Case) -> None:
    case.retain("a", "The gate code is 4711.", timestamp="2024-03-01")
    case.retain("b", "The gate code is 4712.", timestamp="2024-04-01")
    lost = case.fact("a")
    assert lost.superseded_at is not None
    with pytest.raises(InvalidMemory, match=r"says otherwise and holds: “The gate code is 4712\.”"):
        case.change("a", is_valid=True)
    with tenancy.scope(case.tenant_id):
        assert not MemoryChange.objects.exists()
    case.change("b", is_valid=False)
    assert case.fact("a").superseded_at is None


def test_memory_that_would_lose_stays_out_with_its_history(case: Case) -> None:
    case.retain("a", "The gate code is 4711.", timestamp="2024-03-01")
    case.change("a", is_valid=False)
    case.retain("b", "The gate code is 4712.", timestamp="2024-04-01")
    with pytest.raises(InvalidMemory):
        case.change("a", is_valid=True)
    with tenancy.scope(case.tenant_id):
        kinds = list(MemoryChange.objects.values_list("kind", flat=True))
    assert kinds == [ChangeKind.INVALIDATED]


def test_taking_out_what_had_lost_is_in_its_history(case: Case) -> None:
    case.retain("a", "The gate code is 4711.", timestamp="2024-03-01")
    case.retain("b", "The gate code is 4712.", timestamp="2024-04-01")
    case.change("a", is_valid=False)
    case.change("b", is_valid=False)
    assert case.fact("a").superseded_at is not None
    with tenancy.scope(case.tenant_id):
        assert MemoryChange.objects.filter(node=case.fact("a")).count() == 1


@pytest.mark.parametrize("text", ["?!", "…", " ", "\u200b"])
def test_memory_is_not_corrected_to_no_words(case: Case, text: str) -> None:
    case.retain("a", OPENS)
    with pytest.raises(InvalidMemory, match="letter or digit"):
        case.change("a", text=text)
