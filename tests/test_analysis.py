from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.analysis import query_terms, term_spans, terms, tokenise
from memory.language.folding import fold, fold_accents
from memory.language.languages import STOP_WORDS
from memory.language.queries import query_forms


def hits(query: str, text: str, language: str) -> set[str]:
    return set(query_terms(query, language)) & set(terms(text, language))


# -- words --------------------------------------------------------------------------------------------


def test_words_keep_their_place_and_are_folded() -> None:
    tokens = tokenise("  Über-Stunden: 12 h!")
    assert [(t.text, t.start, t.end, t.folded) for t in tokens] == [
        ("Über", 2, 6, "uber"),
        ("Stunden", 7, 14, "stunden"),
        ("12", 16, 18, "12"),
        ("h", 19, 20, "h"),
    ]


def test_fc_08_folding_never_moves_an_offset() -> None:
    text = "ß" * 300 + "\n각각 Staff MAY carry over."
    staff = next(t for t in tokenise(text) if t.folded == "staff")
    assert text[staff.start : staff.end] == "Staff"
    assert hits("HOW MANY DAYS MAY STAFF CARRY OVER?", text, "en") == {"staff", "carri", "over"}


def test_fc_11_ligature_is_found_by_its_plain_letters() -> None:
    text = "amyloid \ufb01brils. Front o\ufb03ce hours"
    assert hits("fibrils", text, "en") == {"fibril"}
    assert hits("office", text, "en") == {"offic"}


@pytest.mark.parametrize("word", ["किताबें", "भाषाओं", "ใบเสร็จ", "Vi\u0302\u0301t", "قَلَم", "שָׁלוֹם"])
def test_combining_marks_do_not_cut_a_word(word: str) -> None:
    assert len(tokenise(word)) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Café", "cafe"),
        ("STRASSE", "straße"),
        ("ＡＢＣ１", "abc1"),
        ("ℳ", "m"),
        ("İstanbul", "istanbul"),
        ("Ёлка", "елка"),
        ("قَلَم", "قلم"),
        ("أحمد", "احمد"),
        ("краи\u0306", "край"),
        ("ά", "α"),
        ("٢٠٢٥", "2025"),
        ("naïve", "nai\u0308ve"),
    ],
)
def test_spellings_of_one_word_fold_together(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("й", "и"), ("が", "か"), ("कि", "क"), ("ก็", "ก")])
def test_marks_that_make_another_letter_stay(one: str, other: str) -> None:
    assert fold(one) != fold(other)


def test_turkish_dotless_i_is_folded_as_turkish() -> None:
    assert terms("ISPARTA", "tr") == terms("ısparta", "tr")


# -- terms --------------------------------------------------------------------------------------------


def test_word_forms_of_a_language_share_a_term() -> None:
    assert terms("policies policy", "en") == ["polici", "polici"]
    assert terms("Überstunden Überstunde", "de") == ["uberstund", "uberstund"]
    assert terms("книгами книга", "ru") == ["книг", "книг"]


def test_without_a_language_words_are_taken_as_they_are() -> None:
    assert terms("policies Café", "") == ["policies", "cafe"]
    assert terms("policies", "xx") == ["policies"]


@pytest.mark.parametrize("query", ["POL-0054", '"POL-0054"', "pol 0054", "what does POL-0054 say"])
def test_fc_43_identifier_is_found_whole_and_by_its_parts(query: str) -> None:
    wanted, other = "POL-0054 covers leave", "POL-0055 covers leave"
    assert len(hits(query, wanted, "en")) > len(hits(query, other, "en"))


def test_fc_43_identifier_is_a_term_and_its_parts_are() -> None:
    assert terms("POL-0054", "en") == ["pol", "0054", "pol-0054"]


def test_fc_43_signs_of_query_languages_are_only_signs() -> None:
    assert query_terms(": ( ) & | ! * ' POL-0054 -- \\ % _", "en") == [
        "pol",
        "0054",
        "pol-0054",
        "_",
    ]


def test_number_is_found_with_and_without_its_thousands_apart() -> None:
    assert hits("1,000", "a fee of 1000 euros", "en") == {"1000"}
    assert hits("1000", "a fee of 1,000 euros", "en") == {"1000"}


def test_dotted_name_and_number_are_terms() -> None:
    assert "3.11.2" in terms("Python 3.11.2.")
    assert "memory.language.text" in terms("see memory.language.text, please")


def test_terms_know_the_words_they_came_from() -> None:
    text = "see POL-0054 now"
    spans = {(s.term, text[s.start : s.end]) for s in term_spans(text, "en")}
    assert ("pol-0054", "POL-0054") in spans
    assert ("0054", "0054") in spans


def test_grams_are_marked_and_optional() -> None:
    assert terms("valves", "en", grams=True) == ["valv", "#valv", "#alve", "#lves"]
    assert query_terms("valves", "en", grams=True) == ["valv", "#valv", "#alve", "#lves"]


def test_vietnamese_word_is_asked_for_as_typed() -> None:
    text = "làm thêm giờ"
    assert hits("làm", text, "vi") == {"làm"}
    assert hits("lam them", text, "vi") == {"lam", "them"}
    assert hits("lắm", text, "vi") == set()


# -- scripts without spaces ---------------------------------------------------------------------------

FC_42 = [
    ("zh", "报销单必须在三十天内提交给财务部", ["报销单", "财务部"], ["出差补助"]),
    ("ja", "棚卸しは毎月最終金曜日に行う", ["棚卸し", "金曜日"], ["水曜日"]),
    ("ko", "출장비는 귀국 후 열흘 안에 정산한다", ["출장비", "정산"], ["휴가"]),
    ("th", "พนักงานต้องส่งใบเสร็จภายในสิ้นเดือน", ["ใบเสร็จ"], ["วันลา"]),
]


@pytest.mark.parametrize(("language", "text", "hit", "miss"), FC_42)
def test_fc_42_word_inside_is_found_and_another_is_not(
    language: str, text: str, hit: list[str], miss: list[str]
) -> None:
    for word in hit:
        assert hits(word, text, language)
        assert hits(word, text, "")
    for word in miss:
        assert not hits(word, text, language)
        assert not hits(word, text, "")


def test_korean_word_is_found_under_another_particle() -> None:
    assert hits("출장비를", "출장비는 정산한다", "ko")
    assert hits("규정은", "규정이 있다", "ko") == {"규정"}
    assert hits("정산합니까?", "출장비는 정산한다", "ko")


def test_long_question_without_spaces_may_be_met_in_part() -> None:
    assert {"报销", "财务"} <= hits("报销单应当交给财务吗", "报销单必须提交给财务部", "zh")


def test_katakana_word_is_one_word() -> None:
    assert not hits("コンピュータ", "コンビニの評価", "ja")


def test_latin_word_in_chinese_text_is_its_own() -> None:
    assert "gpu" in terms("使用GPU服务器", "zh")


# -- stop words -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["the", "it", "will", "?!", "---", "", " \u200b ", "Who is it?"])
def test_fc_44_query_of_stop_words_asks_for_nothing(query: str) -> None:
    assert query_terms(query, "en") == []
    assert query_terms(query, "") == []


@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("wer ist das", "de"),
        ("¿Qué es?", "es"),
        ("что это", "ru"),
        ("là gì", "vi"),
        ("ما هو", "ar"),
        ("क्या है", "hi"),
    ],
)
def test_fc_44_stop_words_are_of_the_language(query: str, language: str) -> None:
    assert query_terms(query, language) == []


def test_stop_word_in_a_text_is_indexed_and_in_an_identifier_asked_for() -> None:
    assert "the" in terms("the", "en")
    assert "it" in query_terms("IT-204", "en")


def test_query_asks_for_a_word_once() -> None:
    assert query_terms("fee, fees and FEE", "en") == ["fee"]


def test_stop_words_are_folded_as_queries_are() -> None:
    for language, listed in STOP_WORDS.items():
        if language != "vi":
            assert {fold_accents(word) for word in listed} == listed


# -- always ---------------------------------------------------------------------------------------------


@given(
    st.text(max_size=80),
    st.sampled_from(["", "en", "de", "tr", "ar", "hi", "zh", "ja", "ko", "th", "vi"]),
)
def test_any_text_has_sound_tokens_and_terms(text: str, language: str) -> None:
    position = 0
    for token in tokenise(text, language):
        assert position <= token.start < token.end
        assert text[token.start : token.end] == token.text
        position = token.end
    for span in term_spans(text, language, grams=True):
        assert span.term
        assert text[span.start : span.end].strip()
    assert all(query_terms(text, language))


@given(st.text(max_size=30))
def test_folding_twice_changes_nothing(word: str) -> None:
    once = fold_accents(fold(word))
    assert fold_accents(once) == once


@given(st.text("aéñйकิ각が😀", max_size=12))
def test_composed_and_decomposed_text_have_the_same_terms(text: str) -> None:
    composed, apart = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert terms(composed, "") == terms(apart, "")


def test_forms_of_one_word_in_several_languages_are_one_and_counted_together() -> None:
    assert query_forms("filters of the band", ["", "en"]) == {
        ("filters", "filter"): 1,
        ("band",): 1,
    }
    assert query_forms("filter, filters and filters", ["", "en"]) == {("filter", "filters"): 3}
    assert query_forms("fee, fees and FEE", ["en"]) == {("fee",): 3}
    assert query_forms("fee", []) == {}


def test_pieces_of_unspaced_writing_are_words_of_their_own_in_every_language() -> None:
    assert query_forms("仓库大门开放", ["en", "zh"]) == {
        (pair,): 1 for pair in ("仓库", "库大", "大门", "门开", "开放")
    }


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("what is the depot", {"depot"}),  # two words say that this is English
        ("world war", {"world", "war"}),  # one does not say that it is German
        ("war", {"war"}),
        ("was hat die Uhr", {"uhr"}),
    ],
)
def test_stop_words_of_the_query_s_language_are_not_asked_for_in_another(
    query: str, expected: set[str]
) -> None:
    assert {form for forms in query_forms(query, ["de", "en"]) for form in forms} == expected
