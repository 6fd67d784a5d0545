"""Retaining content: documents, raw passages, facts, and what stays of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError
from psycopg.errors import DeadlockDetected

from memory import tenancy
from memory.backends.extractors.fake import FakeExtractor
from memory.errors import BankNotFound, DocumentNotFound, ExtractionFailed, InvalidMemory
from memory.facts.records import Excerpt, Extracted, Mention
from memory.levels import EdgeType, Level
from memory.models import Bank, BankKind, Document, Edge, Node, NodeTag, Term, Vector
from memory.retain import changing, engine, writing
from memory.retain.encoding import Encoding
from memory.retain.items import DocumentChange, Retained, RetainItem, UpdateMode
from tests.factories import make_org

pytestmark = pytest.mark.django_db

DEPOT = "The depot opens at 7. It closes at noon on Fridays."
TURNS = (
    {"speaker": "Ana", "content": "Where do you work now?"},
    {"speaker": "Ben", "content": "At the mill, since March."},
)


@pytest.fixture
def bank() -> Iterator[Bank]:
    org = make_org()
    with tenancy.scope(org.tenant.pk):
        yield Bank.objects.create(tenant=org.tenant, name="work", kind=BankKind.MEMORY)


def retain(bank: Bank, content: Any, **fields: Any) -> Retained:
    return engine.retain(bank.pk, [RetainItem(content=content, **fields)])


def facts(bank: Bank) -> list[Node]:
    return list(Node.objects.filter(bank=bank, level=Level.L1).order_by("document_id", "ordinal"))


def test_content_becomes_passage_and_facts_with_terms_and_vectors(bank: Bank) -> None:
    made = retain(bank, DEPOT, document_name="depot")

    document = Document.objects.get(bank=bank)
    assert (document.name, document.text) == ("depot", DEPOT)
    nodes = list(Node.objects.filter(bank=bank).order_by("level", "ordinal"))
    assert [(node.level, node.text) for node in nodes] == [
        ("L0", DEPOT),
        ("L1", "The depot opens at 7."),
        ("L1", "It closes at noon on Fridays."),
    ]
    assert all(DEPOT[node.char_start : node.char_end] == node.text for node in nodes)
    assert nodes[2].lead == "The depot opens at 7."
    assert made.fact_ids == (nodes[1].pk, nodes[2].pk)
    assert {vector.node_id for vector in Vector.objects.filter(bank=bank)} == {
        node.pk for node in nodes
    }
    assert {term.node_id for term in Term.objects.filter(bank=bank, term="depot")} == {
        node.pk for node in nodes
    }


def test_fact_is_derived_from_its_passage(bank: Bank) -> None:
    retain(bank, DEPOT)
    passage = Node.objects.get(bank=bank, level=Level.L0)
    edges = Edge.objects.filter(bank=bank, type=EdgeType.DERIVED_FROM)
    assert {edge.child_id for edge in edges} == {fact.pk for fact in facts(bank)}
    assert {edge.parent_id for edge in edges} == {passage.pk}
    assert {fact.chunk_id for fact in facts(bank)} == {passage.pk}


def test_turn_keeps_who_says_it_and_what_it_answers(bank: Bank) -> None:
    retain(bank, TURNS, timestamp="2023-05-08T13:56:00")
    document = Document.objects.get(bank=bank)
    assert document.text == "Ana: Where do you work now?\nBen: At the mill, since March."
    answer = facts(bank)[1]
    assert (answer.text, answer.speaker) == ("At the mill, since March.", "Ben")
    assert answer.lead == "Ana: Where do you work now?\nBen, 8 May 2023"
    assert document.text[answer.char_start : answer.char_end] == answer.text


def test_same_document_again_changes_nothing(bank: Bank) -> None:
    first = retain(bank, DEPOT, document_name="depot", tags=("a",))
    before = list(Node.objects.filter(bank=bank).order_by("pk").values())
    again = retain(bank, DEPOT, document_name="depot", tags=("a",))
    assert again.documents[0].change is DocumentChange.UNCHANGED
    assert again.fact_ids == first.fact_ids
    assert list(Node.objects.filter(bank=bank).order_by("pk").values()) == before


def test_content_without_a_name_is_one_memory_in_one_scope(bank: Bank) -> None:
    first = retain(bank, DEPOT, tags=("a",))
    again = retain(bank, DEPOT, tags=("a",))
    other = retain(bank, DEPOT, tags=("b",))
    assert first.fact_ids == again.fact_ids
    assert set(first.fact_ids).isdisjoint(other.fact_ids)
    assert Document.objects.filter(bank=bank).count() == 2


def test_replacing_keeps_the_nodes_of_unchanged_sentences(bank: Bank) -> None:
    first = retain(bank, DEPOT, document_name="depot")
    again = retain(bank, "New. " + DEPOT + " Ask Ana.", document_name="depot")
    assert again.documents[0].change is DocumentChange.UPDATED
    assert set(first.fact_ids) < set(again.fact_ids)
    document = Document.objects.get(bank=bank)
    for fact in facts(bank):
        assert document.text[fact.char_start : fact.char_end] == fact.text


def test_replacing_forgets_what_is_gone(bank: Bank) -> None:
    retain(bank, DEPOT, document_name="depot")
    retain(bank, "The mill burnt down.", document_name="depot")
    assert [fact.text for fact in facts(bank)] == ["The mill burnt down."]
    assert not Term.objects.filter(bank=bank, term="depot").exists()


def test_appending_adds_and_keeps(bank: Bank) -> None:
    first = retain(bank, DEPOT, document_name="depot")
    retain(bank, "Ana has the key.", document_name="depot", update_mode=UpdateMode.APPEND)
    document = Document.objects.get(bank=bank)
    assert document.text == DEPOT + "\n\nAna has the key."
    assert [fact.pk for fact in facts(bank)][:2] == list(first.fact_ids)
    for fact in facts(bank):
        assert document.text[fact.char_start : fact.char_end] == fact.text


def test_tags_of_item_and_request_are_merged_and_follow_a_change(bank: Bank) -> None:
    engine.retain(
        bank.pk, [RetainItem(content=DEPOT, document_name="d", tags=("b",))], document_tags=("a",)
    )
    assert set(NodeTag.objects.values_list("tag", flat=True)) == {"a", "b"}
    retain(bank, DEPOT, document_name="d", tags=("c",))
    assert set(NodeTag.objects.values_list("tag", flat=True)) == {"c"}
    assert all(fact.tags == ["c"] for fact in facts(bank))


def test_items_of_one_name_are_one_document(bank: Bank) -> None:
    engine.retain(
        bank.pk,
        [
            RetainItem(content="Ana has the key.", document_name="d"),
            RetainItem(content="Ben has the car.", document_name="d"),
        ],
    )
    assert Document.objects.get(bank=bank).text == "Ana has the key.\n\nBen has the car."
    assert [fact.text for fact in facts(bank)] == ["Ana has the key.", "Ben has the car."]


@pytest.mark.parametrize("content", ["", " \n", "\u200b", [], [{"role": "user", "content": " "}]])
def test_content_without_a_word_is_refused(bank: Bank, content: Any) -> None:
    with pytest.raises(InvalidMemory):
        retain(bank, content)
    assert not Document.objects.filter(bank=bank).exists()


def test_bank_of_pages_is_refused(bank: Bank) -> None:
    pages = Bank.objects.create(tenant_id=bank.tenant_id, name="pages", kind=BankKind.PAGES)
    with pytest.raises(BankNotFound):
        retain(pages, DEPOT)


def test_fc_54_times_with_and_without_zone_are_stored_with_one(bank: Bank) -> None:
    for number, time in enumerate(
        ("2025-09-21T10:00:00", "2025-09-21T10:00:00+02:00", "2025-09-21")
    ):
        retain(bank, f"Fact number {number} is here.", timestamp=time)
    stored = Node.objects.filter(bank=bank, level=Level.L1).order_by("mentioned_at")
    assert [node.text[12] for node in stored] == ["2", "1", "0"]
    assert all(node.mentioned_at and node.mentioned_at.tzinfo for node in stored)


def test_fc_58_nul_is_gone_before_anything_is_counted(bank: Bank) -> None:
    retain(
        bank, "Key \x00is red. The lock\x00 is blue.", metadata={"a\x00": "b\x00"}, tags=("t\x00",)
    )
    fact = facts(bank)[1]
    document = Document.objects.get(bank=bank)
    assert document.text[fact.char_start : fact.char_end] == "The lock is blue."
    assert (fact.metadata, fact.tags) == ({"a": "b"}, ["t"])


def test_fc_59_half_a_surrogate_pair_is_replaced(bank: Bank) -> None:
    retain(bank, "The fee \ud83d is 7 euros.", metadata={"k": "\udc8f"}, tags=("\ud83d\ude00",))
    fact = facts(bank)[0]
    assert fact.text == "The fee \ufffd is 7 euros."
    assert fact.metadata == {"k": "\ufffd"}


def test_fc_63_empty_sections_make_no_blank_node(bank: Bank) -> None:
    retain(bank, "# A\n\n\n## B\n\n\n\n## C\nThe text is here.")
    assert [(fact.text, fact.heading_path) for fact in facts(bank)] == [
        ("The text is here.", ["A", "C"])
    ]


def reprocess(bank: Bank, name: str) -> Retained:
    return changing.reprocess(bank.tenant_id, bank.pk, name)


@pytest.mark.parametrize("content", [DEPOT, TURNS, "# A\n## B\nThe text is here. It is short."])
@pytest.mark.parametrize("timestamp", [None, "2023-05-08T13:56:00", "unset"])
def test_reprocessing_by_the_same_rules_keeps_every_node(
    bank: Bank, content: Any, timestamp: str | None
) -> None:
    made = retain(bank, content, document_name="d", timestamp=timestamp, tags=("t",))
    retain(
        bank,
        "Ana has the key. It is red.",
        document_name="d",
        timestamp="2024-01-01",
        context="later",
        update_mode=UpdateMode.APPEND,
    )
    before = rows(bank)
    again = reprocess(bank, "d")
    assert set(made.fact_ids) < set(again.fact_ids)
    assert rows(bank) == before


def rows(bank: Bank) -> list[dict[str, Any]]:
    found = list(Node.objects.filter(bank=bank).order_by("pk").values())
    return [row | {"updated_at": None} for row in found]


def test_reprocessing_what_is_not_there_is_refused(bank: Bank) -> None:
    with pytest.raises(DocumentNotFound):
        reprocess(bank, "gone")


def test_unchanged_passages_are_not_read_again_by_a_model(bank: Bank) -> None:
    model = FakeExtractor()
    first, other = ("\n".join(f"{word} number {n} says it." for n in range(90)) for word in "AB")

    def keep(content: str) -> Retained:
        items = [RetainItem(content=content, document_name="d")]
        return engine.retain(bank.pk, items, extractor=model)

    made = keep(first)
    assert model.calls == len(made.documents[0].passage_ids) > 1
    keep(first)
    calls = model.calls
    again = keep(first + "\n" + other)
    assert 0 < model.calls - calls < len(again.documents[0].passage_ids)
    assert len(set(made.fact_ids) & set(again.fact_ids)) > len(made.fact_ids) // 2
    document = Document.objects.get(bank=bank)
    assert all(document.text[f.char_start : f.char_end] == f.text for f in facts(bank))


def test_writer_that_is_overtaken_does_not_ask_its_model_again(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    add, calls = Encoding.add, []

    def overtaken(encoding: Encoding, nodes: Any, **options: Any) -> None:
        calls.append(nodes)
        if len(calls) == 1:
            retain(bank, "Somebody was first.", document_name="d")
        add(encoding, nodes, **options)

    monkeypatch.setattr(Encoding, "add", overtaken)
    model = FakeExtractor()
    item = RetainItem(content="Ana has the key.", document_name="d", update_mode=UpdateMode.APPEND)
    engine.retain(bank.pk, [item], extractor=model)
    assert model.calls == 1
    document = Document.objects.get(bank=bank)
    assert document.text == "Somebody was first.\n\nAna has the key."
    assert all(document.text[f.char_start : f.char_end] == f.text for f in facts(bank))


def test_words_that_only_a_node_that_goes_had_are_encoded_again(bank: Bank) -> None:
    class Failing(FakeExtractor):
        def extract(self, excerpt: Excerpt) -> Extracted:
            raise ExtractionFailed("no facts")

    # The passage alone holds the vector of these words, and the longer one takes its place.
    item = RetainItem(content="Gus owns a red car.", document_name="d")
    engine.retain(bank.pk, [item], extractor=Failing())
    retain(bank, "Gus owns a red car. Gus has a dog.", document_name="d")
    assert [fact.text for fact in facts(bank)] == ["Gus owns a red car.", "Gus has a dog."]
    assert Vector.objects.filter(bank=bank).count() == 3


def test_vector_that_goes_before_it_is_reused_is_made_anew(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Encoding, "_stored", lambda _, shas, __: shas)
    assert len(retain(bank, DEPOT).fact_ids) == 2
    assert Vector.objects.filter(bank=bank).count() == 3


def test_deadlock_is_tried_again_and_never_reaches_the_caller(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, calls = writing.write_nodes, []

    def loses_once(*args: Any) -> None:
        calls.append(args)
        if len(calls) == 1:
            raise OperationalError("deadlock detected") from DeadlockDetected()
        write(*args)

    monkeypatch.setattr(writing, "write_nodes", loses_once)
    assert len(retain(bank, DEPOT).fact_ids) == 2
    assert len(calls) == 2


def test_other_fault_of_the_database_is_raised_and_stores_nothing(
    bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> None:
        raise OperationalError("the server went away")

    monkeypatch.setattr(writing, "write_nodes", fails)
    with pytest.raises(OperationalError):
        retain(bank, DEPOT)
    assert not Document.objects.filter(bank=bank).exists()


def test_fact_that_stays_with_its_passage_is_not_taken_over_by_another(bank: Bank) -> None:
    model = FakeExtractor()
    filler = "\n".join(f"Filler number {n} says it." for n in range(90))

    def keep(content: str) -> Retained:
        items = [RetainItem(content=content, document_name="d")]
        return engine.retain(bank.pk, items, extractor=model)

    made = keep(f"{filler}\nThe same words.")
    again = keep(f"The same words.\nA new line.\n\n{filler}\nThe same words.")
    assert set(made.fact_ids) & set(again.fact_ids)
    document = Document.objects.get(bank=bank)
    assert "\n".join(fact.text for fact in facts(bank)) == document.text.replace("\n\n", "\n")


@pytest.mark.parametrize(
    "content",
    [
        "𝔘𝔫𝔦 " * 400,
        "家" * 6_000,
        "ก" * 6_000,
        "a" * 9_000,
        "İstanbul'da IĞDIR ŞİRKETİ ǅ ß ﬁ Ⅷ",
        "e" + "\u0301" * 600,
        "Ана: да\nБен: нет\nАна: да\nБен: нет",
        "| a row | alone |\n|---|---|\nIt opens at 7.",
        "... --- !!! 😀😀😀",
        "\u202eabc\u202c def \ufeff ghi",
        " ".join(f"Name{n} Other{n}" for n in range(300)),
        "x = [1, 2]\n\tdef f(): return {}\n" * 30,
    ],
)
def test_any_text_is_retained_with_its_offsets(bank: Bank, content: str) -> None:
    name = "名" * 500
    retain(bank, content, document_name=name, tags=("標" * 200,), context="語" * 2_000)
    document = Document.objects.get(bank=bank, name=name)
    for node in Node.objects.filter(bank=bank, level__in=(Level.L0, Level.L1)):
        assert document.text[node.char_start : node.char_end] == node.text


def test_entity_with_a_type_beyond_its_limit_is_refused(bank: Bank) -> None:
    with pytest.raises(InvalidMemory):
        retain(bank, DEPOT, entities=(Mention("Ana", "t" * 61),))


def test_time_beside_a_name_is_the_time_of_the_fact(bank: Bank) -> None:
    chat = (
        "[2024-05-03 09:12] Ana: I met Ben at the mill yesterday.\n"
        "[2024-06-04 10:00] Ben: I sold the boat."
    )
    made = retain(bank, chat, timestamp="2025-01-01")
    first, second = Node.objects.filter(pk__in=made.fact_ids).order_by("ordinal")
    assert [str(fact.mentioned_at)[:16] for fact in (first, second)] == [
        "2024-05-03 09:12",
        "2024-06-04 10:00",
    ]
    assert (first.speaker, str(first.occurred_start)[:10]) == ("Ana", "2024-05-02")
    assert second.lead.endswith("Ben, 4 June 2024")
