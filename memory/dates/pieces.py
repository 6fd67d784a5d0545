"""A text cut into words, figures and marks, the same for every language that it is read in."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final

import regex

from memory.dates.periods import day_of, months_of
from memory.dates.tokens import Kind, Token
from memory.language.folding import fold_accents

MAX_LENGTH: Final = 2000  # code points that are read; queries are shorter


class Cut(StrEnum):
    """What a piece of text is by its looks. The names are those of the groups below."""

    YEAR_FIRST = "year_first"
    YEAR_LAST = "year_last"
    YEAR_MONTH = "year_month"
    CODE = "code"  # versions, addresses, clock times, fractions
    QUARTER = "quarter"
    DECADE = "decade"
    NUMBER = "number"
    NOISE = "noise"  # 13kg
    HAN_NUMBER = "han_number"
    WORD = "word"
    MARK = "mark"


# Tried in this order. A date in figures stands alone; a clock time behind it does not matter.
_PIECES: Final = regex.compile(
    r"""
      (?P<year_first>(?<![\w./:\-])
          (?P<y>\d{4})(?P<s>[-/.])(?P<m>\d\d?)(?P=s)(?P<d>\d\d?)
          (?:t\d\d(?::\d\d){1,2}(?:\.\d+)?(?:z|[+-]\d\d:?\d\d)?)?
          (?![\w/]|[.:\-]\d))
    | (?P<year_last>(?<![\w./:\-])
          (?P<a>\d\d?)(?P<sep>[-/.])(?P<b>\d\d?)(?P=sep)(?P<last>\d{4})
          (?![\w/]|[.:\-]\d))
    | (?P<year_month>(?<![\w./:\-])(?P<year>\d{4})-(?P<month>\d\d)(?![\w/]|[.:\-]\d))
    | (?P<code>\d+(?:[.,:/]\d+)+|\d+[\p{Latin}\p{Cyrillic}_]+\d\w*)
    | (?P<quarter>\bq(?P<part>[1-4])(?!\w))
    | (?P<decade>(?<!\w)(?P<tens>\d{3}0)'?s(?!\w))
    | (?P<number>(?<![\p{Latin}_\#$€£:/.])(?P<digits>\d{1,5})
          (?:st|nd|rd|th|er|re|e|o|a|°|го|е|й|я|ste|de)?
          (?![\d_\p{Latin}\p{Cyrillic}%]))
    | (?P<noise>\d+\w*)
    | (?P<han_number>[〇零一二三四五六七八九十百两兩])
    | (?P<word>[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}ー]|[\p{L}\p{M}]+)
    | (?P<mark>[^\w\s'’`])
    """,
    regex.VERBOSE,
)
_OUTER: Final = {_PIECES.groupindex[cut]: cut for cut in Cut}
_WHOLE: Final = frozenset({Kind.DATE, Kind.QUARTER, Kind.DECADE})
_OTHER: Final = Token(Kind.OTHER)


@dataclass(frozen=True, slots=True)
class Piece:
    """``token`` is what it is in every language that has no word for it."""

    text: str
    cut: Cut
    token: Token


@dataclass(frozen=True, slots=True)
class Reading:
    """A text in pieces."""

    pieces: tuple[Piece, ...]
    words: frozenset[str]
    has_numbers: bool
    has_dates: bool  # in figures: they need no words


def folded(text: str) -> str:
    """Compatibility form, without case: what every language's reading starts from."""
    return unicodedata.normalize("NFKC", text[:MAX_LENGTH]).casefold()


def without_accents(plain: str) -> str:
    # Past the cache, which is one of words.
    return plain if plain.isascii() else fold_accents.__wrapped__(plain)


def reading_of(plain: str) -> Reading:
    """``plain`` is folded, and without accents for languages that do not tell words apart by them."""
    pieces = tuple(_cut(plain))
    return Reading(
        pieces,
        frozenset(piece.text for piece in pieces),
        has_numbers=any(piece.cut in (Cut.NUMBER, Cut.HAN_NUMBER) for piece in pieces),
        has_dates=any(piece.token.kind in _WHOLE for piece in pieces),
    )


def _cut(plain: str) -> Iterator[Piece]:
    for match in _PIECES.finditer(plain):
        cut = next(cut for group, cut in _OUTER.items() if match[group] is not None)
        yield Piece(match[0], cut, _token(cut, match))


def _token(cut: Cut, match: regex.Match[str]) -> Token:
    match cut:
        case Cut.YEAR_FIRST:
            return _date(int(match["y"]), int(match["m"]), int(match["d"]))
        case Cut.YEAR_LAST:
            return _year_last(match)
        case Cut.YEAR_MONTH:
            year, month = int(match["year"]), int(match["month"])
            if not (year and 1 <= month <= 12):
                return _OTHER
            return Token(Kind.DATE, period=months_of(year, month))
        case Cut.QUARTER:
            return Token(Kind.QUARTER, int(match["part"]))
        case Cut.DECADE:
            return Token(Kind.DECADE, int(match["tens"]))
        case Cut.NUMBER:
            return Token(Kind.NUMBER, int(match["digits"]))
        case _:
            return _OTHER


def _year_last(match: regex.Match[str]) -> Token:
    """Dots state the order: day, month, year. Slashes and dashes state none (07/08/2024 is July 8
    to some and 7 August to others), so they count only where one order is possible.
    """
    first, second, year = int(match["a"]), int(match["b"]), int(match["last"])
    if match["sep"] == "." or first > 12 or first == second:
        return _date(year, second, first)
    return _date(year, first, second) if second > 12 else _OTHER


def _date(year: int, month: int, day: int) -> Token:
    try:
        return Token(Kind.DATE, period=day_of(date(year, month, day)))
    except ValueError:
        return _OTHER
