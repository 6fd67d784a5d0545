"""The administration of memory banks in a real browser: for every eye, every width, and every hand."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from memory import banks, tenancy
from memory.levels import EdgeType, Level
from memory.models import Bank, Document, Entity, Node, Operation, OperationStatus, OperationType
from tests import nodes
from tests.e2e.barriers import NARROW, barriers
from tests.e2e.conftest import Site

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])

HOSTILE = '"><script>window.__hit=1</script><img src=x onerror=window.__hit=1>'
LONG = "The crane carries twelve tonnes at a radius of forty metres, and no more in wind. " * 3


@dataclass(frozen=True)
class Held:
    bank: Bank
    fact: Node
    passage: Node
    belief: Node
    document: Document
    entity: Entity
    operation: Operation

    @property
    def screens(self) -> list[str]:
        rows = (
            *(self.bank, self.fact, self.passage, self.belief),
            *(self.document, self.entity, self.operation),
        )
        models = dict.fromkeys(row._meta.model_name for row in rows)
        return [
            *(reverse(f"admin:memory_{model}_changelist") for model in models),
            *(
                reverse(f"admin:memory_{row._meta.model_name}_change", args=[row.pk])
                for row in rows
            ),
            reverse("admin:memory_bank_recall"),
            self.recall("crane wind", levels=["L0", "L1", "L2"], floor="0"),
            self.recall("crane", floor="1"),
            self.recall("?", floor="7"),
        ]

    def recall(self, query: str, **fields: str | list[str]) -> str:
        given = {"bank": str(self.bank.pk), "q": query, "rerank": "on"} | fields
        return f"{reverse('admin:memory_bank_recall')}?{urlencode(given, doseq=True)}"


@pytest.fixture
def held(site: Site) -> Held:
    with tenancy.scope(site.org.tenant.pk):
        bank = banks.open_or_create(site.org.admin, "yard")
        document = nodes.make_document(bank, HOSTILE, f"{LONG}{HOSTILE}")
        passage = nodes.add_node(bank, LONG, level=Level.L0, document_id=document.pk)
        fact = nodes.add_node(bank, f"The crane carries 12 t. {HOSTILE}", tags=(HOSTILE,))
        old = nodes.add_node(bank, "رافعة تحمل عشرة أطنان", language="ar")
        belief = nodes.add_node(bank, "The crane is strong.", level=Level.L2)
        nodes.link(fact, passage)
        nodes.link(belief, fact)
        nodes.link(fact, old, EdgeType.SUPERSEDES)
        nodes.link(old, fact, EdgeType.SEMANTIC, 0.8)
        entity = nodes.mention("Crane", fact, belief)
        operation = Operation.objects.create(
            tenant=site.org.tenant,
            bank=bank,
            type=OperationType.RETAIN,
            status=OperationStatus.FAILED,
            items_count=4,
            items_done=1,
            error=HOSTILE,
        )
    return Held(bank, fact, passage, belief, document, entity, operation)


def test_fc_76_nothing_keeps_anybody_from_using_a_screen(site: Site, held: Held) -> None:
    tab = site.window(site.org.admin).new_page()
    found = []
    for url in held.screens:
        tab.goto(url)
        for one in tab.locator("summary").all():
            one.evaluate("it => it.parentElement.open = true")
        found += [f"{url}: {line}" for line in barriers(tab)]
    assert not found, "\n".join(found)


def test_fc_66_hostile_words_run_nowhere(site: Site, held: Held) -> None:
    tab = site.window(site.org.admin).new_page()
    for url in held.screens:
        tab.goto(url, wait_until="networkidle")
        assert tab.evaluate("window.__hit") is None, url
        assert tab.locator("#main").is_visible(), url


def test_narrow_screen_never_scrolls_sideways(site: Site, held: Held) -> None:
    tab = site.window(site.org.admin, viewport=NARROW).new_page()
    for url in held.screens:
        tab.goto(url)
        assert tab.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, url


def test_playground_answers_without_scripts(site: Site, held: Held) -> None:
    tab = site.window(site.org.admin, java_script_enabled=False).new_page()
    tab.goto(reverse("admin:memory_bank_recall"))
    tab.get_by_label("Bank").select_option(label="yard")
    tab.get_by_label("Query").fill("crane")
    tab.get_by_role("button", name="Recall", exact=True).click()
    expect(tab.get_by_role("heading", name="How ranks moved")).to_be_visible()
    expect(tab.get_by_role("img", name="Ranks of memories")).to_be_visible()


def test_drawn_memory_is_reached_by_the_keyboard(site: Site, held: Held) -> None:
    tab = site.window(site.org.admin).new_page()
    tab.goto(reverse("admin:memory_node_change", args=[held.belief.pk]))
    box = tab.locator("svg.fn-graph a", has_text="twelve tonnes").first
    box.focus()
    tab.keyboard.press("Enter")
    tab.wait_for_url(f"**{reverse('admin:memory_node_change', args=[held.passage.pk])}")


def test_list_shows_every_line_of_a_memory_on_a_narrow_screen(site: Site, held: Held) -> None:
    tab = site.window(site.org.admin, viewport=NARROW).new_page()
    tab.goto(reverse("admin:memory_node_changelist"))
    for cell in tab.locator("#result_list .fn-excerpt").all():
        inside = """(words) => {
            const cell = words.closest("th, td").getBoundingClientRect();
            const { top, bottom } = words.getBoundingClientRect();
            return top >= cell.top && bottom <= cell.bottom;
        }"""
        assert cell.evaluate(inside), cell.inner_text()
