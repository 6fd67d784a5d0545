"""Figures in a text: numbers with units, dates, times of day, periods, versions. Pure.

Two notations of one figure are equal: ``1,500`` and ``1.500`` (German), ``12`` and ``twelve``,
``13.07.2024`` and ``July 13, 2024``, ``2 pm`` and ``14:00``. Another unit is another figure. Where a
notation is ambiguous a figure keeps every reading.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import chain

import regex

from memory.language.numerals import (
    CHINESE_DIGITS,
    LONGEST_PHRASE,
    chinese_value,
    is_ambiguous,
    phrases,
    readings,
)
from memory.language.units import PER, PERIOD_WORDS, TIME_NAMES, UNSPACED_UNITS, unit_of
from memory.verification.dates import ALONE, Day, find_dates, find_times
from memory.verification.quantities import Quantity, is_identifier, read_quantity


class FigureKind(StrEnum):
    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    PERIOD = "period"  # "per week"
    CODE = "code"  # a version or an address: 3.11.2


@dataclass(frozen=True, slots=True)
class Figure:
    """Every reading of one figure: numbers, days, or for a time of day its minutes after midnight.

    ``start`` and ``end`` are its place in the text that was read. ``named_by`` is the capitalised
    word before a bare number, folded: *decree* of "Decree 145". ``is_loose`` marks a number word
    that may be no number and has no unit beside it.
    """

    kind: FigureKind
    text: str
    start: int
    end: int
    numbers: frozenset[Fraction] = frozenset()
    days: frozenset[Day] = frozenset()
    unit: str = ""
    named_by: str = ""
    is_loose: bool = False

    @property
    def is_year(self) -> bool:
        is_bare = self.kind is FigureKind.NUMBER and not self.unit and len(self.text) == 4
        return is_bare and any(1500 <= number < 2200 for number in self.numbers)


_CODE = regex.compile(rf"{ALONE}(?<!\d[.,])v?\d+(?:\.\d+){{2,}}(?!\w)")
_GROUP = r"[,.'’\u00a0\u202f ]"
_NUMBER = regex.compile(
    rf"""
    (?P<before>[$€£¥￥₫₹₩₽₺฿₿]|\b(?:US|A|C|S)\$|\b(?:USD|EUR|GBP|JPY|VND|CHF|CNY|INR)\b)?\s?
    (?P<sign>(?<![\w)\]%])[-−])?
    {ALONE}(?<!\p{{Latin}}[-‐‑]|\d[.,])
    (?P<digits>
        \d{{1,3}}(?P<sep>{_GROUP})\d{{3}}(?:(?P=sep)\d{{3}})*(?!\d)(?:[.,]\d+)?
      | \d{{1,2}}(?:,\d{{2}})+,\d{{3}}(?!\d)
      | \d+(?:[.,]\d+)?
    )?
    (?P<part>\s?[¼-¾⅐-⅞])?
    (?P<ordinal>(?:st|nd|rd|th)\b)?
    """,
    regex.VERBOSE,
)
_WORD = regex.compile(r"[^\W\d_]+(?:[-’'][^\W\d_]+)*")
_NAMED = regex.compile(r"(?P<word>\p{Lu}[\p{L}\p{M}]*)\.?[\s\u00a0]?(?:[Nn]o\.?\s?|№\s?)?$")
_UNIT_WORD = regex.compile(r"[^\W\d_]+[²³]?|[%‰$€£¥₫₹₩°]")
_UNSPACED = "|".join(UNSPACED_UNITS)
_CHINESE_NUMBER = regex.compile(
    rf"(?P<prefix>百分之)?(?P<numeral>[{CHINESE_DIGITS}]+)"
    rf"(?P<unit>{_UNSPACED}|[个個名人次条條项項章级級位件])?"
)
_CHINESE_PERIOD = regex.compile(rf"每[个個]?(?P<unit>{_UNSPACED})")
_PERIOD_TOKEN = regex.compile(r"[^\W\d_]+|/")
_PERCENT_BEFORE = regex.compile(r"(?:百分之|٪|%)\s?$")
_LOOK_BACK = 40
_PERIOD_NOUNS = frozenset(word for word in PERIOD_WORDS if unit_of(word) in TIME_NAMES)


def figures(text: str, language: str = "") -> list[Figure]:
    """All figures of ``text`` in order. ``language`` decides what ``1.500`` and *elf* mean."""
    text = _plain_digits(text)
    found: list[Figure] = []
    taken = bytearray(len(text))
    for figure in chain(
        _codes(text),
        _dates(text),
        _times(text),
        _numbers(text, language),
        _number_words(text, language),
        _chinese_numbers(text),
        _periods(text),
    ):
        if not any(taken[figure.start : figure.end]):
            taken[figure.start : figure.end] = b"\x01" * (figure.end - figure.start)
            found.append(figure)
    return sorted(found, key=lambda figure: figure.start)


def unit_words(text: str) -> frozenset[str]:
    """Canonical names of all units and periods that the text mentions, numbers or not."""
    words = _UNIT_WORD.findall(text)
    named = {unit_of(word) for word in words}
    named |= {PERIOD_WORDS.get(word.casefold(), "") for word in words}
    named |= {unit_of(unit) for unit in UNSPACED_UNITS if unit in text}
    return frozenset(named - {""})


def _plain_digits(text: str) -> str:
    """ASCII digits for those of every script, character by character, so that offsets stay."""
    if text.isascii():
        return text
    return "".join(
        str(unicodedata.decimal(character)) if character.isdecimal() else character
        for character in text
    )


def _codes(text: str) -> Iterator[Figure]:
    dates = {span for span, _ in find_dates(text)}
    for match in _CODE.finditer(text):
        if match.span() not in dates:
            yield Figure(FigureKind.CODE, match.group().lstrip("v"), *match.span())


def _dates(text: str) -> Iterator[Figure]:
    for (start, end), days in find_dates(text):
        yield Figure(FigureKind.DATE, text[start:end], start, end, days=days)


def _times(text: str) -> Iterator[Figure]:
    for (start, end), minutes in find_times(text):
        yield Figure(FigureKind.TIME, text[start:end], start, end, numbers=minutes)


def _numbers(text: str, language: str) -> Iterator[Figure]:
    for match in _NUMBER.finditer(text):
        digits, part, end = match["digits"], match["part"], match.end()
        if not (digits or part) or is_identifier(text, end):
            continue
        start = match.start("digits" if digits else "part")
        values = readings(digits, language) if digits else frozenset({Fraction(0)})
        if part:
            piece = Fraction(unicodedata.numeric(part.strip())).limit_denominator(10)
            values = frozenset(value + piece for value in values)
        if match["sign"] or text[:start].rstrip().casefold().endswith("minus"):
            values = frozenset(-value for value in values)
            start = match.start("sign") if match["sign"] else start
        unit = unit_of(match["before"] or "")
        if _PERCENT_BEFORE.search(text, max(0, start - _LOOK_BACK), start):
            unit = "percent"
        quantity = read_quantity(text, Quantity(values, end, unit))
        named = _NAMED.search(text, max(0, start - _LOOK_BACK), start)
        yield _number(text, start, quantity, named_by=named["word"].casefold() if named else "")


def _number(
    text: str, start: int, quantity: Quantity, *, named_by: str = "", is_loose: bool = False
) -> Figure:
    return Figure(
        FigureKind.NUMBER,
        text[start : quantity.end].strip(),
        start,
        quantity.end,
        numbers=quantity.values,
        unit=quantity.unit,
        named_by="" if quantity.unit else named_by,
        is_loose=is_loose and not quantity.unit,
    )


def _number_words(text: str, language: str) -> Iterator[Figure]:
    words = list(_WORD.finditer(text))
    tables = [phrases(code) for code in dict.fromkeys(("en", language.partition("-")[0])) if code]
    at = 0
    while at < len(words):
        size, value = _phrase_at(text, words[at : at + LONGEST_PHRASE], tables)
        if size:
            start, end = words[at].start(), words[at + size - 1].end()
            quantity = read_quantity(text, Quantity(frozenset({Fraction(value)}), end))
            loose = is_ambiguous(text[start:end].casefold(), value)
            yield _number(text, start, quantity, is_loose=loose)
        at += size or 1


def _phrase_at(
    text: str, words: Sequence[regex.Match[str]], tables: Iterable[dict[str, int]]
) -> tuple[int, int]:
    """Size and value of the longest number phrase that ``words`` begin with, size 0 for none."""
    for size in range(len(words), 0, -1):
        phrase = text[words[0].start() : words[size - 1].end()].casefold()
        for table in tables:
            if phrase in table:
                return size, table[phrase]
    return 0, 0


def _chinese_numbers(text: str) -> Iterator[Figure]:
    for match in _CHINESE_NUMBER.finditer(text):
        value = chinese_value(match["numeral"])
        # Without a measure behind it a numeral is mostly part of a word: 一般, 统一.
        if value is not None and (match["unit"] or match["prefix"]):
            unit = "percent" if match["prefix"] else unit_of(match["unit"])
            values = frozenset({Fraction(value)})
            yield _number(text, match.start(), Quantity(values, match.end(), unit))


def _periods(text: str) -> Iterator[Figure]:
    """``per week``, ``weekly``, ``每周``: what a rate is counted by."""
    previous = ""
    for match in _PERIOD_TOKEN.finditer(text):
        word = match.group().casefold()
        name = PERIOD_WORDS.get(word, "")
        if name and (word not in _PERIOD_NOUNS or previous in PER):
            yield Figure(FigureKind.PERIOD, match.group(), *match.span(), unit=name)
        previous = word
    for match in _CHINESE_PERIOD.finditer(text):
        if unit_of(match["unit"]) in TIME_NAMES:
            yield Figure(
                FigureKind.PERIOD, match.group(), *match.span(), unit=unit_of(match["unit"])
            )
