"""What a fact states, so far as rules can tell: for comparing two facts. Pure.

*Twins* say the same in nearly the same words. *Rivals* fill one slot with two values, of which only
one can hold at a time: the same words but for a figure, a time or a name after a predicate of state.
Both tests are symmetric, and rather miss a pair than make one up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cached_property

import regex

from memory.facts import cue_words
from memory.facts.names import capitalised_inside, mentions
from memory.language.analysis import terms, tokenise
from memory.language.folding import fold
from memory.language.languages import STOP_WORDS
from memory.verification.dates import Day
from memory.verification.figures import Figure, FigureKind, figures
from memory.verification.polarity import Polarity, agree, polarity

_ALIKE = 0.8  # of the content words
_FEWEST_WORDS = 3
_QUESTION_MARKS = regex.compile(r"[?？؟]")
_HOLE = "\x00"


@dataclass(frozen=True, slots=True)
class Slot:
    """A statement with a hole: ``frame`` is its words, ``kind`` what fills the hole, ``values`` every
    reading of what does. ``is_state``: only one value can hold at a time."""

    frame: tuple[str, ...]
    kind: str
    values: frozenset[Fraction | Day | str]
    is_state: bool


@dataclass(frozen=True)
class Statement:
    """A fact as it is compared. ``occurred``: when it says that something happened."""

    text: str
    language: str = ""
    speaker: str = ""
    occurred: tuple[datetime, datetime] | None = None

    @cached_property
    def words(self) -> frozenset[str]:
        """Stems that carry meaning."""
        stop = STOP_WORDS.get(self.language) or STOP_WORDS[""]
        return frozenset(
            term
            for token in tokenise(self.text, self.language)
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
        return not cue_words.FIRST_PERSON.isdisjoint(self.folded) or bool(
            cue_words.FIRST_PERSON_UNSPACED.search(self.text)
        )

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        return frozenset(self.folded)

    @property
    def asks(self) -> bool:
        return _QUESTION_MARKS.search(self.text) is not None

    @cached_property
    def has_changed(self) -> bool:
        """It says itself that this was otherwise before."""
        return bool(cue_words.CHANGE.search(self.text) or cue_words.ENDED.search(self.text))

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        if self.asks or not self.folded or self.folded[0] in cue_words.VAGUE:
            return ()
        return tuple(_slots(self))


def are_twins(one: Statement, other: Statement) -> bool:
    """Whether two facts say the same: two witnesses of one observation."""
    if one.asks or other.asks or min(len(one.words), len(other.words)) < _FEWEST_WORDS:
        return False
    if not _same_speaker(one, other) or not _same_time(one, other):
        return False
    shared, all_words = one.words & other.words, one.words | other.words
    if len(shared) < _ALIKE * len(all_words):
        return False
    if one.folded[0] != other.folded[0] and not ({one.folded[0], other.folded[0]} <= _EMPTY):
        return False
    if one.names != other.names or _measured(one) != _measured(other):
        return False
    return _same_polarity(one, other)


def are_rivals(one: Statement, other: Statement) -> bool:
    """Whether two facts cannot both hold now."""
    if not _same_speaker(one, other):
        return False
    is_change = one.has_changed or other.has_changed
    return any(
        mine.frame == theirs.frame
        and mine.kind == theirs.kind
        and mine.values.isdisjoint(theirs.values)
        and ((mine.is_state and theirs.is_state) or is_change)
        for mine in one.slots
        for theirs in other.slots
    )


_EMPTY = frozenset(cue_words.ARTICLES | cue_words.DEFINITE)


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


# -- slots ----------------------------------------------------------------------------------------


def _slots(statement: Statement) -> Iterator[Slot]:
    for figure in statement.figures:
        if slot := _of_figure(statement, figure):
            yield slot
    yield from _of_names(statement)
    if slot := _of_denial(statement):
        yield slot


def _of_figure(statement: Statement, figure: Figure) -> Slot | None:
    if figure.kind in (FigureKind.PERIOD, FigureKind.CODE) or figure.is_loose or figure.named_by:
        return None
    before, after = statement.text[: figure.start], statement.text[figure.end :]
    if not before.strip() or not _has_state(before, statement.language):
        if not statement.has_changed or len(before.split()) < 2:
            return None
        is_state = False
    else:
        # A day names one of many: "the meeting is on 5 May" leaves room for another meeting.
        is_state = figure.kind is not FigureKind.DATE and not _is_past(statement)
    kind = "date" if figure.kind is FigureKind.DATE else f"number {figure.unit}"
    return Slot(
        _frame(statement, before + _HOLE + after),
        kind,
        frozenset(figure.days or _clock(figure)),
        is_state,
    )


def _clock(figure: Figure) -> frozenset[Fraction]:
    """ "At 7" and "at 7:00" fill a hole with the same: hours of a time of day."""
    if figure.kind is FigureKind.TIME:
        return frozenset(minutes / 60 for minutes in figure.numbers)
    return figure.numbers


def _of_names(statement: Statement) -> Iterator[Slot]:
    """ "The manager is Ana", "Ana lives in Rome": the name at the end, after what has one value."""
    tokens = tokenise(cue_words.CHANGE.sub(" ", statement.text), statement.language)
    text = cue_words.CHANGE.sub(" ", statement.text)
    at = len(tokens)
    while at > 0 and tokens[at - 1].text[:1].isupper():
        at -= 1
    if at < 2 or at == len(tokens):
        return
    head = tuple(token.folded for token in tokens[:at])
    is_definite = head[0] in cue_words.DEFINITE and head[-1] in cue_words.COPULAS
    has_place = any(head[-2:] == pair for pair in cue_words.ONE_PLACE) and len(head) > 2
    if is_definite or has_place:
        name = fold(text[tokens[at].start :].strip(" .!…"))
        yield Slot(_framed(statement, head), "name", frozenset({name}), not _is_past(statement))


def _of_denial(statement: Statement) -> Slot | None:
    """The statement itself as a value: it holds, or it does not hold."""
    if len(statement.words) < 2 or not _has_state(statement.text, statement.language):
        return None
    is_ended = bool(cue_words.ENDED.search(statement.text))
    plain = _DENIAL.sub(" ", cue_words.ENDED.sub(" ", statement.text))
    is_denied = is_ended or statement.polarity.denials % 2 == 1
    if is_denied and plain == statement.text:
        return None
    return Slot(
        _frame(statement, plain),
        "truth",
        frozenset({"no" if is_denied else "yes"}),
        not _is_past(statement),
    )


_DENIAL = regex.compile(
    r"\b(?:does not|doesn't|do not|don't|is not|isn't|are not|aren't|not)\b|\bnicht\b|\bne\b|\bpas\b|\bnon\b"
    r"|\bno\b|\bnão\b|\bне\b|\bkhông\b",
    regex.IGNORECASE,
)
_PAST_EN = regex.compile(
    r"\b(?:was|were|had|did|used to|previously|formerly|went|bought|ran|made|got|took|saw|came|gave|found|met"
    r"|spent|won|lost|paid|sold|sent|said|told|left|ate|drove|wrote|read|built|\p{L}{3,}ed)\b"
    r"|\b(?:war|waren|hatte|hatten|früher|wurde|wurden|était|étaient|avait|autrefois|era|eran|había|antes"
    r"|fu|aveva|prima|foi|eram|tinha|был|была|было|были|раньше|đã|trước đây)\b|了|た。|었|았",
    regex.IGNORECASE,
)


def _is_past(statement: Statement) -> bool:
    return _PAST_EN.search(statement.text) is not None


def _has_state(before: str, language: str) -> bool:
    folded = {token.folded for token in tokenise(before, language)}
    return not _STATES.isdisjoint(folded) or bool(cue_words.UNSPACED_STATES.search(before))


_STATES = frozenset(fold(word) for word in cue_words.STATES)


def _frame(statement: Statement, text: str) -> tuple[str, ...]:
    plain = cue_words.CHANGE.sub(" ", text)
    words: list[str] = []
    for number, part in enumerate(plain.split(_HOLE)):
        words += [_HOLE] if number else []
        words += [
            token.folded
            for token in tokenise(part, statement.language)
            if token.folded not in cue_words.ARTICLES
        ]
    return _framed(statement, tuple(words))


def _framed(statement: Statement, words: tuple[str, ...]) -> tuple[str, ...]:
    """What a speaker says of themselves is about them."""
    kept = tuple(word for word in words if word not in cue_words.ARTICLES)
    return (fold(statement.speaker), *kept) if statement.is_of_speaker else kept
