"""FC-44: a query of common words alone finds nothing by keyword and answers nothing, in pages and
memories of two languages, too; a word that is common elsewhere is found where it is not."""

from __future__ import annotations

import pytest

from kb.asking import AskRequest, ask
from kb.searching import Nothing
from memory import keywords, tenancy
from memory.backends.encoders.fake import FakeEncoder
from memory.gate import AnswerKind
from memory.language.queries import is_common, query_forms, silent_in
from memory.levels import Level
from memory.reading.reader import read
from memory.reading.records import WITHOUT_WORDS
from memory.recall.scope import Scope
from tests import nodes
from tests.asks import ask_page
from tests.factories import Org, make_org, make_page
from tests.recalls import recall
from tests.test_reading import passage
from tests.test_searching import search, titles

COMMON = ["the", "it", "will", "is it", "the will it", "Who is it?"]


@pytest.fixture
def org(db: None) -> Org:
    """Pages in English and German."""
    org = make_org()
    make_page(org, "It will be open, the gate is the one.", title="Gate")
    make_page(
        org, "Der Zaun ist hoch, und das war die Idee: the fence.", title="Zaun", language="de"
    )
    return org


# -- what is common -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "languages", "expected"),
    [
        ("the", ["en"], True),
        ("the", ["de", "en"], True),
        ("is it", ["", "de", "en"], True),
        ("was ist das", ["de", "en"], True),
        ("der", ["de"], True),
        ("war", ["de", "en"], False),
        ("world war", ["de", "en"], False),
        ("it", ["de"], False),
        ("the gate", ["de", "en"], False),
        ("IT-204", ["en"], False),
        ("the", [], False),
    ],
)
def test_fc_44_common_words(query: str, languages: list[str], expected: bool) -> None:
    assert is_common(query, languages) is expected
    assert (query_forms(query, languages) == {}) is (expected or not languages)


def test_languages_in_which_a_word_says_nothing() -> None:
    assert silent_in("war", ["de", "en", "fr"]) == ["de"]
    assert silent_in("gate", ["de", "en"]) == []


# -- pages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", COMMON)
def test_fc_44_search_finds_no_page(org: Org, query: str) -> None:
    found = search(org.reader, query, min_score=0)
    assert (found.results, found.nothing) == ((), Nothing.COMMON)


def test_fc_44_page_of_this_name_is_found_and_answers(org: Org) -> None:
    page = make_page(org, "IT is reached at extension 4711.", title="IT")
    assert titles(search(org.reader, "it")) == ["IT"]
    assert ask_page(org.reader, page, "IT").kind is AnswerKind.CONFIDENT


@pytest.mark.parametrize("question", COMMON)
def test_fc_44_ask_declines(org: Org, question: str) -> None:
    page = make_page(org, "It is the gate. Will it be open? It will.", title="Hours")
    of_page = ask_page(org.reader, page, question)
    of_all = ask(AskRequest(member=org.reader, question=question))
    assert {of_page.kind, of_all.kind} == {AnswerKind.DECLINE_NO_EVIDENCE}


@pytest.mark.parametrize("question", ["der", "was ist das", "und die"])
def test_fc_44_ask_declines_in_the_pages_own_language(org: Org, question: str) -> None:
    page = make_page(org, "Das ist der Zaun, und die Tür war offen.", title="Tür", language="de")
    assert ask_page(org.reader, page, question).kind is AnswerKind.DECLINE_NO_EVIDENCE


@pytest.mark.parametrize("question", ["der", "und"])
def test_fc_44_ask_of_all_reads_no_page_in_whose_language_it_says_nothing(
    org: Org, question: str
) -> None:
    record = ask(AskRequest(member=org.reader, question=question))
    assert record.kind is AnswerKind.DECLINE_NO_EVIDENCE


@pytest.mark.parametrize("question", ["der", "was ist das"])
def test_common_words_do_not_make_a_question_one_of_another_language(question: str) -> None:
    """Such a question may be answered by vectors alone."""
    reading = read(question, [passage("The gate opens at seven.")], FakeEncoder())
    assert not reading.is_foreign
    assert reading.probability <= WITHOUT_WORDS


def test_question_in_another_language_is_one() -> None:
    reading = read("Wann öffnet das Tor?", [passage("The gate opens at seven.")], FakeEncoder())
    assert reading.is_foreign


# -- memories -------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", COMMON)
def test_fc_44_recall_has_no_keyword_hits(db: None, query: str) -> None:
    tenant = nodes.make_tenant()
    with tenancy.scope(tenant.pk):
        bank = nodes.make_bank(tenant)
        nodes.add_node(bank, "It will be the one.", language="en")
        nodes.add_node(bank, "Das ist the place to be, will sie.", language="de")
        hits = recall(bank, query).hits
    assert all(hit.scores.keyword is None for hit in hits)


@pytest.mark.parametrize("word", ["war", "hat", "die"])
def test_word_that_is_common_in_german_is_found_in_english_alone(db: None, word: str) -> None:
    tenant = nodes.make_tenant()
    with tenancy.scope(tenant.pk):
        bank = nodes.make_bank(tenant)
        english = nodes.add_node(bank, f"A {word} is told of here.", language="en", encode=False)
        nodes.add_node(
            bank, "Die Tür hat offen gestanden, das war gut.", language="de", encode=False
        )
        scope = Scope(bank_id=bank.pk, level=Level.L1)
        ranking = keywords.rank_query(scope, word)
        found = keywords.best(scope, ranking, limit=10)
    assert [hit.node_id for hit in found] == [english.pk]
