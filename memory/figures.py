"""Figures in a text: numbers with units, dates, times of day, periods, versions. Pure.

Two notations of one figure are equal: ``1,500`` and ``1.500`` (German), ``12`` and ``twelve``,
``13.07.2024`` and ``July 13, 2024``, ``2 pm`` and ``14:00``. Another unit is another figure. Where a
notation is ambiguous a figure keeps every reading.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

import regex

from memory.numerals import (
    CHINESE_DIGITS,
    LONGEST_PHRASE,
    chinese_value,
    is_ambiguous,
    phrases,
    readings,
)
from memory.units import (
    MONTH_WORDS,
    MULTIPLIER_WORDS,
    PER,
    PERIOD_WORDS,
    TIME_NAMES,
    UNSPACED_UNITS,
    unit_of,
)


class FigureKind(StrEnum):
    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    PERIOD = "period"  # "per week"
    CODE = "code"  # a version or an address: 3.11.2


Day = tuple[int, int, int]  # year, month, day; 0 where not stated


@dataclass(frozen=True, slots=True)
class Figure:
    """``values`` are all readings: fractions, or for dates ``Day`` tuples, for times minutes.

    ``named_by`` is the capitalised word before a bare number, folded: *decree* of "Decree 145".
    ``start`` and ``end`` are its place in the text that was read.
    """

    kind: FigureKind
    text: str
    start: int
    end: int
    values: frozenset[Fraction] | frozenset[Day] | frozenset[str] = frozenset()
    unit: str = ""
    named_by: str = ""
    is_loose: bool = False  # a number word that may be no number, with no unit beside it

    @property
    def is_year(self) -> bool:
        return (
            self.kind is FigureKind.NUMBER
            and not self.unit
            and len(self.text) == 4
            and any(isinstance(value, Fraction) and 1500 <= value < 2200 for value in self.values)
        )


# No letter or digit before, but for letters of scripts that are written without spaces.
_ALONE = r"(?<!(?![\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}])\w)"
_MONTH = "|".join(sorted(map(regex.escape, MONTH_WORDS), key=len, reverse=True))
_OF = r"(?:\s+(?:of|de|del|di|van))?"
_YEAR = r"(?P<y>\d{4})"
_DATE = regex.compile(
    rf"""{_ALONE}(?<!\d[.,])(?:
      {_YEAR}(?P<s>[-/.])(?P<m>\d{{1,2}})(?P=s)(?P<d>\d{{1,2}})(?!\d)
    | (?P<a>\d{{1,2}})(?P<s>[-/.])(?P<b>\d{{1,2}})(?P=s)(?P<y>\d{{4}}|\d{{2}})(?![\d.])
    | (?P<d>\d{{1,2}})(?:st|nd|rd|th|er|º|ª|°|\.)?{_OF}\s+(?P<name>{_MONTH})\b\.?(?:,?{_OF}\s+{_YEAR}\b)?
    | (?P<name>{_MONTH})\b\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.,]\d)(?:,?\s+{_YEAR}\b)?
    | (?P<name>{_MONTH})\b\.?,?{_OF}\s+{_YEAR}\b
    | (?:(?P<y>\d{{4}})\s?[年년]\s?)?(?P<m>\d{{1,2}})\s?[月월]\s?(?P<d>\d{{1,2}})\s?[日号號일]
    | (?P<y>\d{{4}})\s?[年년]\s?(?P<m>\d{{1,2}})\s?[月월]
    | (?:ngày\s+)?(?P<d>\d{{1,2}})\s+tháng\s+(?P<m>\d{{1,2}})(?:,?\s+năm\s+(?P<y>\d{{4}}))?
    | tháng\s+(?P<m>\d{{1,2}})(?:\s+năm\s+|/){_YEAR}
    | (?P<name>january|february|april|june|july|august|september|october|november|december)\b
    )""",
    regex.VERBOSE | regex.IGNORECASE,
)
_TIME = regex.compile(
    rf"""{_ALONE}(?<!\d[.:,])(?:
      (?P<h>\d{{1,2}})(?:[:.](?P<m>\d{{2}}))?\s?(?P<half>[ap]\.?\s?m\.?)(?!\w)
    | (?P<h>\d{{1,2}})(?::(?P<m>\d{{2}}))(?::\d{{2}})?(?!\d)
    | (?P<h>\d{{1,2}})[hH](?P<m>\d{{2}})(?!\w)
    | (?P<h>\d{{1,2}})(?:[.:](?P<m>\d{{2}}))?\s?Uhr\b
    | (?P<half>上午|下午|午前|午後|오전|오후)\s?(?P<h>\d{{1,2}})\s?
      (?:[点點時时시:](?!間|间)\s?(?P<m>\d{{1,2}})?[分분]?)
    | (?P<h>\d{{1,2}})\s?(?:[点點時](?!間|间))(?:(?P<m>\d{{1,2}})分)?
    )""",
    regex.VERBOSE,
)
_CODE = regex.compile(rf"{_ALONE}(?<!\d[.,])v?\d+(?:\.\d+){{2,}}(?!\w)")
_GROUP = r"[,.'’\u00a0\u202f ]"
_NUMBER = regex.compile(
    rf"""
    (?P<before>[$€£¥￥₫₹₩₽₺฿₿]|\b(?:US|A|C|S)\$|\b(?:USD|EUR|GBP|JPY|VND|CHF|CNY|INR)\b)?\s?
    (?P<sign>(?<![\w)\]%])[-−])?
    {_ALONE}(?<!\p{{L}}[-‐‑]|\d[.,])
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
_AFTER = regex.compile(
    r"\s?[-‐‑]?\s?(?P<word>km/h|Mbit/s|Gbit/s|[^\W\d_]+[²³]?|°[CF]?|[%％٪‰$€£¥₫₹₩₽₺฿₿¢])"
)
_WORD = regex.compile(r"[^\W\d_]+(?:[-’'][^\W\d_]+)*")
_NAMED = regex.compile(r"(?P<word>\p{Lu}[\p{L}\p{M}]*)\.?[\s\u00a0]?(?:[Nn]o\.?\s?|№\s?)?$")
_CHINESE_NUMBER = regex.compile(
    rf"(?P<prefix>百分之)?(?P<numeral>[{CHINESE_DIGITS}]+)"
    rf"(?P<unit>{'|'.join(UNSPACED_UNITS)}|[个個名人次条條项項章级級位件])?"
)
_PERCENT_BEFORE = regex.compile(r"(?:百分之|٪|%)\s?$")
_LINKING = frozenset(
    "of to in the per and or is are was a an for at on bis und von à et de y e".split()
)


def figures(text: str, language: str = "") -> list[Figure]:
    """All figures of ``text`` in order. ``language`` decides what ``1.500`` and *elf* mean."""
    text = _plain_digits(text)
    found: list[Figure] = []
    taken = bytearray(len(text))
    for reader in (_codes, _dates, _times):
        for figure in reader(text):
            _take(figure, taken, found)
    for figure in _numbers(text, language):
        _take(figure, taken, found)
    for reader_of_words in (_number_words, _chinese_numbers):
        for figure in reader_of_words(text, language):
            _take(figure, taken, found)
    for figure in _periods(text):
        _take(figure, taken, found)
    return sorted(found, key=lambda figure: figure.start)


def unit_words(text: str) -> frozenset[str]:
    """Canonical names of all units and periods that the text mentions, numbers or not."""
    words = [match.group() for match in regex.finditer(r"[^\W\d_]+[²³]?|[%‰$€£¥₫₹₩°]", text)]
    named = {unit_of(word) for word in words} | {
        PERIOD_WORDS.get(word.casefold(), "") for word in words
    }
    named |= {unit_of(unit) for unit in UNSPACED_UNITS if unit in text}
    return frozenset(named - {""})


def _plain_digits(text: str) -> str:
    """ASCII digits for those of every script, character by character, so that offsets stay."""
    return "".join(
        str(unicodedata.decimal(character)) if character.isdecimal() else character
        for character in text
    )


def _take(figure: Figure, taken: bytearray, found: list[Figure]) -> None:
    if not any(taken[figure.start : figure.end]):
        taken[figure.start : figure.end] = b"\x01" * (figure.end - figure.start)
        found.append(figure)


def _codes(text: str) -> Iterator[Figure]:
    for match in _CODE.finditer(text):
        if not _DATE.fullmatch(match.group()):
            code = match.group().lstrip("v")
            yield Figure(FigureKind.CODE, match.group(), *match.span(), values=frozenset({code}))


def _dates(text: str) -> Iterator[Figure]:
    for match in _DATE.finditer(text):
        year, month, day = (int(match[name] or 0) for name in ("y", "m", "d"))
        if year and year < 100:
            year += 2000
        if match["name"]:
            month = MONTH_WORDS[match["name"].casefold()]
        if match["a"]:
            first, second = int(match["a"]), int(match["b"])
            orders = [(second, first)] if match["s"] == "." else [(second, first), (first, second)]
            days = frozenset((year, *order) for order in orders if _is_day(*order))
        else:
            days = frozenset({(year, month, day)} if _is_day(month, day or 1) else ())
        if days:
            yield Figure(FigureKind.DATE, match.group(), *match.span(), values=days)


def _is_day(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31


def _times(text: str) -> Iterator[Figure]:
    for match in _TIME.finditer(text):
        hour, minute = int(match["h"]), int(match["m"] or 0)
        half = (match["half"] or "").casefold()
        if half:
            if not 1 <= hour <= 12:
                continue
            is_afternoon = half[0] == "p" or half in ("下午", "午後", "오후")
            hour = hour % 12 + (12 if is_afternoon else 0)
        if hour <= 24 and minute < 60:
            minutes = frozenset({Fraction(hour * 60 + minute)})
            yield Figure(FigureKind.TIME, match.group(), *match.span(), values=minutes)


def _numbers(text: str, language: str) -> Iterator[Figure]:
    for match in _NUMBER.finditer(text):
        digits, part = match["digits"], match["part"]
        if not digits and not part:
            continue
        start = (
            match.start("sign") if match["sign"] else match.start("digits" if digits else "part")
        )
        end = match.end()
        if text[end : end + 1].isalnum() and _is_identifier(text, end):
            continue
        values = readings(digits, language) if digits else frozenset({Fraction(0)})
        if part:
            piece = Fraction(str(unicodedata.numeric(part.strip()))).limit_denominator(10)
            values = frozenset(value + piece for value in values)
        unit = unit_of(match["before"]) if match["before"] else ""
        if not unit and _PERCENT_BEFORE.search(text, max(0, start - 4), start):
            unit = "percent"
        values, unit, after = _with_unit(text, end, values, unit)
        if match["sign"] or text[:start].casefold().rstrip().endswith("minus"):
            values = frozenset(-value for value in values)
        before = _NAMED.search(text, max(0, start - 40), start)
        yield Figure(
            FigureKind.NUMBER,
            text[start:after].strip() if unit else text[start:end].strip(),
            start,
            after,
            values=values,
            unit=unit,
            named_by=before["word"].casefold() if before and not unit else "",
        )


def _is_identifier(text: str, end: int) -> bool:
    """Is the number the head of a word such as ``4G2``, rather than ``12h`` or ``5km``?"""
    word = regex.match(r"[\w]+", text, pos=end)
    if word is None:
        return False
    token = word.group()
    return not (
        unit_of(token)
        or token.casefold() in MULTIPLIER_WORDS
        or _unspaced_unit(text, end)
        or not token[0].isascii()
    )


def _with_unit(
    text: str, end: int, values: frozenset[Fraction], unit: str
) -> tuple[frozenset[Fraction], str, int]:
    """Reads a multiplier and a unit behind a number: "1.5 million euros", "12 working days"."""
    for _ in range(3):
        after = _AFTER.match(text, end)
        if after is None:
            break
        word = after["word"]
        factor = _multiplier(text, after.start("word"), word, attached=after.start("word") == end)
        if factor:
            values = frozenset(value * factor[0] for value in values)
            end = after.start("word") + factor[1]
            continue
        found, length = _unit_at(text, after.start("word"), word)
        if not found and not unit:
            # One adjective may stand between: "12 working days".
            following = _AFTER.match(text, after.end())
            if following and following.start("word") > after.end() and len(word) > 2:
                name = unit_of(following["word"])
                if name in TIME_NAMES and word.casefold() not in _LINKING | PER:
                    return values, name, following.end()
            break
        if found and (not unit or found == unit):
            return values, found, after.start("word") + length
        break
    return values, unit, end


def _multiplier(text: str, start: int, word: str, *, attached: bool) -> tuple[Fraction, int] | None:
    folded = word.casefold()
    if folded in MULTIPLIER_WORDS and (len(folded) > 1 or attached or not folded.isascii()):
        return MULTIPLIER_WORDS[folded], len(word)
    for length in (2, 1):
        piece = text[start : start + length]
        if piece in MULTIPLIER_WORDS and piece[0] >= "\u2e80":
            return MULTIPLIER_WORDS[piece], length
    return None


def _unit_at(text: str, start: int, word: str) -> tuple[str, int]:
    name = unit_of(word)
    if name:
        return name, len(word)
    prefix = _unspaced_unit(text, start)
    return (unit_of(prefix), len(prefix)) if prefix else ("", 0)


def _unspaced_unit(text: str, start: int) -> str:
    return next((unit for unit in UNSPACED_UNITS if text.startswith(unit, start)), "")


def _number_words(text: str, language: str) -> Iterator[Figure]:
    words = list(_WORD.finditer(text))
    tables = [phrases(code) for code in dict.fromkeys(("en", language.partition("-")[0])) if code]
    at = 0
    while at < len(words):
        size, value = _phrase_at(text, words, at, tables)
        if size == 0:
            at += 1
            continue
        start, end = words[at].start(), words[at + size - 1].end()
        values, unit, after = _with_unit(text, end, frozenset({Fraction(value)}), "")
        phrase = " ".join(word.group() for word in words[at : at + size]).casefold()
        yield Figure(
            FigureKind.NUMBER,
            text[start:after] if unit else text[start:end],
            start,
            after,
            values=values,
            unit=unit,
            is_loose=not unit and is_ambiguous(phrase, value),
        )
        at += size


def _phrase_at(
    text: str, words: list[regex.Match[str]], at: int, tables: Iterable[dict[str, int]]
) -> tuple[int, int]:
    for size in range(min(LONGEST_PHRASE, len(words) - at), 0, -1):
        run = words[at : at + size]
        gaps = [text[left.end() : right.start()] for left, right in zip(run, run[1:], strict=False)]
        if any(gap.strip() for gap in gaps):
            continue
        phrase = " ".join(word.group() for word in run).casefold()
        for table in tables:
            if phrase in table:
                return size, table[phrase]
    return 0, 0


def _chinese_numbers(text: str, language: str) -> Iterator[Figure]:
    del language
    for match in _CHINESE_NUMBER.finditer(text):
        value = chinese_value(match["numeral"])
        unit = "percent" if match["prefix"] else unit_of(match["unit"] or "")
        # Without a measure behind it a numeral is mostly part of a word: 一般, 统一.
        if value is not None and (match["unit"] or match["prefix"]):
            values = frozenset({Fraction(value)})
            yield Figure(FigureKind.NUMBER, match.group(), *match.span(), values=values, unit=unit)


def _periods(text: str) -> Iterator[Figure]:
    """``per week``, ``weekly``, ``每周``: a unit that a rate is counted by."""
    words = list(regex.finditer(r"[^\W\d_]+|/", text))
    for previous, word in zip([None, *words], words, strict=False):
        folded = word.group().casefold()
        name = PERIOD_WORDS.get(folded, "")
        if name not in TIME_NAMES:
            continue
        is_adverb = folded not in _TIME_WORDS
        follows_per = previous is not None and previous.group().casefold() in PER
        if is_adverb or follows_per:
            yield Figure(FigureKind.PERIOD, word.group(), *word.span(), unit=name)
    for match in regex.finditer(rf"每个?個?(?P<unit>{'|'.join(UNSPACED_UNITS)})", text):
        name = unit_of(match["unit"])
        if name in TIME_NAMES:
            yield Figure(FigureKind.PERIOD, match.group(), *match.span(), unit=name)


_TIME_WORDS = frozenset(word for word in PERIOD_WORDS if unit_of(word) in TIME_NAMES)
