"""Facts that were corrected by hand, when their document is retained or read again."""

from __future__ import annotations

from typing import Any

import pytest

from memory import curating, tenancy
from memory.backends.extractors.fake import FakeExtractor
from memory.curating import MemoryEdit
from memory.errors import ExtractionFailed
from memory.facts.records import Excerpt, Extracted, Fact
from memory.levels import FactType, Level
from memory.models import Bank, BankKind, MemoryChange, Node, Vector
from memory.retain import changing, engine
from memory.retain.encoding import Encoding
from memory.retain.items import RetainItem
from memory.seams import Extractor
from tests.factories import Org, make_org

pytestmark = pytest.mark.django_db

ROME = "Norma Quill lives in Rome."
MILAN = "Norma Quill lives in Milan."


class Saying(FakeExtractor):
    """A model that says these sentences of every passage as a whole; none at all: it fails."""

    def __init__(self, *texts: str) -> None:
        super().__init__()
        self._texts = texts

    def extract(self, excerpt: Excerpt) -> Extracted:
        if not self._texts:
            raise ExtractionFailed("The model did not answer.")
        start, end = excerpt.start, excerpt.end
        return Extracted(facts=tuple(Fact(text=text, start=start, end=end) for text in self._texts))


class Case:
    """One document of one bank, and whoever corrects its facts."""

    def __init__(self, org: Org) -> None:
        self.org, self.tenant_id = org, org.tenant.pk
        with tenancy.scope(self.tenant_id):
            self.bank = Bank.objects.create(tenant=org.tenant, name="w", kind=BankKind.MEMORY)

    def retain(self, content: str, **fields: Any) -> None:
        extractor: Extractor | None = fields.pop("extractor", None)
        item = RetainItem(content=content, document_name="d", **fields)
        engine.retain(self.bank.pk, [item], extractor=extractor, tenant_id=self.tenant_id)

    def reprocess(self, extractor: Extractor | None = None) -> None:
        changing.reprocess(self.tenant_id, self.bank.pk, "d", extractor=extractor)

    def correct(self, said: str, **edit: Any) -> Node:
        fact = next(fact for fact in self.facts() if fact.text == said)
        who = {"tenant_id": self.tenant_id, "changed_by": self.org.admin.user_id}
        curating.change(self.bank.pk, fact.pk, MemoryEdit(**edit), **who)
        return next(one for one in self.facts() if one.pk == fact.pk)

    def facts(self) -> list[Node]:
        with tenancy.scope(self.tenant_id):
            nodes = Node.objects.filter(bank=self.bank, level=Level.L1)
            return list(nodes.order_by("ordinal"))

    def texts(self) -> list[str]:
        return [fact.text for fact in self.facts()]

    def history(self, fact: Node) -> list[dict[str, Any]]:
        with tenancy.scope(self.tenant_id):
            return list(MemoryChange.objects.filter(node=fact).values_list("before", flat=True))


@pytest.fixture
def case() -> Case:
    return Case(make_org())


def test_corrected_text_stays_when_its_document_is_read_again(case: Case) -> None:
    case.retain(ROME)
    fact = case.correct(ROME, text=MILAN)
    case.reprocess()
    case.reprocess()
    assert [(one.pk, one.text) for one in case.facts()] == [(fact.pk, MILAN)]
    assert case.history(fact) == [{"text": ROME}]


def test_corrected_type_stays_when_its_document_is_read_again(case: Case) -> None:
    case.retain(ROME)
    fact = case.correct(ROME, fact_type=FactType.EXPERIENCE)
    case.reprocess()
    assert [(one.pk, one.fact_type) for one in case.facts()] == [(fact.pk, FactType.EXPERIENCE)]


def test_corrected_text_stays_in_a_document_that_grows_around_it(case: Case) -> None:
    case.retain(ROME)
    fact = case.correct(ROME, text=MILAN)
    case.retain(f"Tom Vale bakes bread. {ROME} Ida has a dog.", tags=("a",), timestamp="2024-01-01")
    assert case.texts() == ["Tom Vale bakes bread.", MILAN, "Ida has a dog."]
    kept = case.facts()[1]
    assert (kept.pk, kept.tags, kept.char_start) == (fact.pk, ["a"], 22)
    with tenancy.scope(case.tenant_id):
        assert Vector.objects.filter(node=fact).count() == 1


def test_corrected_text_goes_with_the_words_it_was_taken_from(case: Case) -> None:
    case.retain(f"{ROME} Ida has a dog.")
    case.correct(ROME, text=MILAN)
    case.retain("Ida has a dog.")
    assert case.texts() == ["Ida has a dog."]


def test_document_that_says_what_was_corrected_keeps_the_fact(case: Case) -> None:
    case.retain(ROME)
    fact = case.correct(ROME, text=MILAN)
    case.retain(MILAN)
    assert [one.pk for one in case.facts()] == [fact.pk]


def test_document_that_says_both_has_both(case: Case) -> None:
    case.retain(f"{MILAN} {ROME}")
    other = case.facts()[0]
    fact = case.correct(ROME, text=MILAN)
    case.reprocess()
    assert [one.pk for one in case.facts()] == [other.pk, fact.pk]


@pytest.mark.parametrize("again", [(), ("She likes figs.",), ("She likes figs.", "She is Norma.")])
def test_model_that_says_it_otherwise_leaves_what_was_corrected(
    case: Case, again: tuple[str, ...]
) -> None:
    case.retain("Norma, who likes figs.", extractor=Saying("She likes figs.", "Norma is there."))
    fact = case.correct("Norma is there.", text="Norma left.")
    case.reprocess(Saying(*again))
    assert sorted(case.texts()) == sorted({"Norma left.", *again[:1]})
    assert fact.pk in {one.pk for one in case.facts()}
    assert [one.ordinal for one in case.facts()] == list(range(len(case.facts())))


def test_what_was_taken_out_stays_out_when_what_stands_before_it_changes(case: Case) -> None:
    case.retain("The depot is red. It closes at noon.")
    fact = case.correct("It closes at noon.", is_valid=False)
    case.retain("The mill is red. It closes at noon.")
    kept = next(one for one in case.facts() if one.text == "It closes at noon.")
    assert (kept.pk, kept.superseded_at) == (fact.pk, fact.superseded_at)


def test_replacing_after_a_correction_is_stored(case: Case) -> None:
    case.retain("Gus owns a red car.")
    case.correct("Gus owns a red car.", text="Gus owns a blue car.")
    case.retain("Gus owns a red car. Gus has a dog.")
    assert case.texts() == ["Gus owns a blue car.", "Gus has a dog."]


@pytest.mark.parametrize("edit", [{"text": MILAN}, {"fact_type": FactType.EXPERIENCE}])
def test_correction_made_while_its_document_is_read_stays(
    case: Case, monkeypatch: pytest.MonkeyPatch, edit: dict[str, Any]
) -> None:
    case.retain(ROME)
    add = Encoding.add
    corrected: list[Node] = []

    def correcting(encoding: Encoding, *nodes: Any, **options: Any) -> None:
        if not corrected:
            corrected.append(case.correct(ROME, **edit))
        add(encoding, *nodes, **options)

    monkeypatch.setattr(Encoding, "add", correcting)
    case.retain(f"{ROME} Ida has a dog.")
    (fact,) = corrected
    kept = case.facts()[0]
    assert (kept.pk, kept.text, kept.fact_type) == (fact.pk, fact.text, fact.fact_type)
    assert len(case.facts()) == 2
