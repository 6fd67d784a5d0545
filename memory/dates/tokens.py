"""What a text is to the grammar: tokens of a few kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Final, TypeAlias

from memory.dates.periods import Period, Unit


@dataclass(frozen=True, slots=True)
class Token:
    """A word that the grammar knows. ``kind`` is one character (see ``Kind``).

    ``number`` is a value, the place in a week, a year or a row, an offset, or 2 for a plural.
    ``is_after_comma``: commas are no tokens, and may part clauses.
    """

    kind: str
    number: int = 0
    unit: Unit = Unit.DAY
    period: Period | None = None
    is_after_comma: bool = False


class Kind:
    """What words are to the grammar. One character each, so that its rules are patterns."""

    NUMBER = "D"
    HAN_NUMBER = "H"  # 五
    ORDINAL = "O"  # first, third
    COUPLE = "C"
    FEW = "G"
    MONTH = "M"
    MONTH_OR_NOT = "n"  # may, march: a month only in company
    WEEKDAY = "W"
    WEEKDAY_OR_NOT = "w"  # sun, sat
    UNIT = "U"
    SEASON = "S"
    QUARTER = "K"  # Q3
    DECADE = "E"  # 1990s
    RELATIVE = "R"  # yesterday; 上周
    LAST = "L"
    LAST_AFTER = "V"  # stands behind its noun, and may also mean ago or before: trước
    THIS = "T"
    NEXT = "N"
    ROLLING = "p"  # past week: up to now, not the calendar's
    AGO = "A"
    AGO_BEFORE = "B"  # vor, hace
    AHEAD = "F"
    AHEAD_BEFORE = "I"
    IN = "P"
    FROM = "f"
    TO = "t"
    BETWEEN = "b"
    AND = "&"
    SINCE = "s"
    BEFORE = "<"
    AFTER = ">"
    SINCE_BEHIND = ")"  # languages whose prepositions stand behind: 以来
    BEFORE_BEHIND = "{"
    AFTER_BEHIND = "}"
    PART = "e"  # early 0, mid 1, late 2
    YEAR_MARK = "Y"  # 年
    MONTH_MARK = "m"
    DAY_MARK = "d"
    DATE = "q"  # a date in figures
    # What a clause says of its time, outside of periods (``tense``).
    WILL = "!"  # will, going to
    PLAN = "?"  # planned for, due
    PRESENT = "="  # starts, findet
    HELD = "_"  # was, met
    MOVED = "^"  # postponed, booked: "to" and "for" a date name one to come
    PROMISED = "*"  # promised, agreed to: so does a date behind it
    CLAUSE = ";"  # that, but, a full stop: what stands behind it is another clause
    DASH = "-"
    GLUE = ""  # of, the: dropped
    OTHER = "x"


# Numbers of words that have no value.
GUESSED: Final = 1  # held, by its form alone
HAVING: Final = 1  # present: have
DEADLINE: Final = 1  # in, to: by, until
TARGET: Final = 2  # in, to: for, to

CUES: Final = frozenset({Kind.WILL, Kind.PLAN, Kind.PRESENT, Kind.HELD, Kind.MOVED, Kind.PROMISED})

# Makes a period of the tokens that a rule took in, or None where they name none after all. May
# raise ``ValueError`` and ``OverflowError``, as dates do.
Builder: TypeAlias = Callable[[list[Token], date], Period | None]


def kinds_of(tokens: Iterable[Token]) -> str:
    """One character a token: what the rules are patterns over."""
    return "".join(token.kind for token in tokens)


def of(tokens: list[Token], kinds: str) -> list[Token]:
    return [token for token in tokens if token.kind in kinds]


def numbers(tokens: list[Token]) -> list[int]:
    return [token.number for token in tokens if token.kind in "DHO"]


def direction(tokens: list[Token]) -> int:
    """-1 for last, 1 for next, 0 for this"""
    kinds = {token.kind for token in tokens}
    return -1 if kinds & set("LV") else 1 if "N" in kinds else 0
