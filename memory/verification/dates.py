"""Dates and times of day in a text, in the notations of many languages. Pure.

Texts come with ASCII digits. Ambiguous notations keep every reading: ``07/08/2024`` is two days.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import regex

from memory.language.units import MONTH_WORDS

Span = tuple[int, int]
Day = tuple[int, int, int]  # year, month, day; 0 where not stated

# No letter or digit before, but for letters of scripts that are written without spaces.
ALONE = r"(?<!(?![\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}])\w)"
_MONTH = "|".join(sorted(map(regex.escape, MONTH_WORDS), key=len, reverse=True))
_OF = r"(?:\s+(?:of|de|del|di|van))?"
_YEAR = r"(?P<y>\d{4})"
_DATE = regex.compile(
    rf"""{ALONE}(?<!\d[.,])(?:
      {_YEAR}(?P<s>[-/.])(?P<m>\d{{1,2}})(?P=s)(?P<d>\d{{1,2}})(?!\d)
    | (?P<a>\d{{1,2}})(?P<s>[-/.])(?P<b>\d{{1,2}})(?P=s)(?P<y>\d{{4}}|\d{{2}})(?![\d.]*\d)
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
    rf"""{ALONE}(?<!\d[.:,])(?:
      (?P<h>\d{{1,2}})(?:[:.](?P<m>\d{{2}}))?\s?(?P<half>(?i:[ap]m|[ap]\.\s?m\.?))(?!\w)
    | (?P<h>\d{{1,2}})(?::(?P<m>\d{{2}}))(?::\d{{2}})?(?!\d)
    | (?P<h>\d{{1,2}})[hH](?P<m>\d{{2}})(?!\w)
    | (?P<h>\d{{1,2}})(?:[.:](?P<m>\d{{2}}))?\s?Uhr\b
    | (?P<half>上午|下午|午前|午後|오전|오후)\s?(?P<h>\d{{1,2}})\s?
      (?:[点點時时시:](?!間|间)\s?(?P<m>\d{{1,2}})?[分분]?)
    | (?P<h>\d{{1,2}})\s?(?:[点點時](?!間|间))(?:(?P<m>\d{{1,2}})分)?
    )""",
    regex.VERBOSE,
)


def find_dates(text: str) -> Iterator[tuple[Span, frozenset[Day]]]:
    for match in _DATE.finditer(text):
        days = _days(match)
        if days:
            yield match.span(), days


def find_times(text: str) -> Iterator[tuple[Span, frozenset[Fraction]]]:
    """Minutes after midnight."""
    for match in _TIME.finditer(text):
        hour, minute = int(match["h"]), int(match["m"] or 0)
        half = (match["half"] or "").casefold()
        if half:
            if not 1 <= hour <= 12:
                continue
            is_afternoon = half[0] == "p" or half in ("下午", "午後", "오후")
            hour = hour % 12 + (12 if is_afternoon else 0)
        if hour <= 24 and minute < 60:
            yield match.span(), frozenset({Fraction(hour * 60 + minute)})


def _days(match: regex.Match[str]) -> frozenset[Day]:
    year, month, day = (int(match[name] or 0) for name in ("y", "m", "d"))
    if 0 < year < 100:
        year += 2000
    if match["name"]:
        month = MONTH_WORDS[match["name"].casefold()]
    if not match["a"]:
        return frozenset({(year, month, day)} if _is_day(month, day or 1) else ())
    first, second = int(match["a"]), int(match["b"])
    orders = {(second, first)} if match["s"] == "." else {(second, first), (first, second)}
    return frozenset((year, *order) for order in orders if _is_day(*order))


def _is_day(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31
