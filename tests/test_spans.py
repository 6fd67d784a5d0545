"""Quotes found at their place, in the page's own characters."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import InvalidRange
from memory.verification.spans import all_occurrences, fold, locate, snap

TYPOGRAPHIC = (
    "Fares are “non\u2011refundable” once booked. "
    "Groups of ≥\u00a03 pay 40\u202f% less — ask the desk…\n"
)
LIGATURES = "The sample held amyloid \ufb01brils. Front o\ufb03ce hours are 9 to 5.\n"

TEXT = st.text(
    alphabet=st.one_of(
        st.sampled_from(
            "aAbßİﬁﬃ½² \n\u00a0\u200b\u00ad-–—“”'’…ée\u0301가\u1100\u1161\u11a8漢字ไทย👩🏽\u200d💻1٣.,"
        ),
        st.characters(codec="utf-8"),
    ),
    max_size=60,
)


def found(quote: str, text: str, hint: tuple[int, int] | None = None) -> str | None:
    span = locate(quote, text, hint=hint)
    return None if span is None else text[slice(*span)]


def test_exact_quote_is_found_at_its_place() -> None:
    assert locate("12 hours", "Overtime is 12 hours.") == (12, 20)


def test_quote_after_emoji_slices_exactly() -> None:
    text = "🎉👩🏽‍💻 Well done! Overtime is 12 hours. ❤️ Rest."
    span = locate("Overtime is 12 hours.", text)
    assert span is not None
    assert text[slice(*span)] == "Overtime is 12 hours."
    assert span[0] == text.index("Overtime")


@pytest.mark.parametrize(
    ("filler", "case"),
    [
        ("ß" * 300 + " ", "sharp s"),
        (unicodedata.normalize("NFD", "한" * 210) + " ", "decomposed Hangul"),
        ("İ" * 120 + "\n", "dotted capital I"),
        ("ﬃ" * 80 + " ", "ligatures"),
    ],
)
def test_fc_08_folding_maps_back(filler: str, case: str) -> None:
    sentence = "Staff may carry over five days of leave."
    text = f"{filler}{sentence}\n"
    assert locate(sentence.upper(), text) == (len(filler), len(filler) + len(sentence)), case


@pytest.mark.parametrize(
    ("quote", "own"),
    [
        ('Fares are "non-refundable" once booked.', (0, 39)),
        ("40 % less - ask the desk...", (58, 83)),
        ("Groups of >= 3 pay 40 % less", (40, 68)),
    ],
)
def test_fc_09_honest_plain_quote_returns_the_pages_characters(
    quote: str, own: tuple[int, int]
) -> None:
    start, end = own
    place = locate(quote, TYPOGRAPHIC)
    assert place is not None
    assert place[0] == start
    assert TYPOGRAPHIC[slice(*place)] == TYPOGRAPHIC[start:end].rstrip()


@pytest.mark.parametrize(
    "quote",
    [
        'Fares are "refundable" once booked.',
        'refundable" once booked.',
        "40 % more - ask the desk...",
        "Groups of >= 4 pay 40 % less",
    ],
)
def test_fc_09_dishonest_quote_is_not_found(quote: str) -> None:
    assert locate(quote, TYPOGRAPHIC) is None


@pytest.mark.parametrize(
    ("quote", "own"),
    [
        ("The sample held amyloid fibrils.", "The sample held amyloid \ufb01brils."),
        ("Front office hours are 9 to 5.", "Front o\ufb03ce hours are 9 to 5."),
        ("fibrils", "\ufb01brils"),
    ],
)
def test_fc_11_ligatures_are_found_by_plain_letters(quote: str, own: str) -> None:
    assert found(quote, LIGATURES) == own


@pytest.mark.parametrize("quote", ["ibrils", "brils", "ce hours", "fice hours"])
def test_part_of_a_ligature_or_word_is_no_quote(quote: str) -> None:
    assert locate(quote, LIGATURES) is None


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("2 hours", "The cap is 12 hours."),
        ("500 euros", "The fee is 1,500 euros."),
        ("500 euros", "The fee is 1.500 euros."),
        ("5 mg", "Take 0.5 mg."),
        ("0 mg", "Take 0.5 mg or 10 mg."),
        ("5 degrees", "Keep at -5 degrees."),
        ("5 degrees", "Keep at \u22125 degrees."),
        ("17 hours", "Open 9\u201317 hours."),
        ("The fee is 1", "The fee is 1,500 euros."),
        ("POL-005", "See POL-0054."),
        ("0054", "See POL-0054."),
        ("art", "The party starts."),
        ("over", "over\u00adtime is capped"),
        ("cafe", "cafe\u0301 au lait"),
        ("👩", "👩🏽\u200d💻 works"),
        ("3 cups", "Take ¾ cups."),
        ("102 metres", "About 10² metres."),
        ("21/2 cups", "Take 2½ cups."),
        ("lent", "nothing of the kind"),
        ("", "some text"),
        ("  \n", "some text"),
        ("—", "a — b"),
        (".", "One. Two."),
        ("\u200b", "a\u200bb"),
    ],
)
def test_piece_of_another_word_or_number_is_not_found(quote: str, text: str) -> None:
    assert locate(quote, text) is None


@pytest.mark.parametrize(
    ("quote", "text", "own"),
    [
        ("2 1/2 cups", "Take 2½ cups.", "2½ cups"),
        ("10^2 metres", "About 10² metres.", "10² metres"),
        ("3 m2 of floor", "3 m² of floor", "3 m² of floor"),
        ("12 ساعة", "الحد ١٢ ساعة", "١٢ ساعة"),
        ("OVERTIME", "over\u00adtime is capped", "over\u00adtime"),
        ("a b", "x a \u200b \n\t b y", "a \u200b \n\t b"),
        ("a word", "it was a word—other", "a word"),
        ("小时", "12小时", "小时"),
        ("12", "至多12小时", "12"),
        ("서울", "서울은", "서울"),
        ("ＡＢＣ", "plain abc here", "abc"),
        ("It's 'fine'", "It’s ‘fine’ today", "It’s ‘fine’"),
        ("...once booked...", TYPOGRAPHIC, "once booked"),
        ("e\u0301te\u0301", "un été chaud", "été"),
    ],
)
def test_other_spelling_of_the_same_words_is_found(quote: str, text: str, own: str) -> None:
    assert found(quote, text) == own


def test_several_places_without_hint_are_none() -> None:
    assert locate("The fee is 20 euros.", "The fee is 20 euros.\nThe fee is 20 euros.") is None


@pytest.mark.parametrize(
    ("hint", "start"), [((0, 20), 0), ((21, 41), 21), ((18, 38), 21), ((900, 920), 21)]
)
def test_fc_06_nearest_to_the_hint_decides(hint: tuple[int, int], start: int) -> None:
    text = "The fee is 20 euros.\nThe fee is 20 euros."
    assert locate("The fee is 20 euros.", text, hint=hint) == (start, start + 20)


def test_only_place_decides_against_a_wrong_hint() -> None:
    assert locate("five days", "Staff get five days.", hint=(400, 410)) == (10, 19)


def test_exact_place_goes_before_a_folded_one() -> None:
    text = 'the cap is “12”. The cap is "12".'
    assert locate('The cap is "12"', text) == (17, 32)


def test_fc_10_look_alike_is_another_quote() -> None:
    assert locate("Team Alpha cut latency.", "Team Beta cut latency.") is None


def test_all_occurrences_lists_every_place_in_order() -> None:
    assert all_occurrences("ab", "ab, AB, cab, ab") == [(0, 2), (13, 15)]
    assert all_occurrences("aB", "ab, AB, cab") == [(0, 2), (4, 6)]


@pytest.mark.parametrize(
    ("text", "stated", "own"),
    [
        ("12 hours per week", (1, 6), "12 hours"),
        ("12 hours per week", (2, 9), "hours"),
        ("fee 1,500 euros", (6, 9), "1,500"),
        ("👩🏽\u200d💻 works", (0, 1), "👩🏽\u200d💻"),
        ("最多12小时。", (2, 4), "12"),
        ("plain", (0, 5), "plain"),
    ],
)
def test_stated_range_is_widened_to_whole_words(
    text: str, stated: tuple[int, int], own: str
) -> None:
    assert text[slice(*snap(text, *stated))] == own


@pytest.mark.parametrize(("start", "end"), [(-1, 4), (3, 3), (4, 2), (0, 99), (1200, 1280), (5, 6)])
def test_range_that_is_none_is_refused(start: int, end: int) -> None:
    with pytest.raises(InvalidRange):
        snap("12 34 56"[:5] + "   ", start, end)


@given(TEXT)
def test_folded_characters_point_to_the_text_in_order(text: str) -> None:
    folded = fold(text)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert list(folded.starts) == sorted(folded.starts)
    assert all(0 <= a < b <= len(text) for a, b in zip(folded.starts, folded.ends, strict=True))


@given(TEXT)
def test_composed_and_decomposed_text_fold_alike(text: str) -> None:
    composed = fold(unicodedata.normalize("NFC", text)).text
    assert composed == fold(unicodedata.normalize("NFD", text)).text


@given(TEXT, st.data())
def test_whatever_is_cut_at_snapped_edges_is_found_again(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, max(0, len(text) - 1)))
    end = data.draw(st.integers(start, len(text)))
    try:
        span = snap(text, start, end)
    except InvalidRange:
        return
    quote = text[slice(*span)]
    if not any(unicodedata.category(character)[0] in "LNS" for character in quote):
        return
    place = locate(quote, text, hint=span)
    assert place is not None
    assert text[slice(*place)] == quote


@given(TEXT, TEXT)
def test_what_is_found_reads_as_the_quote(quote: str, text: str) -> None:
    place = locate(quote, text)
    if place is not None:
        start, end = place
        assert 0 <= start < end <= len(text)
        assert fold(text[start:end]).text.strip() in fold(quote).text
