"""A language's words for time, as a table, and the lexicon that is made of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

import regex

from memory.dates.periods import Unit
from memory.dates.tokens import DEADLINE, HAVING, TARGET, Kind, Token
from memory.language.folding import fold_accents
from memory.language.numerals import is_ambiguous


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """Folded words, apart by spaces; ``_`` joins the words of a phrase and ``|`` parts groups.

    Months start with January, weekdays with Monday, seasons with spring, numbers and ordinals with
    one; units may part singular and plural. ``relative`` gives a unit and an offset, as in
    ``yesterday=day-1``. Words of ``ambiguous`` are months or weekdays only in company. A phrase of
    ``past`` that ends in ``$`` counts only where nothing follows it in its clause.
    """

    months: str = ""
    weekdays: str = ""
    seasons: str = ""
    ambiguous: str = ""
    hours: str = ""
    days: str = ""
    weeks: str = ""
    weekends: str = ""
    months_long: str = ""
    quarters: str = ""
    halves: str = ""
    years: str = ""
    decades: str = ""
    relative: str = ""
    last: str = ""
    last_after: str = ""
    this: str = ""
    next: str = ""
    rolling: str = ""
    ago: str = ""
    ago_before: str = ""
    ahead: str = ""
    ahead_before: str = ""
    in_: str = ""
    from_: str = ""
    to: str = ""
    between: str = ""
    and_: str = ""
    since: str = ""
    before: str = ""
    after: str = ""
    since_behind: str = ""
    before_behind: str = ""
    after_behind: str = ""
    parts: str = ""
    numbers: str = ""
    ordinals: str = ""
    couple: str = ""
    few: str = ""
    marks: str = ""  # year | month | day
    glue: str = ""
    will: str = ""  # these tell a plan from what has been (``tense``)
    plan: str = ""
    present: str = ""
    having: str = ""  # the present, and with a participle the past: "have"
    held: str = ""
    moved: str = ""
    promised: str = ""
    clause: str = ""
    held_forms: str = ""  # a pattern of words that are in no field: "opened", but "is closed"
    deadlines: str = ""  # words of ``in_`` and ``to`` that look ahead: by, until
    targets: str = ""  # those that a plan is made for or moved to: for, to
    past: str = ""  # what held before; for ``is_about_past``
    modifier_follows: bool = False  # "semaine dernière", "lunes pasado"
    tells_past: bool = False  # the fields above know most words that tell the past
    is_weekday_plain: bool = False  # a weekday alone means the day: "lundi"
    has_dotted_ordinals: bool = False  # "13. Juli"
    keeps_accents: bool = False  # they tell words apart: năm, nam
    is_year_word_behind: bool = False  # "2023 года"
    is_part_behind: bool = False  # 5月初
    has_numbered_weekdays: bool = False  # 上周五
    has_buddhist_years: bool = False  # 2567 is 2024


_BY_KIND: Final = {
    "will": Kind.WILL, "plan": Kind.PLAN, "present": Kind.PRESENT, "having": Kind.PRESENT,
    "held": Kind.HELD, "moved": Kind.MOVED, "promised": Kind.PROMISED, "clause": Kind.CLAUSE,
    "last": Kind.LAST, "last_after": Kind.LAST_AFTER, "this": Kind.THIS, "next": Kind.NEXT,
    "rolling": Kind.ROLLING, "ago": Kind.AGO, "ago_before": Kind.AGO_BEFORE, "ahead": Kind.AHEAD,
    "ahead_before": Kind.AHEAD_BEFORE, "in_": Kind.IN, "from_": Kind.FROM, "to": Kind.TO,
    "between": Kind.BETWEEN, "and_": Kind.AND, "since": Kind.SINCE, "before": Kind.BEFORE,
    "after": Kind.AFTER, "since_behind": Kind.SINCE_BEHIND, "before_behind": Kind.BEFORE_BEHIND,
    "after_behind": Kind.AFTER_BEHIND, "couple": Kind.COUPLE, "few": Kind.FEW, "glue": Kind.GLUE,
}  # fmt: skip
_UNITS: Final = {
    "hours": Unit.HOUR, "days": Unit.DAY, "weeks": Unit.WEEK, "weekends": Unit.WEEKEND,
    "months_long": Unit.MONTH, "quarters": Unit.QUARTER, "halves": Unit.HALF, "years": Unit.YEAR,
    "decades": Unit.DECADE,
}  # fmt: skip
_GROUPS: Final = (
    ("months", Kind.MONTH, 1), ("weekdays", Kind.WEEKDAY, 0), ("seasons", Kind.SEASON, 0),
    ("parts", Kind.PART, 0), ("numbers", Kind.NUMBER, 1), ("ordinals", Kind.ORDINAL, 1),
)  # fmt: skip
_NUMBERED: Final = {"having": HAVING, "deadlines": DEADLINE, "targets": TARGET}
_UNSURE: Final = {Kind.MONTH: Kind.MONTH_OR_NOT, Kind.WEEKDAY: Kind.WEEKDAY_OR_NOT}
_MARKS: Final = (
    Token(Kind.YEAR_MARK, unit=Unit.YEAR),
    Token(Kind.MONTH_MARK, unit=Unit.MONTH),
    Token(Kind.DAY_MARK, unit=Unit.DAY),
)
_RELATIVE = regex.compile(r"(?P<phrase>\S+)=(?P<unit>[a-z]+)(?P<offset>[+-]\d+)")

# How a phrase and a text are cut alike: scripts that part no words go character by character.
PIECE: Final = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}ー]|[\p{L}\p{M}]+|\d+|[^\w\s'’]"
)


def _entries(vocabulary: Vocabulary) -> Iterator[tuple[str, Token]]:
    unsure = frozenset(vocabulary.ambiguous.split())
    for field, kind in _BY_KIND.items():
        for word in getattr(vocabulary, field).split():
            yield word, Token(kind)
    for field, unit in _UNITS.items():
        for number, group in enumerate(getattr(vocabulary, field).split("|"), start=1):
            for word in group.split():
                yield word, Token(Kind.UNIT, number, unit)
    for field, kind, first in _GROUPS:
        for number, group in enumerate(getattr(vocabulary, field).split("|"), start=first):
            for word in group.split():
                yield word, Token(_UNSURE.get(kind, kind) if word in unsure else kind, number)
    for mark, group in zip(_MARKS, vocabulary.marks.split("|"), strict=False):
        for word in group.split():
            yield word, mark
    for match in _RELATIVE.finditer(vocabulary.relative):
        yield match["phrase"], Token(Kind.RELATIVE, int(match["offset"]), Unit(match["unit"]))


Lexicon = dict[str, list[tuple[tuple[str, ...], Token]]]


def lexicon_of(vocabulary: Vocabulary, numbers: Mapping[str, int]) -> Lexicon:
    """Phrases by their first piece, longest first. Of a word in two fields the later one counts.

    ``numbers`` are the language's numbers in words; the vocabulary's own words come before them.
    """
    phrases = {_cut(word): token for word, token in _entries(vocabulary)}
    for field, number in _NUMBERED.items():
        for word in map(_cut, getattr(vocabulary, field).split()):
            phrases[word] = replace(phrases[word], number=number)
    for words, value in numbers.items():
        if 1 < value < 100 and not is_ambiguous(words, value):
            folded = words if vocabulary.keeps_accents else fold_accents(words.casefold())
            phrases.setdefault(_cut(folded), Token(Kind.NUMBER, value))
    lexicon: Lexicon = {}
    for phrase in sorted(phrases, key=len, reverse=True):
        lexicon.setdefault(phrase[0], []).append((phrase, phrases[phrase]))
    return lexicon


def _cut(phrase: str) -> tuple[str, ...]:
    return tuple(PIECE.findall(phrase.replace("_", " ")))
