"""Searching the pages that a reader may open: rights, order, floor, places."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from kb import index, intake, searching
from kb.intake import PageFields
from kb.models import Doc, Revision, Status, Visibility
from kb.searching import Found, Nothing, SearchRequest
from memory import tenancy
from memory.models import Membership, Role
from tests.factories import Org, edit_page, make_member, make_org, make_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def org() -> Org:
    return make_org()


def search(member: Membership, query: str, **more: Any) -> Found:
    return searching.search(
        SearchRequest(tenant_id=member.tenant_id, member=member, query=query, **more)
    )


def titles(found: Found) -> list[str]:
    return list(dict.fromkeys(one.doc.title for one in found.results))


def facts(found: Found) -> list[tuple[Any, ...]]:
    return [(one.doc.title, one.snippet, one.scores) for one in found.results]


def restricted(org: Org, source: str, *, title: str) -> Doc:
    return make_page(
        org,
        source,
        title=title,
        visibility=Visibility.ROLE_RESTRICTED,
        allowed_groups=["board"],
    )


def test_result_leads_to_the_very_place_of_its_words(org: Org) -> None:
    source = (
        "# Rules\n\nThe gate code is 4711.\n\n## Hours\n\n🌙 Overtime shall not exceed 12 hours."
    )
    doc = make_page(org, source, title="Rules")
    make_page(org, "Lunch is at noon.", title="Canteen")
    best = search(org.reader, "overtime hours").results[0]
    assert (best.doc.pk, best.revision) == (doc.pk, 1)
    with tenancy.scope(org.tenant.pk):
        text = Revision.objects.get(doc=doc).text
    shown = best.snippet
    assert text[shown.start : shown.end] == shown.text
    assert [shown.text[start:end] for start, end in shown.marks] == ["Overtime", "hours"]
    assert best.scores is not None
    assert best.scores.keyword is not None


def test_other_words_of_the_same_meaning_need_the_vectors(org: Org) -> None:
    doc = make_page(org, "Nine hours of work are a day.", title="Days")
    with tenancy.scope(org.tenant.pk):
        index.embed_page(org.tenant.pk, doc.pk)
    found = search(org.reader, "hours", min_score=0)
    assert found.degraded == ()
    assert found.results[0].scores is not None
    assert found.results[0].scores.semantic is not None


# -- rights ---------------------------------------------------------------------------------------


def test_fc_33_hidden_passages_take_no_place_and_change_no_score(org: Org) -> None:
    for number in range(3):
        make_page(org, f"The bonus of team {number} is small.", title=f"Team {number}")
    before = facts(search(org.reader, "bonus pool", limit=3, min_score=0))
    hidden = [
        restricted(org, "bonus pool " * 30 + f"number {number}.", title=f"Board {number}")
        for number in range(20)
    ]
    found = search(org.reader, "bonus pool", limit=3, min_score=0)
    assert len(found.results) == 3
    assert facts(found) == before
    with tenancy.scope(org.tenant.pk):
        for doc in hidden:
            intake.delete_page(org.admin, doc)
    assert facts(search(org.reader, "bonus pool", limit=3, min_score=0)) == before


def test_fc_32_restricted_page_is_found_by_its_group_alone(org: Org) -> None:
    restricted(org, "The bonus pool is 90000.", title="Bonus pool")
    assert search(org.reader, "bonus pool").nothing is Nothing.NOT_FOUND
    assert search(org.reader, "Bonus pool").results == ()
    assert titles(search(make_member(org, Role.READER, "board"), "bonus pool")) == ["Bonus pool"]


def test_fc_34_page_that_was_closed_is_found_no_more(org: Org) -> None:
    doc = make_page(org, "The bonus pool is 90000.", title="Bonus")
    assert titles(search(org.reader, "bonus pool")) == ["Bonus"]
    edit_page(org, doc, visibility=Visibility.ROLE_RESTRICTED, allowed_groups=["board"])
    assert search(org.reader, "bonus pool").results == ()


def test_fc_29_deleted_page_is_found_again_once_it_is_restored(org: Org) -> None:
    doc = make_page(org, "The bonus pool is 90000.", title="Bonus")
    with tenancy.scope(org.tenant.pk):
        intake.delete_page(org.editor, doc)
    assert search(org.editor, "bonus").results == ()
    with tenancy.scope(org.tenant.pk):
        intake.restore_page(org.editor, doc)
    assert titles(search(org.editor, "bonus")) == ["Bonus"]


def test_archived_page_is_found_by_nobody(org: Org) -> None:
    doc = make_page(org, "The bonus pool is 90000.", title="Bonus")
    edit_page(org, doc, status=Status.ARCHIVED)
    assert search(org.reader, "bonus").results == ()
    assert search(org.editor, "bonus").results == ()


def test_fc_30_newer_draft_is_not_searched_and_a_mere_draft_by_editors_alone(org: Org) -> None:
    doc = make_page(org, "The fee is 20.", title="Fees")
    edit_page(org, doc, source="The surcharge is 35.", status=Status.DRAFT)
    make_page(org, "The tariff is 50.", title="Tariffs", status=Status.DRAFT)
    assert search(org.reader, "surcharge").results == ()
    assert search(org.reader, "fee").results[0].snippet.text == "The fee is 20."
    assert search(org.reader, "tariff").results == ()
    assert titles(search(org.editor, "tariff")) == ["Tariffs"]


def test_visitor_finds_public_pages_and_no_others(org: Org) -> None:
    make_page(org, "The museum opens at nine.", title="Open", visibility=Visibility.PUBLIC)
    make_page(org, "The museum vault opens at six.", title="Vault")
    found = searching.search(
        SearchRequest(tenant_id=org.tenant.pk, member=None, query="museum opens")
    )
    assert titles(found) == ["Open"]


def test_other_organisation_is_never_searched(org: Org) -> None:
    make_page(make_org(), "The museum opens at nine.", title="Elsewhere")
    assert search(org.admin, "museum", min_score=0).results == ()


# -- order ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "query", ["POL-0054", '"POL-0054"', "pol 0054", "what does POL-0054 say", "pol-0054"]
)
def test_fc_43_identifier_finds_its_own_page_first(org: Org, query: str) -> None:
    make_page(org, "POL-0055 replaces POL-0053. pol pol pol policy.", title="Second")
    make_page(org, "Under POL-0054 visitors sign in.", title="First")
    found = search(org.reader, query)
    assert titles(found)[0] == "First"


def test_fc_43_identifier_outweighs_all_other_words(org: Org) -> None:
    make_page(org, "Visitors wear badges at the gate, says POL-0055.", title="Second")
    make_page(org, "See POL-0054.", title="First")
    found = search(org.reader, "POL-0054 visitors badges gate", min_score=0)
    assert titles(found) == ["First", "Second"]


@pytest.mark.parametrize("query", ["POL-0054 : ( ) & | ! * '", "a'; DROP TABLE x --", "%_\\", "(("])
def test_fc_43_typed_text_is_no_syntax(org: Org, query: str) -> None:
    make_page(org, "Under POL-0054 visitors sign in.", title="First")
    search(org.reader, query, min_score=0)


@pytest.mark.parametrize("query", ["the", "it", "will", "?!", "---", "_", "the will it"])
def test_fc_44_common_words_and_signs_find_nothing(org: Org, query: str) -> None:
    make_page(org, "It will be the way that it is.", title="The way it will be")
    found = search(org.reader, query, min_score=0)
    assert (found.results, found.nothing) == ((), Nothing.COMMON)


def test_common_word_that_is_a_whole_title_finds_that_page(org: Org) -> None:
    make_page(org, "Computers and cables.", title="IT")
    make_page(org, "It is what it is.", title="Others")
    assert titles(search(org.reader, "it")) == ["IT"]


def test_page_with_this_title_comes_first(org: Org) -> None:
    make_page(org, "Leave leave leave: annual leave is 16 days.", title="Handbook")
    make_page(org, "See elsewhere.", title="Annual leave")
    found = search(org.reader, "annual leave")
    assert titles(found) == ["Annual leave", "Handbook"]
    assert found.results[0].scores is None or found.results[0].snippet.start == 0


def test_title_is_found_while_its_last_word_is_still_typed(org: Org) -> None:
    make_page(org, "See elsewhere.", title="Overtime policy")
    make_page(org, "See elsewhere too.", title="Part-time contracts")
    assert titles(search(org.reader, "overt")) == ["Overtime policy"]
    assert titles(search(org.reader, "overtime pol")) == ["Overtime policy"]
    assert titles(search(org.reader, "time pol")) == []  # the middle of a word is no beginning


def test_fc_14_pages_of_one_title_are_told_apart(org: Org) -> None:
    for year, total in ((2024, 410), (2025, 530)):
        make_page(org, f"The total was {total}.", title="Invoice", slug=f"finance/{year}/invoice")
    found = search(org.reader, "invoice total", min_score=0)
    assert {one.doc.slug for one in found.results} == {
        "finance/2024/invoice",
        "finance/2025/invoice",
    }


def test_one_page_gives_so_many_passages_and_no_more(org: Org) -> None:
    long = "\n\n".join(
        f"## Part {number}\n\n" + f"The turbine has part {number}. " * 60 for number in range(8)
    )
    make_page(org, long, title="Long")
    make_page(org, "A turbine is loud.", title="Short")
    found = search(org.reader, "turbine", per_page=2)
    assert [one.doc.title for one in found.results].count("Long") == 2
    assert "Short" in titles(found)


# -- filters and floor ----------------------------------------------------------------------------


def test_filters_narrow_what_is_searched(org: Org) -> None:
    make_page(org, "Der Zaun ist hoch.", title="Zaun", language="de")
    make_page(org, "The Zaun is high.", title="Fence", category="policy")
    assert titles(search(org.reader, "Zaun", language="de")) == ["Zaun"]
    assert titles(search(org.reader, "Zaun", category="policy")) == ["Fence"]
    assert titles(search(org.reader, "Zaun", category="runbook")) == []
    assert titles(search(org.editor, "Zaun", status="draft")) == []


def test_fc_45_floor_of_the_reranker_holds_unless_another_is_given(org: Org) -> None:
    make_page(org, "The turbine is loud.", title="Noise")
    query = "turbine colour price weight"  # one word of four: the reranker says 0.25
    found = search(org.reader, query)
    assert (found.results, found.nothing) == ((), Nothing.BELOW_FLOOR)
    assert (found.abstained, found.floor, found.best_score) == (True, 0.5, 0.25)
    assert titles(search(org.reader, query, min_score=0)) == ["Noise"]
    assert titles(search(org.reader, query, min_score=0.2)) == ["Noise"]
    assert titles(search(org.reader, query, min_score=0.3)) == []


@pytest.mark.parametrize("word", ["war", "hat", "die"])
def test_a_word_that_another_language_has_everywhere_is_found(org: Org, word: str) -> None:
    make_page(org, f"A {word} is told of here.", title="Story")
    make_page(org, "Der Zaun ist hoch.", title="Zaun", language="de")
    assert titles(search(org.reader, word)) == ["Story"]
    assert search(org.reader, word, language="de").nothing is Nothing.COMMON


@pytest.mark.parametrize(
    ("language", "text", "hit", "miss"),
    [
        ("zh", "报销单必须在三十天内提交给财务部", "财务部", "出差补助"),
        ("ja", "棚卸しは毎月最終金曜日に行う", "金曜日", "水曜日"),
        ("ko", "출장비는 귀국 후 열흘 안에 정산한다", "정산", "휴가"),
        ("th", "พนักงานต้องส่งใบเสร็จภายในสิ้นเดือน", "ใบเสร็จ", "วันลา"),
    ],
)
def test_fc_42_words_of_scripts_without_spaces(
    org: Org, language: str, text: str, hit: str, miss: str
) -> None:
    make_page(org, text, title="Page", language=language)
    found = search(org.reader, hit, min_score=0)
    assert found.results[0].scores is not None
    assert found.results[0].scores.keyword is not None
    assert found.results[0].snippet.marks
    assert all(
        one.scores is None or one.scores.keyword is None
        for one in search(org.reader, miss, min_score=0).results
    )


def test_blank_query_asks_for_a_word(org: Org) -> None:
    assert search(org.reader, " \t\u200b ").nothing in (Nothing.BLANK, Nothing.COMMON)
    assert search(org.reader, "").nothing is Nothing.BLANK


def test_nul_and_half_a_pair_are_no_fault(org: Org) -> None:
    make_page(org, "The turbine is loud.", title="Noise")
    assert titles(search(org.reader, "turbine\x00 \ud800", min_score=0)) == ["Noise"]


def test_number_of_queries_does_not_grow_with_results(org: Org) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as captured:
            search(org.reader, "turbine", min_score=0)
        return len(captured)

    for number in range(12):
        make_page(org, f"A turbine is loud {number} times.", title=f"Loud {number}")
    few = count()
    for number in range(12):
        make_page(org, f"Turbine number {number} is loud.", title=f"Page {number}")
    assert count() == few


def test_index_follows_an_edit(org: Org) -> None:
    doc = make_page(org, "The turbine is loud.", title="Noise")
    edit_page(org, doc, source="The engine is quiet.")
    assert titles(search(org.reader, "turbine", min_score=0)) == []
    assert titles(search(org.reader, "engine", min_score=0)) == ["Noise"]


def test_pages_fields_are_those_of_the_page_now(org: Org) -> None:
    doc = make_page(org, "The turbine is loud.", title="Noise")
    with tenancy.scope(org.tenant.pk):
        intake.update_page(org.editor, doc, PageFields(title="Sound"))
    assert titles(search(org.reader, "turbine")) == ["Sound"]
