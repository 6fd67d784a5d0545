"""What a fact states, so far as rules can tell: for comparing two facts. Pure.

*Twins* say the same in nearly the same words. *Rivals* fill one slot with two values, of which only
one can hold at a time: the same words but for a figure, a time or a name after a predicate of state.
Both tests are symmetric, and rather miss a pair than make one up.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from functools import cached_property

import regex

from memory.facts import clauses, cue_words, rewording
from memory.facts.names import capitalised_inside, mentions
from memory.facts.slots import Slot, slots_of
from memory.facts.values import Reading, weekdays
from memory.language.analysis import terms, tokenise
from memory.language.folding import fold
from memory.language.languages import STOP_WORDS
from memory.verification.dates import Day
from memory.verification.figures import Figure, FigureKind, figures
from memory.verification.polarity import Polarity, agree, polarity

_ALIKE = 0.8  # of the content words
_FEWEST_WORDS = 3
_QUESTION_MARKS = regex.compile(r"[?？؟]")
_EMPTY = cue_words.ARTICLES | cue_words.DEFINITE


@dataclass(frozen=True)
class Statement:
    """A fact as it is compared. ``occurred``: when it says that something happened."""

    text: str
    language: str = ""
    speaker: str = ""
    occurred: tuple[datetime, datetime] | None = None

    @cached_property
    def lasting(self) -> str:
        """The text without what says only that it holds now."""
        return " ".join(cue_words.CHANGE.sub(" ", self.text).split())

    @cached_property
    def words(self) -> frozenset[str]:
        """Stems that carry meaning."""
        stop = STOP_WORDS.get(self.language) or STOP_WORDS[""]
        return frozenset(
            term
            for token in tokenise(self.lasting, self.language)
            if token.folded not in stop
            for term in terms(token.text, self.language)
        )

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        return tuple(figures(self.text, self.language))

    @cached_property
    def polarity(self) -> Polarity:
        return polarity(self.text, self.language)

    @cached_property
    def names(self) -> frozenset[str]:
        known = capitalised_inside(self.text, self.language)
        return frozenset(
            fold(mention.name) for mention in mentions(self.text, self.language, known=known)
        )

    @cached_property
    def folded(self) -> tuple[str, ...]:
        return tuple(token.folded for token in tokenise(self.text, self.language))

    @cached_property
    def is_of_speaker(self) -> bool:
        return not cue_words.first_person(self.language).isdisjoint(self.folded) or bool(
            cue_words.FIRST_PERSON_UNSPACED.search(self.text)
        )

    @cached_property
    def settled(self) -> Statement:
        """The same in the plainest words, without a word of now."""
        plain = rewording.settled(self.lasting)
        return self if plain == self.text else replace(self, text=plain)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Stems of all words; of scripts without spaces pairs of letters."""
        tokens = tokenise(self.settled.text, self.language)
        return frozenset(term for token in tokens for term in terms(token.text, self.language))

    @cached_property
    def opening(self) -> str:
        """The first word that stays."""
        return next((token.folded for token in tokenise(self.lasting, self.language)), "")

    @cached_property
    def weekdays(self) -> frozenset[Reading]:
        return frozenset(day for found in weekdays(self.text) for day in found.readings)

    @property
    def asks(self) -> bool:
        return _QUESTION_MARKS.search(self.text) is not None

    @cached_property
    def has_changed(self) -> bool:
        """It says itself that this was otherwise before."""
        return (
            cue_words.CHANGE.search(self.text) is not None
            or cue_words.ENDED.search(self.text) is not None
            or rewording.says_change(self.lasting)
        )

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """Those of the whole and of its clauses."""
        if self.asks:
            return ()
        parts = (self, *(replace(self, text=clause) for clause in clauses.within(self.text)))
        return tuple(slot for part in parts if part.is_clear for slot in slots_of(part.settled))

    @property
    def is_clear(self) -> bool:
        """Whom or what it is about stands in it."""
        first = self.folded[0] if self.folded else ""
        is_vague = first in cue_words.VAGUE and (self.language, first) != ("it", "il")
        return bool(first) and not is_vague


def are_twins(one: Statement, other: Statement) -> bool:
    """Whether two facts say the same: two witnesses of one observation."""
    if one.asks or other.asks or min(len(one.words), len(other.words)) < _FEWEST_WORDS:
        return False
    if not _same_speaker(one, other) or not _same_time(one, other):
        return False
    shared, all_words = one.words & other.words, one.words | other.words
    if len(shared) < _ALIKE * len(all_words):
        return False
    first, second = one.opening, other.opening
    if first != second and not ({first, second} <= _EMPTY):
        return False
    if (
        one.weekdays != other.weekdays
        or one.names != other.names
        or _measured(one) != _measured(other)
    ):
        return False
    return _same_polarity(one, other)


def are_rivals(one: Statement, other: Statement) -> bool:
    """Whether two facts cannot both hold now."""
    is_change = one.has_changed or other.has_changed
    return any(
        mine.frame == theirs.frame
        and mine.kind == theirs.kind
        and mine.values.isdisjoint(theirs.values)
        and not _is_part(mine, theirs)
        and ((mine.is_state and theirs.is_state) or is_change)
        for mine in one.slots
        for theirs in other.slots
    )


def _is_part(mine: Slot, theirs: Slot) -> bool:
    """Ana is Ana Lopez, and New York is New York City, as far as anybody can tell."""
    if mine.kind != "name":
        return False
    one, other = (
        {word for name in slot.values for word in str(name).split()} for slot in (mine, theirs)
    )
    return one <= other or other <= one


def _same_speaker(one: Statement, other: Statement) -> bool:
    if one.is_of_speaker or other.is_of_speaker:
        return fold(one.speaker) == fold(other.speaker)
    return True


def _same_time(one: Statement, other: Statement) -> bool:
    return one.occurred is None or other.occurred is None or one.occurred == other.occurred


def _same_polarity(one: Statement, other: Statement) -> bool:
    return agree(one.polarity, other.polarity, is_close=True) and agree(
        other.polarity, one.polarity, is_close=True
    )


def _measured(
    statement: Statement,
) -> set[tuple[str, frozenset[Fraction], frozenset[Day], str, str]]:
    return {
        (
            figure.kind.value,
            figure.numbers,
            figure.days,
            figure.unit,
            figure.text if figure.kind is FigureKind.CODE else "",
        )
        for figure in statement.figures
    }
