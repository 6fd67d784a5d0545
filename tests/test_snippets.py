"""What is shown of a passage: the sentences, and where the query's words stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.snippets import LENGTH, TOO_LONG, Snippet, snippet
from memory.language.analysis import query_terms


def shown(text: str, query: str, language: str = "en") -> Snippet:
    return snippet(text, query_terms(query, language), language)


def marked(one: Snippet) -> list[str]:
    return [one.text[start:end] for start, end in one.marks]


def test_the_sentence_with_most_of_the_words_is_shown() -> None:
    filler = "Nothing of note stands in this sentence, and it goes on for a while. " * 4
    text = f"{filler}The gate opens at seven. {filler}The fee of the gate is 20 euros. {filler}"
    one = shown(text, "gate fee")
    assert one.text.startswith("The fee of the gate is 20 euros.")
    assert marked(one) == ["fee", "gate"]
    assert text[one.start : one.end] == one.text


def test_other_forms_of_a_word_are_marked_whole() -> None:
    assert marked(shown("They were running late.", "run")) == ["running"]


def test_fc_08_letters_that_change_length_when_folded() -> None:
    for letters in ("ß" * 300, "\u1112\u1161\u11ab" * 210, "ﬃ" * 120):
        text = f"{letters} Staff may carry over five days of leave."
        one = shown(text, "HOW MANY DAYS OF LEAVE MAY STAFF CARRY OVER?")
        assert text[one.start : one.end] == one.text
        assert {"Staff", "carry", "days", "leave"} <= set(marked(one))


def test_fc_11_ligatures_are_found_by_plain_letters_and_marked_whole() -> None:
    text = "The sample held amyloid \ufb01brils. Front o\ufb03ce hours are 9 to 5.\n"
    assert marked(shown(text, "fibrils")) == ["\ufb01brils"]
    assert marked(shown(text, "office hours")) == ["o\ufb03ce", "hours"]


@pytest.mark.parametrize(
    ("language", "text", "query"),
    [
        ("zh", "报销单必须在三十天内提交给财务部", "财务部"),
        ("ja", "棚卸しは毎月最終金曜日に行う", "金曜日"),
        ("ko", "출장비는 귀국 후 열흘 안에 정산한다", "출장비"),
        ("th", "พนักงานต้องส่งใบเสร็จภายในสิ้นเดือน", "ใบเสร็จ"),
    ],
)
def test_fc_42_words_without_spaces_are_marked_where_they_stand(
    language: str, text: str, query: str
) -> None:
    [(start, end)] = shown(text, query, language).marks
    assert query in text[start:end]
    assert end - start <= len(query) + 1  # a Korean word carries its particle


def test_row_of_a_table_stands_alone() -> None:
    text = "WX-0053\tSiskin\tsunshine\nWX-0054\tKittiwake\tharbour\nWX-0055\tWren\train"
    one = shown(text, "WX-0054")
    assert one.text == "WX-0054\tKittiwake\tharbour"
    assert marked(one) == ["WX-0054"]


def test_prose_is_shown_before_a_row_that_holds_as_much() -> None:
    text = "Office\tPeople\tCat\nThe office cat is called Bica."
    assert shown(text, "office cat").text == "The office cat is called Bica."


def test_identifier_is_one_mark() -> None:
    assert marked(shown("See POL-0054 first.", "pol-0054")) == ["POL-0054"]


def test_without_a_hit_the_opening_is_shown() -> None:
    one = shown("The opening says little. " * 40, "unheard")
    assert (one.start, one.marks) == (0, ())
    assert one.text.startswith("The opening says little.")


def test_long_sentence_is_cut_between_words_around_what_was_found() -> None:
    text = "word " * 300 + "needle " + "word " * 300
    one = shown(text, "needle")
    assert marked(one) == ["needle"]
    assert len(one.text) <= LENGTH + len("needle")
    assert text[one.start - 1] == " " or one.start == 0
    assert text[one.end] == " "


def test_cut_keeps_whole_characters() -> None:
    text = "e\u0301" * 900
    one = shown(text, "unheard", "fr")
    assert not one.text.startswith("\u0301")
    assert text[one.end : one.end + 1] != "\u0301"


def test_empty_text_is_an_empty_snippet() -> None:
    assert snippet("", ["x"]) == Snippet("", 0, 0)


@given(
    st.text(max_size=400),
    st.text(max_size=40),
    st.sampled_from(["", "en", "de", "zh", "th", "vi", "tr"]),
)
def test_marks_are_ordered_apart_and_inside(text: str, query: str, language: str) -> None:
    one = shown(text, query, language)
    assert text[one.start : one.end] == one.text
    assert len(one.text) <= TOO_LONG + 64
    at = -1
    for start, end in one.marks:
        assert at < start < end <= len(one.text)
        at = end
