"""Figures: one value in many notations, another unit is another figure."""

from __future__ import annotations

from fractions import Fraction

import pytest

from memory.language.numerals import chinese_value, phrases, readings
from memory.verification.evidence import Evidence
from memory.verification.figure_support import unsupported_figures
from memory.verification.figures import FigureKind, figures


def missing(claim: str, quote: str, *, language: str = "", context: tuple[str, ...] = ()) -> tuple:
    return unsupported_figures(claim, Evidence((quote,), (quote,), context, language))


@pytest.mark.parametrize(
    ("text", "language", "value", "unit"),
    [
        ("12 hours", "", 12, "hour"),
        ("12h", "", 12, "hour"),
        ("12-hour shifts", "", 12, "hour"),
        ("twelve hours", "en", 12, "hour"),
        ("zwölf Stunden", "de", 12, "hour"),
        ("douze heures", "fr", 12, "hour"),
        ("doce horas", "es", 12, "hour"),
        ("mười hai giờ", "vi", 12, "hour"),
        ("12小时", "zh", 12, "hour"),
        ("十二小时", "zh", 12, "hour"),
        ("12시간", "ko", 12, "hour"),
        ("١٢ ساعة", "ar", 12, "hour"),
        ("12 working days", "en", 12, "day"),
        ("25 paid days", "en", 25, "day"),
        ("fünfundzwanzig Tage", "de", 25, "day"),
        ("soixante-quinze jours", "fr", 75, "day"),
        ("quatre-vingt-dix jours", "fr", 90, "day"),
        ("veinticinco días", "es", 25, "day"),
        ("venticinque giorni", "it", 25, "day"),
        ("one hundred and five metres", "en", 105, "metre"),
        ("40 %", "", 40, "percent"),
        ("40%", "", 40, "percent"),
        ("40\u202f%", "", 40, "percent"),
        ("百分之十二", "zh", 12, "percent"),
        ("$5", "", 5, "usd"),
        ("5 dollars", "", 5, "usd"),
        ("US$ 5", "", 5, "usd"),
        ("$5 day pass", "", 5, "usd"),
        ("5 €", "", 5, "eur"),
        ("EUR 5", "", 5, "eur"),
        ("£1.5m", "", 1_500_000, "gbp"),
        ("1.5 million euros", "en", 1_500_000, "eur"),
        ("200 triệu đồng", "vi", 200_000_000, "vnd"),
        ("3万元", "zh", 30_000, "cny"),
        ("1,500 km", "", 1500, "kilometre"),
        ("1.500 km", "de", 1500, "kilometre"),
        ("1 500 km", "fr", 1500, "kilometre"),
        ("1’500 km", "", 1500, "kilometre"),
        ("1,00,000 rupees", "hi", 100_000, "inr"),
        ("0,5 mg", "de", Fraction(1, 2), "milligram"),
        ("2½ hours", "", Fraction(5, 2), "hour"),
        ("-5 degrees", "", -5, "degree"),
        ("\u22125 °C", "", -5, "celsius"),
        ("minus 5 degrees", "", -5, "degree"),
        ("10 GB", "", 10, "gigabyte"),
        ("3 km²", "", 3, "square_kilometre"),
    ],
)
def test_number_with_unit(text: str, language: str, value: int | Fraction, unit: str) -> None:
    found = [figure for figure in figures(text, language) if figure.kind is FigureKind.NUMBER]
    assert [(figure.numbers, figure.unit) for figure in found] == [(frozenset({value}), unit)]


@pytest.mark.parametrize(
    "text",
    [
        "13.07.2024",
        "13/07/2024",
        "2024-07-13",
        "13 July 2024",
        "13th of July 2024",
        "July 13, 2024",
        "Jul 13 2024",
        "13. Juli 2024",
        "13 juillet 2024",
        "13 de julio de 2024",
        "ngày 13 tháng 7 năm 2024",
        "2024年7月13日",
        "2024년 7월 13일",
    ],
)
def test_date_in_any_notation(text: str) -> None:
    (figure,) = figures(text)
    assert figure.kind is FigureKind.DATE
    assert (2024, 7, 13) in figure.days


def test_fc_50_ambiguous_date_keeps_both_readings() -> None:
    (figure,) = figures("07/08/2024")
    assert figure.days == {(2024, 7, 8), (2024, 8, 7)}


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("14:00", 840),
        ("2 pm", 840),
        ("2:00 PM", 840),
        ("2 p.m.", 840),
        ("14 Uhr", 840),
        ("14h30", 870),
        ("下午2点", 840),
        ("12 am", 0),
        ("12 pm", 720),
    ],
)
def test_time_of_day(text: str, minutes: int) -> None:
    (figure,) = figures(text)
    assert figure.kind is FigureKind.TIME
    assert figure.numbers == {Fraction(minutes)}


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("POL-0054 and V-097 and 4G2 and COVID-19", []),
        ("Python 3.11.2", [("3.11.2", FigureKind.CODE)]),
        ("Art. 107", [("107", FigureKind.NUMBER)]),
        ("from 9-17", [("9", FigureKind.NUMBER), ("17", FigureKind.NUMBER)]),
        ("per week", [("week", FigureKind.PERIOD)]),
        ("weekly", [("weekly", FigureKind.PERIOD)]),
        ("每周", [("每周", FigureKind.PERIOD)]),
        ("一般统一", []),
    ],
)
def test_what_counts_as_a_figure(text: str, kinds: list[tuple[str, FigureKind]]) -> None:
    assert [(figure.text, figure.kind) for figure in figures(text)] == kinds


def test_bare_word_for_one_is_loose_and_not_asked_for() -> None:
    assert missing("One of the managers approves.", "A manager approves.") == ()
    assert missing("One hour is allowed.", "Two hours are allowed.") == ("One hour",)


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The legal age is 64.", "The legal age is 64."),
        ("The cap is 12 hours per week.", "Overtime: twelve hours a week"),
        ("The cap is 12 hours weekly.", "Overtime: 12 hours per week"),
        ("It costs $1,500.", "The price is 1500 dollars."),
        ("Signed on July 13, 2024.", "Signed 13.07.2024"),
        ("Signed in July 2024.", "Signed 13.07.2024"),
        ("Signed in 2024.", "Signed 13.07.2024"),
        ("It opens at 2 pm.", "Open from 14:00"),
        ("It opens at 14.", "Open from 14:00"),
        ("Once in one week.", "Once per week"),
        ("1. Open the valve to 8 bar.", "Open the valve to 8 bar"),
    ],
)
def test_same_figure_in_another_notation_is_held(claim: str, quote: str) -> None:
    assert missing(claim, quote) == ()


@pytest.mark.parametrize(
    ("claim", "quote", "named"),
    [
        ("The legal age is 62.", "The legal age is 64.", ("62",)),
        ("The cap is 12 days.", "The cap is 12 hours.", ("12 days",)),
        ("The cap is 12%.", "The cap is 12 hours.", ("12%",)),
        ("It costs 20 dollars.", "It costs 20 euros.", ("20 dollars",)),
        ("The cap is 12 hours per month.", "The cap is 12 hours per week.", ("month",)),
        ("Signed on 14 July 2024.", "Signed 13.07.2024", ("14 July 2024",)),
        ("Signed on 13 July 2023.", "Signed on 13 July.", ("13 July 2023",)),
        ("It opens at 3 pm.", "Open from 14:00", ("3 pm",)),
        ("It opens at 5 pm.", "Hours are 9 to 5.", ("5 pm",)),
        ("Keep at 5 degrees.", "Keep at -5 degrees.", ("5 degrees",)),
        ("It takes 1.5 hours.", "It takes 15 hours.", ("1.5 hours",)),
        ("Use Python 3.11.3.", "Use Python 3.11.2.", ("3.11.3",)),
        ("31. März ist der Stichtag.", "Der 30. März ist der Stichtag.", ("31. März",)),
        ("Fee 100, then 200.", "Fee 100.", ("200",)),
    ],
)
def test_fc_21_other_figure_is_named(claim: str, quote: str, named: tuple[str, ...]) -> None:
    assert missing(claim, quote) == named


def test_unit_of_a_cell_comes_from_its_column() -> None:
    header = ("Valve\tMax pressure (bar)",)
    assert missing("V-097 stands 14 bar.", "V-097\t14", context=header) == ()
    assert missing("V-097 stands 14 psi.", "V-097\t14", context=header) == ("14 psi",)


@pytest.mark.parametrize(
    ("claim", "context", "named"),
    [
        ("The cap stands in Decree 145 Art. 107.", ("Decree 145", "Art. 107. Overtime"), ()),
        ("The total in 2025 was high.", ("Finance/2025/Invoice",), ()),
        ("The cap stands in Decree 146.", ("Decree 145",), ("146",)),
        ("The fee is 145.", ("Decree 145",), ("145",)),
        ("The fee is 145 euros.", ("145 euros",), ("145 euros",)),
        ("Signed on 13 July 2025.", ("Plan 2025",), ()),
    ],
)
def test_headings_carry_names_and_years_but_no_figures(
    claim: str, context: tuple[str, ...], named: tuple[str, ...]
) -> None:
    assert missing(claim, "The total is high. Signed on 13 July.", context=context) == named


@pytest.mark.parametrize(
    ("digits", "language", "expected"),
    [
        ("1.500", "de", {1500}),
        ("1.500", "en", {Fraction(3, 2)}),
        ("1.500", "", {1500, Fraction(3, 2)}),
        ("1,500", "", {1500}),
        ("1,500", "de", {Fraction(3, 2)}),
        ("1,5", "", {Fraction(3, 2)}),
        ("1.234,56", "", {Fraction("1234.56")}),
        ("1,234.56", "", {Fraction("1234.56")}),
        ("1.234.567", "", {1234567}),
        ("0.500", "de", {Fraction(1, 2)}),
        ("007", "", {7}),
    ],
)
def test_readings_of_grouped_digits(
    digits: str, language: str, expected: set[int | Fraction]
) -> None:
    assert readings(digits, language) == expected


@pytest.mark.parametrize(
    ("numeral", "value"),
    [
        ("十", 10),
        ("十二", 12),
        ("二十五", 25),
        ("一百零五", 105),
        ("两万三千", 23000),
        ("一二", None),
    ],
)
def test_chinese_numeral(numeral: str, value: int | None) -> None:
    assert chinese_value(numeral) == value


def test_unknown_language_has_no_number_words() -> None:
    assert phrases("xx") == {}
