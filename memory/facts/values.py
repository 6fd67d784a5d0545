"""The values that a statement gives: figures, versions, days of the week, dates, times. Pure.

A day and the time beside it are one value: "Tuesday at 10" and "Thursday at 11" differ once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Final

import regex

from memory.facts.cue_words import WEEKDAYS
from memory.verification.dates import Day
from memory.verification.figures import Figure, FigureKind

Part = Fraction | Day | str
Reading = Part | frozenset[Part]

_BETWEEN = regex.compile(
    r"[\s,]{0,2}(?:(?:at|on|from|by|the|um|ab|am|den|dem|der|à|a|le|las|los|la|el|alle|às|em|в|во|lúc|vào)\s)?"
    r"(?:(?:the|las|den|dem)\s)?\s?",
    regex.IGNORECASE,
)
# "At 7" is a time of day as "7:00" is.
_AT = regex.compile(
    r"(?<!\p{L})(?:at|from|until|till|um|ab|bis|à|las|alle|às|в|до|lúc)\s$", regex.IGNORECASE
)
_WEEKDAY = regex.compile(
    "|".join(
        rf"(?<![\p{{L}}\p{{M}}])(?:{words})(?![\p{{L}}\p{{M}}])|(?:{unspaced})"
        for words, unspaced in WEEKDAYS
    ),
    regex.IGNORECASE,
)
_WEEKDAY_OF = tuple(
    regex.compile(f"(?:{words}|{unspaced})", regex.IGNORECASE) for words, unspaced in WEEKDAYS
)
_TYPES: Final[Mapping[str, type]] = {"weekday": str, "date": tuple, "time": Fraction}
_WHEN = frozenset(_TYPES)


@dataclass(frozen=True, slots=True)
class Value:
    """``readings`` are all that it may mean; two values of one ``kind`` that share one are the same.

    ``named_by`` is the capitalised word that a bare number belongs to: *postgresql* of
    "PostgreSQL 15".
    """

    start: int
    end: int
    kind: str
    readings: frozenset[Reading]
    named_by: str = ""

    @property
    def names_a_day(self) -> bool:
        return "date" in self.kind or "weekday" in self.kind


def values(text: str, figures: Iterable[Figure]) -> list[Value]:
    """In order of their place. ``figures`` are those of ``text``."""
    found = sorted((*_of_figures(text, figures), *weekdays(text)), key=lambda value: value.start)
    joined: list[Value] = []
    for value in found:
        before = joined[-1] if joined else None
        if before and value.start < before.end:
            continue
        if before and _is_one(text, before, value):
            joined[-1] = _together(before, value)
        else:
            joined.append(value)
    return joined


def weekdays(text: str) -> Iterator[Value]:
    """The days of the week that the text names, Monday is "0"."""
    for match in _WEEKDAY.finditer(text):
        day = next(n for n, words in enumerate(_WEEKDAY_OF) if words.fullmatch(match.group()))
        yield Value(*match.span(), "weekday", frozenset({str(day)}))


def _of_figures(text: str, figures: Iterable[Figure]) -> Iterator[Value]:
    for figure in figures:
        span = figure.start, figure.end
        if figure.kind is FigureKind.DATE:
            yield Value(*span, "date", frozenset(figure.days))
        elif figure.kind is FigureKind.TIME:
            # "At 7" and "at 7:00" are the same.
            hours = frozenset(minutes / 60 for minutes in figure.numbers)
            yield Value(*span, "time", hours)
        elif figure.kind is FigureKind.CODE:
            yield Value(*span, "code", frozenset({figure.text}))
        elif figure.kind is FigureKind.NUMBER and not figure.is_loose:
            is_time = not figure.unit and _AT.search(text, max(0, figure.start - 8), figure.start)
            kind = "time" if is_time and max(figure.numbers) <= 24 else f"number {figure.unit}"
            yield Value(*span, kind, figure.numbers, figure.named_by)


def _is_one(text: str, before: Value, value: Value) -> bool:
    kinds = set(before.kind.split("+"))
    return (
        kinds <= _WHEN
        and value.kind in _WHEN - kinds
        and _BETWEEN.fullmatch(text, before.end, value.start) is not None
    )


def _together(before: Value, value: Value) -> Value:
    """In one order, so that "Tuesday at 10" and "10:00 on Tuesday" are alike."""
    pairs = product(before.readings, value.readings)
    readings: frozenset[Reading] = frozenset(
        frozenset((*parts_of(one), *parts_of(other))) for one, other in pairs
    )
    kind = "+".join(sorted((*before.kind.split("+"), value.kind)))
    return Value(before.start, value.end, kind, readings)


def parts_of(reading: Reading) -> Iterable[Part]:
    """A day and a time, or the one thing that it is."""
    return reading if isinstance(reading, frozenset) else (reading,)


def is_of(part: Part, kind: str) -> bool:
    """Whether it is a "weekday", a "date" or a "time"."""
    return isinstance(part, _TYPES[kind])
