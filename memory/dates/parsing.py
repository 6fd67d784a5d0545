"""From a text to the one period that it is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, tzinfo
from typing import Final

import regex

from memory.dates.grammar import find
from memory.dates.iso import with_zone
from memory.dates.joining import Named, join
from memory.dates.lexing import Language, language_of, tokenise
from memory.dates.periods import Period, Unit, around
from memory.dates.pieces import Reading, folded, reading_of, without_accents
from memory.dates.tense import settled
from memory.dates.tokens import Kind
from memory.dates.words import VOCABULARIES
from memory.hits import Window
from memory.language.languages import STOP_WORDS, detect_language

_SCRIPTS: Final = (
    (regex.compile(r"[\p{Hiragana}\p{Katakana}]"), ("ja",)),
    (regex.compile(r"\p{Han}"), ("zh", "ja")),
    (regex.compile(r"\p{Hangul}"), ("ko",)),
    (regex.compile(r"\p{Thai}"), ("th",)),
    (regex.compile(r"\p{Arabic}"), ("ar",)),
    (regex.compile(r"\p{Devanagari}"), ("hi",)),
    (regex.compile(r"\p{Cyrillic}"), ("ru", "uk")),
    (
        regex.compile(r"\p{Latin}"),
        ("en", "es", "fr", "de", "it", "pt", "vi", "nl", "pl", "id", "tr"),
    ),
)

_NONE: Final[frozenset[str]] = frozenset()
_WHOLE_DATE: Final = 3  # words: day, month and year
# Common words of a language that tell a day in another one.
_FALSE_FRIENDS: Final = {"de": frozenset({"hier"}), "nl": frozenset({"hier"})}


def parse_window(text: str, *, anchor: datetime, language: str = "") -> Window | None:
    """The period that a query asks about, from midnight to the last microsecond of a day.

    Days are those of the anchor's zone; an anchor without zone is UTC. Of several periods the one that
    something was moved to counts, then the narrowest, then the first. A date without its year is the
    latest, unless the words around it look ahead. None where the text names none, or one that can be
    read in two ways.
    """
    named = _named(text, anchor=anchor, language=language, present=False)
    return _window(named.period, with_zone(anchor).tzinfo) if named else None


def occurrence(
    text: str, *, anchor: datetime, language: str = ""
) -> tuple[datetime, datetime] | None:
    """When a sentence says that something happened, as ``parse_window``.

    Weeks and months ago are the whole week or month. A weekday or month that stands alone says
    nothing, nor does a period of which only one end is told. What is told in the present ("starts on
    10 January") is the nearest such date.
    """
    named = _named(text, anchor=anchor, language=language, present=True)
    if named is None or named.is_open or not named.period.is_sure:
        return None
    window = _window(_as_exact_as_told(named.period), with_zone(anchor).tzinfo)
    return window.start, window.end


def _as_exact_as_told(period: Period) -> Period:
    if period.days > 1 or period.about not in (Unit.WEEK, Unit.MONTH):
        return period
    try:
        return around(period.start, period.about)
    except (ValueError, OverflowError):  # the calendar's last week
        return period


def _window(period: Period, zone: tzinfo | None) -> Window:
    return Window(
        datetime.combine(period.start, time.min, zone), datetime.combine(period.end, time.max, zone)
    )


def _named(text: str, *, anchor: datetime, language: str, present: bool) -> Named | None:
    """The text's own language and English first. Others count where those have nothing certain to
    say: short texts do not tell their language.
    """
    text = folded(text)
    told = language.split("-")[0].casefold() or detect_language(text)
    own = told if told in VOCABULARIES else ""
    first = list(dict.fromkeys([own or "en", "en"]))
    reader = _Reader(text, anchor.date(), present=present)
    best = _clearest(map(reader.best, first))
    others = [code for code in _of_scripts(text) if code not in first]
    if best and best.period.is_sure and own:
        return _told_elsewhere(best, reader, others) if best.is_unsettled else best
    ordinary = (STOP_WORDS.get(told, _NONE) | _FALSE_FRIENDS.get(told, _NONE)) if told else None
    certain = [
        found
        for code in others
        if (found := reader.best(code, ordinary=ordinary))
        and found.period.is_sure
        # A language without a vocabulary shares names of months with others, and chance words.
        and (own or not told or found.length >= _WHOLE_DATE)
    ]
    return max([*([best] if best else []), *certain], key=_weight, default=None)


def _told_elsewhere(best: Named, reader: _Reader, codes: Iterable[str]) -> Named:
    """The same date where another language that knows it sees a plan, or else the past: a sentence
    may be in another language than its text, which shares no more than the month's name.
    """
    read = [named for code in codes for named in reader.read(code) if named.is_like(best)]
    ahead = (each for each in read if each.is_told_ahead)
    past = (each for each in read if each.tense == Kind.HELD)
    return next(ahead, None) or next(past, best)


class _Reader:
    """Reads one text in one language after the other, cutting it up once."""

    def __init__(self, text: str, anchor: date, *, present: bool) -> None:
        self._text = text
        self._anchor = anchor
        self._present = present
        self._readings: dict[bool, Reading] = {}

    def read(self, code: str, *, ordinary: frozenset[str] | None = None) -> list[Named]:
        language = language_of(code)
        tokens = tokenise(self._reading(language), language, ordinary=ordinary)
        found = find(tokens, language, self._anchor) if tokens else []
        if not found:
            return []
        named = join(tokens, found, language, self._anchor)
        return settled(named, tokens, self._anchor, language.vocabulary, present=self._present)

    def best(self, code: str, *, ordinary: frozenset[str] | None = None) -> Named | None:
        """Of what one language sees: what is certain, has both its ends and was moved to; then the
        narrowest, then the first."""
        return min(self.read(code, ordinary=ordinary), key=_rank, default=None)

    def _reading(self, language: Language) -> Reading:
        keeps = language.vocabulary.keeps_accents
        if keeps not in self._readings:
            text = self._text if keeps else without_accents(self._text)
            self._readings[keeps] = reading_of(text)
        return self._readings[keeps]


def _weight(named: Named) -> tuple[bool, int, bool, bool]:
    return named.period.is_sure, named.length, named.is_told_ahead, bool(named.tense)


def _rank(named: Named) -> tuple[bool, bool, bool, int]:
    """The lower the better."""
    period = named.period
    return not period.is_sure, named.is_open, not named.is_target, period.days


def _clearest(readings: Iterable[Named | None]) -> Named | None:
    """Of two languages' readings: of the same rank, the one that took in more of the text."""
    return min(
        filter(None, readings),
        key=lambda each: (_rank(each), -each.length, not each.is_told_ahead),
        default=None,
    )


def _of_scripts(plain: str) -> Iterator[str]:
    for pattern, codes in _SCRIPTS:
        if pattern.search(plain):
            yield from codes
