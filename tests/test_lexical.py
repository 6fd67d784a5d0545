from __future__ import annotations

import numpy as np
import pytest

from memory.language.terms import terms
from memory.reading.lexical import EXPANDED, GUESSED, match
from memory.reading.questions import analyse


def strengths(question: str, *units: str, language: str = "en") -> dict[str, list[float]]:
    asked = analyse(question, language).terms
    found = match(asked, [terms(unit, language) for unit in units])
    return {
        term.folded: [round(float(value), 2) for value in found.strength[:, column]]
        for column, term in enumerate(asked)
    }


def test_same_stem_matches_fully_and_absent_word_not_at_all() -> None:
    found = strengths("Which valves leak?", "The valve leaked.", "Nothing here.")
    assert found["valves"] == [1.0, 0.0]


def test_inflection_without_a_stemmer_matches_in_part() -> None:
    found = strengths("שעותיהם", "השעותיהם כאן", language="he")
    assert 0.5 <= next(iter(found.values()))[0] < 1.0


@pytest.mark.parametrize(
    ("short", "page"),
    [
        ("OT", "Overtime shall not exceed 12 hours."),
        ("PTO", "Paid time off is requested early."),
        ("SLA", "The service level agreement is two days."),
        ("max", "The maximum is 12."),
    ],
)
def test_abbreviation_of_the_question_meets_words_written_out(short: str, page: str) -> None:
    found = strengths(f"What is the {short}?", page, "Invoices are blue.")
    assert found[short.casefold()] == [pytest.approx(EXPANDED), 0.0]


def test_two_words_that_begin_with_two_letters_are_only_a_guess() -> None:
    assert strengths("What is the OT?", "Invoices are other things.")["ot"] == [GUESSED]


def test_short_form_on_the_page_meets_the_word_of_the_question() -> None:
    assert strengths("maximum pressure", "Max pressure: 14 bar")["maximum"] == [
        pytest.approx(EXPANDED)
    ]


def test_abbreviation_that_stands_on_the_page_is_not_expanded() -> None:
    assert strengths("What is the OT?", "OT is paid.", "Overtime is long.")["ot"] == [1.0, 0.0]


def test_coverage_weighs_rare_words_more() -> None:
    asked = analyse("orange valve", "en").terms
    units = ["The valve.", "A valve.", "Valve again.", "The orange thing."]
    coverage = match(asked, [terms(unit, "en") for unit in units]).coverage()
    assert coverage[3] > coverage[0] > 0


def test_bm25_stays_between_zero_and_one() -> None:
    asked = analyse("valve pressure", "en").terms
    bm25 = match(asked, [terms("valve pressure", "en"), terms("x", "en")]).bm25()
    assert 0 < bm25[0] <= 1
    assert bm25[1] == 0


def test_units_after_the_corpus_do_not_change_rarity() -> None:
    asked = analyse("valve", "en").terms
    units = [terms("valve", "en"), terms("other", "en")]
    alone = match(asked, units).idf
    more = match(asked, [*units, terms("valve", "en")], corpus=2)
    assert np.allclose(alone, more.idf)
    assert more.strength[2, 0] == 1.0


def test_no_terms_and_no_units_give_empty_arrays() -> None:
    assert match((), [terms("a", "en")]).coverage().tolist() == [0.0]
    assert match(analyse("valve").terms, []).bm25().tolist() == []
