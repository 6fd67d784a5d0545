from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.sentences import UNSTOPPED_LENGTH, split_sentences


def cut(text: str, language: str = "") -> list[str]:
    return [text[start:end] for start, end in split_sentences(text, language)]


def test_abbreviations_initials_and_decimals_do_not_end_a_sentence() -> None:
    text = "Dr. Smith met J. K. Rowling. It cost 3.5 dollars, see Art. 107. Done."
    assert cut(text) == [
        "Dr. Smith met J. K. Rowling.",
        "It cost 3.5 dollars, see Art. 107.",
        "Done.",
    ]


def test_closing_quotes_stay_with_their_sentence() -> None:
    assert cut("“Stop!” he said. She left.") == ["“Stop!” he said.", "She left."]


def test_number_of_a_list_item_stays_with_the_item() -> None:
    assert cut("1. Open the valve. Wait.\n- Close it") == [
        "1. Open the valve.",
        "Wait.",
        "- Close it",
    ]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("加班不得超过12小时。休息？好！", ["加班不得超过12小时。", "休息？", "好！"]),
        ("彼は「はい。」と言った。次へ。", ["彼は「はい。」", "と言った。", "次へ。"]),
        ("पहला वाक्य। दूसरा वाक्य।", ["पहला वाक्य।", "दूसरा वाक्य।"]),
        ("كم ساعة؟ لا أعرف. نعم", ["كم ساعة؟", "لا أعرف.", "نعم"]),
        ("پہلا جملہ۔ دوسرا جملہ۔", ["پہلا جملہ۔", "دوسرا جملہ۔"]),
    ],
)
def test_stops_of_other_scripts_end_sentences(text: str, sentences: list[str]) -> None:
    assert cut(text) == sentences


def test_german_ordinal_does_not_end_a_sentence() -> None:
    assert cut("Am 3. Mai ist frei. Danach nicht.", "de") == [
        "Am 3. Mai ist frei.",
        "Danach nicht.",
    ]
    assert cut("See chapter 3. May follows.", "en") == ["See chapter 3.", "May follows."]


def test_thai_is_cut_at_spaces_into_long_units() -> None:
    text = "ประเทศไทย " * 60
    units = cut(text)
    assert all(len(unit) >= UNSTOPPED_LENGTH - 1 for unit in units)
    assert len(units) == 3


def test_table_row_is_one_unit_and_keeps_its_tabs() -> None:
    assert cut("Valve\tMax. pressure\nV-097\t14 bar. Checked.") == [
        "Valve\tMax. pressure",
        "V-097\t14 bar. Checked.",
    ]


def test_lines_of_code_are_units() -> None:
    assert cut("make run\nmake stop") == ["make run", "make stop"]


def test_very_long_sentence_is_cut_at_a_clause() -> None:
    units = cut("a clause of some words, " * 60)
    assert len(units) > 1
    assert max(map(len, units)) < 700


def test_blank_text_has_no_units() -> None:
    assert cut(" \n\t\n ") == []


@given(st.text(alphabet="ab. \n\t!?。1Aé🙂", max_size=200))
def test_units_are_ordered_and_lose_only_white_space(text: str) -> None:
    spans = split_sentences(text)
    at = 0
    for start, end in spans:
        assert at <= start < end
        assert not text[at:start].strip()
        at = end
    assert not text[at:].strip()
