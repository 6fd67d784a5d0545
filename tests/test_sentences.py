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


@pytest.mark.parametrize("language", ["", "en", "de"])
@pytest.mark.parametrize(
    "sentence",
    [
        "Die Verhandlung mit Kestrel Systems findet am 12. November in Köln statt.",
        "Kunde Hartmann hat am 6. Oktober gekündigt.",
        "Wir sehen uns am 3. Okt. 2026 um 9 Uhr.",
        "Umsatz im 3. Quartal gestiegen.",
        "Møtet er 17. Desember i Oslo.",
        "Schůzka je 5. Září v Brně.",
    ],
)
def test_ordinal_day_goes_on_in_a_text_of_any_language(sentence: str, language: str) -> None:
    assert cut(f"{sentence} Then we met.", language) == [sentence, "Then we met."]


@pytest.mark.parametrize("language", ["", "en", "de", "ru"])
@pytest.mark.parametrize(
    "sentence",
    [
        "Dr. Weber zahlt z. B. 300 Euro.",
        "Er zahlt z.B. Miete, d. h. Geld, i. d. R. Bares und u. a. Scheine.",
        "Zeile Nr. 5 und Abs. 3 gelten ca. 20 Tage bzw. Wochen.",
        "It lies in Hauptstr. 5 and costs approx. 20.",
        "Cities, e. g. London, i. e. Bob's town vs. Leeds.",
        "Mr. Hall met Prof. J.K. Rowling and J.-P. Sartre in Trinity-St. Ives.",
        "Vive à Lyon, c.-à-d. Rhône, p. ex. Mme Roux et M. Petit.",
        "Hay ciudades, p. ej. Madrid, en EE. UU. Chicago, n.º 5.",
        "Город, т. е. Москва, т. к. Иван там живёт.",
        "We pay Acme Inc. Berlin on Dec. 24 in room No. 7.",
        "It is in vol. IV, Fig. A and sec. 3 (cf. Smith et al. Nature).",
    ],
)
def test_abbreviation_goes_on_in_a_text_of_any_language(sentence: str, language: str) -> None:
    assert cut(f"{sentence} Then not.", language) == [sentence, "Then not."]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("We sell pens etc. Peter buys.", ["We sell pens etc.", "Peter buys."]),
        ("Hefte usw. Danach kam er.", ["Hefte usw.", "Danach kam er."]),
        ("Пришли все и т. д. Потом ушли.", ["Пришли все и т. д.", "Потом ушли."]),
        ("He left Acme Inc. The firm is old.", ["He left Acme Inc.", "The firm is old."]),
        ("We met at 5 p.m. The bar shut.", ["We met at 5 p.m.", "The bar shut."]),
        ("He said no. That was it.", ["He said no.", "That was it."]),
        ("It is a training set. A new one.", ["It is a training set.", "A new one."]),
        ("It was long ago. Peter came.", ["It was long ago.", "Peter came."]),
        ("Скорость 10 Гбит/с. В мае ушли.", ["Скорость 10 Гбит/с.", "В мае ушли."]),
        ("Wir zahlen 12. Danach nichts.", ["Wir zahlen 12.", "Danach nichts."]),
        ("It ran from 1740-42. Then not.", ["It ran from 1740-42.", "Then not."]),
    ],
)
def test_abbreviation_at_the_end_ends_its_sentence(text: str, sentences: list[str]) -> None:
    assert cut(text) == sentences
    assert cut(text, "de") == sentences


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


@given(st.text(alphabet="abzZBtcу. \n\t!?。1Aé🙂", max_size=200))
def test_units_are_ordered_and_lose_only_white_space(text: str) -> None:
    spans = split_sentences(text)
    at = 0
    for start, end in spans:
        assert at <= start < end
        assert not text[at:start].strip()
        at = end
    assert not text[at:].strip()
