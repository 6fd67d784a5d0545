"""The administration of memory banks: how far it sees, what it draws, and the recall playground."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from memory import banks, tenancy
from memory.backends import registry
from memory.levels import EdgeType, Level
from memory.models import (
    Access,
    Bank,
    Document,
    Node,
    NodeEntity,
    Operation,
    OperationStatus,
    OperationType,
    Role,
)
from memory.models.banks import BankKind
from memory.retain import engine
from memory.retain.items import RetainItem
from tests import nodes
from tests.factories import Org, make_member, make_org, make_page
from tests.recalls import Scripted, reranker

pytestmark = pytest.mark.django_db

HOSTILE = '"><script>window.__hit=1</script>'
LISTS = ("bank", "node", "document", "entity", "operation")
PLAYGROUND = "admin:memory_bank_recall"


@pytest.fixture
def org() -> Org:
    return make_org()


@pytest.fixture
def client(org: Org) -> Client:
    client = Client()
    client.force_login(org.admin.user)
    return client


@pytest.fixture
def scope(org: Org) -> Iterator[None]:
    with tenancy.scope(org.tenant.pk):
        yield


@pytest.fixture
def bank(org: Org, scope: None) -> Bank:
    return banks.open_or_create(org.admin, "notes")


def list_url(model: str | None) -> str:
    return reverse(f"admin:memory_{model}_changelist")


def url_of(row: Any) -> str:
    return reverse(f"admin:memory_{row._meta.model_name}_change", args=[row.pk])


def shown(response: Any) -> str:
    assert response.status_code == 200
    return str(response.content.decode())


def page(client: Client, url: str, query: dict[str, Any] | None = None) -> str:
    return shown(client.get(url, query or {}))


def chain(bank: Bank) -> tuple[Node, Node, Node]:
    """A passage, a fact taken from it, and an observation on that."""
    document = nodes.make_document(bank, "talk", "Bob said: I play the cello.")
    passage = nodes.add_node(
        bank, "Bob said: I play the cello.", level=Level.L0, document_id=document.pk
    )
    fact = nodes.add_node(bank, "Bob plays the cello.", document_id=document.pk)
    belief = nodes.add_node(bank, "Bob is a musician.", level=Level.L2)
    nodes.link(fact, passage)
    nodes.link(belief, fact)
    return passage, fact, belief


def make_operation(bank: Bank, status: OperationStatus, **fields: Any) -> Operation:
    return Operation.objects.create(
        tenant_id=bank.tenant_id,
        bank=bank,
        type=OperationType.CONSOLIDATION,
        status=status,
        **fields,
    )


# --- How far it sees --------------------------------------------------------------------------


def test_bank_of_the_pages_is_in_no_list_and_has_no_address(
    org: Org, client: Client, scope: None
) -> None:
    make_page(org, "The pages speak of wyverns.", title="Wyverns")
    pages = Bank.objects.get(kind=BankKind.PAGES)
    passage = Node.objects.filter(bank=pages).first()
    assert passage is not None
    assert "wyverns" not in page(client, list_url("node"))
    for row in (pages, passage):
        assert client.get(url_of(row)).status_code == 302  # to the list: not there
        page(client, list_url("bank"))  # which says so, with the id
    form = page(client, reverse(PLAYGROUND))
    assert str(pages.pk) not in form


def test_private_bank_of_another_shows_its_numbers_and_none_of_its_words(
    org: Org, client: Client, scope: None
) -> None:
    diary = banks.open_or_create(org.reader, "diary", access=Access.PRIVATE)
    Bank.objects.filter(pk=diary.pk).update(mission="Keep the grimword.")
    [document] = engine.retain(
        diary.pk, [RetainItem(content="The grimword is buried.", document_name="grimword.md")]
    ).documents
    entity = nodes.mention("Grimword", Node.objects.get(pk=document.fact_ids[0]))
    operation = make_operation(diary, OperationStatus.COMPLETED, result={"documents": ["grimword"]})
    detail = page(client, url_of(diary))
    assert "A private bank" in detail
    assert "diary" in page(client, list_url("bank"))
    for text in (
        detail,
        page(client, url_of(operation)),
        *(page(client, list_url(model)) for model in LISTS),
        page(client, list_url("node"), {"q": "grimword"}),
        page(client, reverse(PLAYGROUND), {"bank": str(diary.pk), "q": "buried"}),
    ):
        assert not re.search("grimword is|grimword\\.|grimword<|keep the", text, re.IGNORECASE)
    for row in (
        Node.objects.get(pk=document.fact_ids[0]),
        Document.objects.get(pk=document.id),
        entity,
    ):
        assert client.get(url_of(row)).status_code == 302


def test_owner_of_a_private_bank_who_is_an_admin_reads_it(
    org: Org, client: Client, scope: None
) -> None:
    diary = banks.open_or_create(org.admin, "diary", access=Access.PRIVATE)
    node = nodes.add_node(diary, "The chest is buried.")
    assert "The chest is buried." in page(client, url_of(node))


@pytest.mark.parametrize("role", [Role.READER, Role.EDITOR])
def test_playground_and_operations_are_not_there_for_others(
    org: Org, bank: Bank, role: Role
) -> None:
    member = Client()
    member.force_login(make_member(org, role).user)
    operation = make_operation(bank, OperationStatus.FAILED)
    assert member.get(reverse(PLAYGROUND), {"bank": str(bank.pk), "q": "x"}).status_code == 404
    retry = reverse("admin:memory_operation_retry", args=[operation.pk])
    assert member.post(retry).status_code == 404
    operation.refresh_from_db()
    assert operation.status == OperationStatus.FAILED


def test_nothing_is_added_changed_or_deleted_by_hand(client: Client, bank: Bank) -> None:
    passage, *_ = chain(bank)
    for row in (bank, passage, Document.objects.get()):
        url = url_of(row)
        assert client.post(url, {"name": "other", "text": "other"}).status_code == 403
        assert client.get(url.replace("change/", "delete/")).status_code == 403
        assert client.get(list_url(row._meta.model_name) + "add/").status_code == 403


# --- Lists ------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", LISTS)
def test_list_costs_as_many_queries_for_many_rows_as_for_one(
    client: Client, bank: Bank, org: Org, model: str
) -> None:
    def fill(numbers: range) -> None:
        for number in numbers:
            other = banks.open_or_create(org.admin, f"bank {number}")
            document = nodes.make_document(other, f"document {number}", "Text.")
            node = nodes.add_node(other, f"Fact {number}.", document_id=document.pk)
            nodes.mention(f"Entity {number}", node)
            make_operation(other, OperationStatus.FAILED)

    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            page(client, list_url(model))
        return len(queries)

    fill(range(1))
    count()  # what is looked up once in a process
    few = count()
    fill(range(1, 8))
    assert count() == few


def test_memories_are_found_by_level_type_state_tag_entity_bank_and_words(
    client: Client, bank: Bank, org: Org
) -> None:
    _passage, fact, belief = chain(bank)
    other = banks.open_or_create(org.admin, "elsewhere")
    tagged = nodes.add_node(other, "The yard opens at seven.", tags=("hours",))
    lost = nodes.add_node(other, "The yard opens at eight.")
    Node.objects.filter(pk=lost.pk).update(superseded_at=lost.created_at)
    cello = nodes.mention("Cello", fact)
    for query, expected in (
        ({"level": "L2"}, [belief]),
        ({"fact_type": "observation"}, [belief]),
        ({"state": "superseded"}, [lost]),
        ({"tag": "hours"}, [tagged]),
        ({"entity": "cell"}, [fact]),
        ({"entity": str(cello.pk)}, [fact]),
        ({"bank": "elsew", "state": "current"}, [tagged]),
        ({"bank": str(other.pk), "q": "seven yard"}, [tagged]),
        ({"q": belief.sha[:10]}, [belief]),
        ({"q": str(fact.pk)}, [fact]),
        ({"level": "nonsense", "state": "nonsense", "q": "musician"}, [belief]),
    ):
        text = page(client, list_url("node"), query)
        found = {one for one in (*Node.objects.all(),) if url_of(one) in text}
        assert found == set(expected), query


def test_entities_say_how_many_current_memories_mention_them(client: Client, bank: Bank) -> None:
    _passage, fact, belief = chain(bank)
    bob = nodes.mention("Bob", fact)
    NodeEntity.objects.create(tenant_id=bank.tenant_id, node=belief, entity=bob)
    lost = nodes.add_node(bank, "Bob plays the flute.")
    Node.objects.filter(pk=lost.pk).update(superseded_at=lost.created_at)
    NodeEntity.objects.create(tenant_id=bank.tenant_id, node=lost, entity=bob)
    nodes.mention("Cello", fact)
    text = page(client, list_url("entity"))
    counts = re.findall(r"field-mention_count[^>]*>\s*(\d+)\s*<", text)
    assert sorted(counts) == ["1", "2"]
    detail = page(client, url_of(bob))
    assert "Bob is a musician." in detail
    assert "flute" not in detail
    assert "Cello" in detail


def test_what_somebody_said_names_them_wherever_it_is_shown(client: Client, bank: Bank) -> None:
    document = nodes.make_document(bank, "talk", "I play the cello.")
    passage = nodes.add_node(
        bank, "Priya: I play the cello.", level=Level.L0, document_id=document.pk
    )
    fact = nodes.add_node(
        bank,
        "I play the cello.",
        speaker="Priya",
        heading_path=["Sunday", "Music"],
        document_id=document.pk,
    )
    nodes.link(fact, passage)
    cello = nodes.mention("Cello", fact)
    listed = page(client, list_url("node"))
    assert "Priya: “I play the cello.”" in listed
    assert "Sunday › Music" in listed
    for url in map(url_of, (passage, document, cello)):
        assert "Priya: “I play the cello.”" in page(client, url), url
    with reranker({fact.text: 0.9}):
        found = ask(client, bank, "cello")
    assert found.count("Priya: “I play the cello.”") == 4, "the hit, its line twice, its row"


def test_list_without_rows_offers_nothing_that_is_not_there(client: Client, bank: Bank) -> None:
    assert "Nothing is here yet." in page(client, list_url("node"))
    assert "Nothing here matches" in page(client, list_url("node"), {"q": "cello"})


def test_bank_shows_what_it_holds_and_what_is_under_way(client: Client, bank: Bank) -> None:
    chain(bank)
    make_operation(bank, OperationStatus.FAILED, error="It broke.")
    text = page(client, url_of(bank))
    assert re.search(r"<dt>Memories</dt>\s*<dd>2</dd>", text), "facts and observations"
    for word in ("Passages", "Facts", "Observations", "derived from", "talk", "Consolidation"):
        assert word in text, word
    assert f"{reverse(PLAYGROUND)}?bank={bank.pk}" in text


def test_bank_costs_as_many_queries_however_much_it_holds(client: Client, bank: Bank) -> None:
    chain(bank)
    page(client, url_of(bank))

    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            page(client, url_of(bank))
        return len(queries)

    few = count()
    for number in range(5):
        document = nodes.make_document(bank, f"document {number}", "Text.")
        node = nodes.add_node(bank, f"Fact {number}.", document_id=document.pk)
        nodes.mention(f"Entity {number}", node)
        make_operation(bank, OperationStatus.PENDING)
    assert count() == few


# --- The drawn graph --------------------------------------------------------------------------


class Drawing(HTMLParser):
    """Links in the drawings of a page, their names, and the words along edges."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.depth, self.is_edge = 0, False
        self.links: dict[str, str] = {}
        self.edges: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "svg" and given.get("class") == "fn-graph":
            self.depth += 1
        if tag == "a" and self.depth:
            self.links[given["href"] or ""] = given.get("aria-label") or ""
        self.is_edge = tag == "text" and given.get("class") == "fn-edge-name"

    def handle_endtag(self, tag: str) -> None:
        self.is_edge = False
        if tag == "svg" and self.depth:
            self.depth -= 1

    def handle_data(self, data: str) -> None:
        if self.is_edge:
            self.edges.append(data)


def test_observation_is_drawn_down_to_its_passages(client: Client, bank: Bank) -> None:
    passage, fact, belief = chain(bank)
    text = page(client, url_of(belief))
    drawing = Drawing(text)
    assert set(drawing.links) == {url_of(fact), url_of(passage)}
    assert "Bob plays the cello." in drawing.links[url_of(fact)]  # its name for a screen reader
    assert drawing.edges == ["derived from"] * 2
    table = text[text.index("<tbody>") : text.index("</tbody>")]
    assert all(one.text in table for one in (fact, passage))


def test_passage_is_drawn_up_to_the_observations_on_it(client: Client, bank: Bank) -> None:
    passage, fact, belief = chain(bank)
    drawing = Drawing(page(client, url_of(passage)))
    assert set(drawing.links) == {url_of(fact), url_of(belief)}


def test_neighbours_are_drawn_with_the_words_of_their_edges(client: Client, bank: Bank) -> None:
    _passage, fact, _belief = chain(bank)
    old = nodes.add_node(bank, "Bob plays the flute.")
    cause = nodes.add_node(bank, "Bob inherited a cello.")
    nodes.link(fact, old, EdgeType.SUPERSEDES)
    nodes.link(old, fact, EdgeType.SEMANTIC, 0.83)
    nodes.link(cause, fact, EdgeType.CAUSES)
    bob = nodes.mention("Bob", fact)
    drawing = Drawing(page(client, url_of(fact)))
    assert {url_of(old), url_of(cause), url_of(bob)} <= set(drawing.links)
    for word in ("supersedes", "similar 0.83", "causes", "mentions"):
        assert word in drawing.edges, word


def test_reference_says_that_it_has_no_edges(client: Client, bank: Bank) -> None:
    reference = nodes.add_node(bank, "The yard opens at seven.", level=Level.R)
    text = page(client, url_of(reference))
    assert Drawing(text).links == {}
    assert "it has no edges" in text


def test_memory_costs_as_many_queries_however_many_neighbours(client: Client, bank: Bank) -> None:
    _passage, fact, belief = chain(bank)
    nodes.link(fact, nodes.add_node(bank, "Other."), EdgeType.SEMANTIC, 0.5)
    nodes.mention("Bob", fact)

    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            page(client, url_of(fact))
        return len(queries)

    count()
    few = count()
    for number in range(8):
        other = nodes.add_node(bank, f"Other {number}.", encode=False)
        nodes.link(fact, other, EdgeType.SEMANTIC, 0.5)
        nodes.link(belief, other)
        nodes.mention(f"Entity {number}", fact)
    assert count() == few


def test_fc_66_hostile_words_are_text_in_every_drawing(client: Client, bank: Bank) -> None:
    fact = nodes.add_node(bank, f"{HOSTILE} fact", tags=(HOSTILE,))
    old = nodes.add_node(bank, f"{HOSTILE} old")
    nodes.link(fact, old, EdgeType.CONTRADICTS)
    entity = nodes.mention(HOSTILE, fact)
    nodes.make_document(bank, HOSTILE, HOSTILE)
    Bank.objects.filter(pk=bank.pk).update(title=HOSTILE, mission=HOSTILE)
    asked = {"bank": str(bank.pk), "q": f"{HOSTILE} fact", "rerank": "on", "floor": "0"}
    for text in (
        page(client, url_of(fact)),
        page(client, url_of(entity)),
        page(client, url_of(bank)),
        page(client, url_of(Document.objects.get())),
        page(client, reverse(PLAYGROUND), asked),
        *(page(client, list_url(model)) for model in LISTS),
    ):
        assert "<script>window" not in text


# --- Operations -------------------------------------------------------------------------------


def test_open_work_is_called_off_and_ended_work_tried_again(client: Client, bank: Bank) -> None:
    running = make_operation(bank, OperationStatus.PROCESSING, items_count=4, items_done=1)
    assert "1 of 4 done" in page(client, url_of(running))
    client.post(reverse("admin:memory_operation_cancel", args=[running.pk]))
    running.refresh_from_db()
    assert running.status == OperationStatus.CANCELLED
    client.post(reverse("admin:memory_operation_retry", args=[running.pk]))
    running.refresh_from_db()
    assert (running.status, running.attempts) == (OperationStatus.PENDING, 0)


def test_what_has_ended_is_not_called_off(client: Client, bank: Bank) -> None:
    done = make_operation(bank, OperationStatus.COMPLETED)
    for name in ("cancel", "retry"):
        response = client.post(
            reverse(f"admin:memory_operation_{name}", args=[done.pk]), follow=True
        )
        assert "What has ended" in shown(response) or "Only what failed" in shown(response)
    done.refresh_from_db()
    assert done.status == OperationStatus.COMPLETED


def test_chosen_operations_are_retried_together(client: Client, bank: Bank) -> None:
    failed = [make_operation(bank, OperationStatus.FAILED) for _ in range(2)]
    chosen = {"action": "retry_chosen", "_selected_action": [str(one.pk) for one in failed]}
    response = client.post(list_url("operation"), chosen, follow=True)
    assert "2 operations are being tried again" in shown(response)


def test_what_was_handed_over_is_not_shown(client: Client, bank: Bank) -> None:
    held = make_operation(
        bank, OperationStatus.FAILED, payload={"items": ["grimword"]}, error="It broke."
    )
    text = page(client, url_of(held))
    assert "It broke." in text
    assert "grimword" not in text


# --- The playground ---------------------------------------------------------------------------


def ask(client: Client, bank: Bank, query: str, **fields: Any) -> str:
    given: dict[str, Any] = {"bank": str(bank.pk), "q": query, "rerank": "on", **fields}
    return page(client, reverse(PLAYGROUND), given)


def test_form_without_a_query_asks_nothing(client: Client, bank: Bank) -> None:
    text = page(client, reverse(PLAYGROUND), {"bank": str(bank.pk)})
    assert f'value="{bank.pk}" selected' in text
    assert "How ranks moved" not in text


def test_answer_shows_hits_ranks_floor_and_times(client: Client, bank: Bank) -> None:
    near = nodes.add_node(bank, "The crane carries twelve tonnes.")
    far = nodes.add_node(bank, "The crane operator likes tea.")
    with reranker({near.text: 0.9, far.text: 0.2}):
        text = ask(client, bank, "crane tonnes", floor="0.5")
    assert "1 memory" in text
    assert url_of(near) in text
    assert url_of(far) not in text
    assert "floor 0.500: 1 below, 1 above" in text
    assert 'data-run="hue-1"' in text
    assert 'data-run="below"' in text
    for heading in ("How ranks moved", "Where the floor cut", "What took how long"):
        assert heading in text
    assert text.count("As a table") == 2


def test_abstention_says_what_was_best(client: Client, bank: Bank) -> None:
    nodes.add_node(bank, "The crane carries twelve tonnes.")
    with reranker({}, default=0.1):
        text = ask(client, bank, "crane", floor="0.5")
    assert "Nothing reaches the floor of 0.500: the best is at 0.100." in text
    assert "0 memories" in text


def test_reranker_that_fails_is_said_and_nothing_is_drawn_of_it(client: Client, bank: Bank) -> None:
    nodes.add_node(bank, "The crane carries twelve tonnes.")
    with reranker(RuntimeError("away")):
        text = ask(client, bank, "crane")
    assert "The reranker failed" in text
    assert "Where the floor cut" not in text


def test_levels_ways_tags_and_number_of_hits_are_those_asked_for(
    client: Client, bank: Bank
) -> None:
    fact = nodes.add_node(bank, "The crane carries twelve tonnes.", tags=("yard",))
    other = nodes.add_node(bank, "The crane is blue.", tags=("colour",))
    section = nodes.add_node(bank, "Crane manual.", level=Level.R)
    with reranker({}, default=0.9):
        tagged = ask(client, bank, "crane", tags="yard", match="any_strict", floor="0")
        sections = ask(client, bank, "crane", levels="R", arms="keyword", floor="0")
        one = ask(client, bank, "crane", k="1", floor="0")
    assert url_of(fact) in tagged
    assert url_of(other) not in tagged
    assert url_of(section) in sections
    assert url_of(fact) not in sections
    assert ">Words</text>" in sections
    assert ">Meaning</text>" not in sections
    assert "1 memory" in one


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"q": "?"}, "at least one letter"),
        ({"bank": "nonsense"}, "not a valid UUID"),
        ({"floor": "2"}, "less than or equal to 1"),
        ({"k": "0"}, "greater than or equal to 1"),
        ({"asked_at": "whenever"}, "ISO 8601"),
        ({"start": "2026-01-01"}, "a beginning and an end"),
        ({"start": "2026-02-01", "end": "2026-01-01"}, "ends before it begins"),
        ({"levels": "L9"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_asked_is_said_beside_its_field(
    client: Client, bank: Bank, fields: dict[str, str], said: str
) -> None:
    given = {"bank": str(bank.pk), "q": "crane"} | fields
    text = page(client, reverse(PLAYGROUND), given)
    assert said in text
    assert "How ranks moved" not in text


def test_empty_bank_finds_nothing(client: Client, bank: Bank) -> None:
    assert "Nothing was found." in ask(client, bank, "crane")


def test_playground_reads_within_scopes_of_its_own_alone(org: Org, client: Client) -> None:
    """No transaction is held while a model thinks, and the template needs none."""
    with tenancy.scope(org.tenant.pk):
        bank = banks.open_or_create(org.admin, "notes")
        node = nodes.add_node(bank, "The crane carries twelve tonnes.")

    class Watching(Scripted):
        def score(self, *args: Any, **kwargs: Any) -> list[float]:
            assert tenancy.current() is None
            return super().score(*args, **kwargs)

    with patch.object(registry, "reranker", lambda: Watching({}, default=0.9)):
        assert url_of(node) in ask(client, bank, "crane")
