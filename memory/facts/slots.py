"""The slots of a statement: the same words with a hole where one value stands. Pure.

"The depot opens at 7." has a slot "depot opens at …" with the value 7, and a slot for whether it
holds at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import regex

from memory.facts import cue_words
from memory.facts.name_words import OPENERS
from memory.facts.rewording_words import WHEN
from memory.facts.values import Reading, Value, is_of, parts_of, values
from memory.language.analysis import tokenise
from memory.language.folding import fold
from memory.language.languages import STOP_WORDS

if TYPE_CHECKING:
    from memory.facts.statements import Statement

_SHORTEST_SUBJECT = 2  # words before a value
_LONGEST_ATTRIBUTE = 3  # words
_HOLE = "\x00"
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]{2}")
_ATTRIBUTES, _FAVOURITE, _SOLE, _STATES = (
    frozenset(map(fold, words))
    for words in (cue_words.ATTRIBUTES, cue_words.FAVOURITE, cue_words.SOLE, cue_words.STATES)
)


@dataclass(frozen=True, slots=True)
class Slot:
    """A statement with a hole: ``frame`` is its words, ``kind`` what fills the hole, ``values`` every
    reading of what does. ``is_state``: only one value can hold at a time."""

    frame: tuple[str, ...]
    kind: str
    values: frozenset[Reading]
    is_state: bool


def slots_of(statement: Statement) -> Iterator[Slot]:
    # Without a speaker nobody knows who "I" is.
    is_unknown = statement.is_of_speaker and not statement.speaker
    for slot in _slots_of(statement):
        yield replace(slot, is_state=False) if is_unknown else slot


def _slots_of(statement: Statement) -> Iterator[Slot]:
    for value in values(statement.text, statement.figures):
        if slot := _of_value(statement, value):
            yield from _of_parts(slot)
    yield from _of_names(statement)
    for slot in (_of_holder(statement), _of_attribute(statement), _of_denial(statement)):
        if slot:
            yield slot


def _of_value(statement: Statement, value: Value) -> Slot | None:
    before, after = statement.text[: value.start], statement.text[value.end :]
    is_past = _is_past(statement)
    if _UNSPACED.search(before):
        # There the predicate stands at the end, behind the value.
        has_state = _has_state(statement.lasting, statement.language)
        if not has_state:
            return None
    else:
        has_state = _has_state(before, statement.language)
        # A value before the predicate is part of what the sentence is about: "Room 12 is free."
        is_about = (
            value.named_by
            or is_past
            or len(before.split()) < _SHORTEST_SUBJECT
            or _has_state(after, statement.language)
        )
        if not has_state and is_about:
            return None
    return Slot(
        _frame(statement, before + _HOLE + after),
        value.kind,
        value.readings,
        has_state and not is_past and _is_single(statement, value, before),
    )


def _of_parts(slot: Slot) -> Iterator[Slot]:
    """A day with its time is either of them: "Tuesday at 10" was moved to "Thursday"."""
    kinds = slot.kind.split("+")
    if len(kinds) == 1:
        yield slot
        return
    for kind in kinds:
        parts = {part for reading in slot.values for part in parts_of(reading) if is_of(part, kind)}
        yield replace(slot, kind=kind, values=frozenset(parts))


def _is_single(statement: Statement, value: Value, before: str) -> bool:
    """Whether there is room for one such value. "The meeting is on 5 May" leaves room for another
    meeting, "the launch is planned for 5 May" for no other launch."""
    is_definite = statement.folded[0] in cue_words.DEFINITE
    if cue_words.BOUND.search(before):
        return False
    if value.kind == "time" and cue_words.TIMETABLED.search(before):
        return False
    if value.kind == "number " and cue_words.INDEFINITE.search(before):
        return False
    if value.names_a_day:
        is_recurring = cue_words.RECURRING.search(statement.text) and "date" not in value.kind
        return is_definite and bool(cue_words.PLANNED.search(statement.text) or is_recurring)
    if value.named_by or value.kind == "code":
        return is_definite and cue_words.RUNS.search(before) is not None
    return True


def _of_names(statement: Statement) -> Iterator[Slot]:
    """ "The manager is Ana", "Ana lives in Rome": the name at the end, after what has one value."""
    text = statement.lasting
    tokens = tokenise(text, statement.language)
    at = len(tokens)
    while at > 0 and tokens[at - 1].text[:1].isupper():
        at -= 1
    if at < 2 or at == len(tokens):
        return
    head = tuple(token.folded for token in tokens[:at])
    is_definite = head[0] in cue_words.DEFINITE and head[-1] in cue_words.COPULAS
    has_place = any(head[-2:] == pair for pair in cue_words.ONE_PLACE) and len(head) > 2
    if head[0] not in cue_words.ANYBODY and (is_definite or has_place):
        name = fold(text[tokens[at].start :].strip(" .!…"))
        is_sole = has_place or not _SOLE.isdisjoint(head)
        is_state = is_sole and not _is_past(statement)
        yield Slot(_framed(statement, head), "name", frozenset({name}), is_state)


def _of_holder(statement: Statement) -> Slot | None:
    """ "Ana is the team lead" is "the team lead is Ana"."""
    text = statement.lasting
    tokens = tokenise(text, statement.language)
    at = next((place for place, token in enumerate(tokens) if token.text[:1].islower()), 0)
    if not 0 < at < len(tokens) - 2 or tokens[at].folded not in cue_words.COPULAS:
        return None
    name = fold(text[: tokens[at].start].strip())
    article, *role = (token.folded for token in tokens[at + 1 :])
    empty = STOP_WORDS.get(statement.language) or STOP_WORDS[""]
    if name in OPENERS or name in empty or any(letter.isdigit() for letter in name):
        return None
    if article not in cue_words.DEFINITE or _is_past(statement):
        return None
    frame = _framed(statement, (article, *role, tokens[at].folded))
    is_sole = not _SOLE.isdisjoint(role[: _role_end(role)])
    return Slot(frame, "name", frozenset({name}), is_sole)


def _role_end(role: Sequence[str]) -> int:
    """Where the words for it end and those begin that say of what: "owner of the city"."""
    return next((at for at, word in enumerate(role) if word in cue_words.OF), len(role))


def _of_attribute(statement: Statement) -> Slot | None:
    """ "My favourite colour is green": whatever stands behind what has one value."""
    tokens = tokenise(statement.lasting, statement.language)
    folded = tuple(token.folded for token in tokens)
    at = next((place for place, word in enumerate(folded) if word in cue_words.COPULAS), 0)
    head, told = folded[: at + 1], folded[at + 1 :]
    is_favourite = not _FAVOURITE.isdisjoint(head)
    is_attribute = at > 1 and (
        is_favourite or (head[0] in cue_words.DEFINITE and head[-2] in _ATTRIBUTES)
    )
    if not is_attribute or not 0 < len(told) <= _LONGEST_ATTRIBUTE or _is_past(statement):
        return None
    # "The status is open" may be said of many things, "my status" of one.
    is_state = is_favourite or statement.is_of_speaker
    return Slot(_framed(statement, head), "attribute", frozenset({" ".join(told)}), is_state)


def _of_denial(statement: Statement) -> Slot | None:
    """The statement itself as a value: it holds, or it does not hold."""
    if len(statement.words) < 2 or not _has_state(statement.text, statement.language):
        return None
    is_ended = bool(cue_words.ENDED.search(statement.text))
    plain = cue_words.DENIAL.sub(r"\1 ", cue_words.ENDED.sub(" ", statement.text))
    is_denied = is_ended or statement.polarity.denials % 2 == 1
    if is_denied and plain == statement.text:
        return None
    return Slot(
        _frame(statement, plain),
        "truth",
        frozenset({"no" if is_denied else "yes"}),
        not _is_past(statement),
    )


def _is_past(statement: Statement) -> bool:
    return cue_words.PAST.search(cue_words.LASTING.sub(" ", statement.lasting)) is not None


def _has_state(before: str, language: str) -> bool:
    folded = {token.folded for token in tokenise(before, language)}
    return not _STATES.isdisjoint(folded) or bool(cue_words.UNSPACED_STATES.search(before))


def _frame(statement: Statement, text: str) -> tuple[str, ...]:
    plain = WHEN.sub(r"\1 ", cue_words.CHANGE.sub(" ", text))
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
