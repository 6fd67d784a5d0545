"""The slots of a statement: the same words with a hole where one value stands. Pure.

"The depot opens at 7." has a slot "depot opens at …" with the value 7, and a slot for whether it
holds at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import regex

from memory.facts import cue_words
from memory.facts.values import Reading, Value, values
from memory.language.analysis import tokenise
from memory.language.folding import fold

if TYPE_CHECKING:
    from memory.facts.statements import Statement

_SHORTEST_SUBJECT = 2  # words before a value
_HOLE = "\x00"
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]{2}")


@dataclass(frozen=True, slots=True)
class Slot:
    """A statement with a hole: ``frame`` is its words, ``kind`` what fills the hole, ``values`` every
    reading of what does. ``is_state``: only one value can hold at a time."""

    frame: tuple[str, ...]
    kind: str
    values: frozenset[Reading]
    is_state: bool


def slots_of(statement: Statement) -> Iterator[Slot]:
    for value in values(statement.text, statement.figures):
        if slot := _of_value(statement, value):
            yield slot
    yield from _of_names(statement)
    if slot := _of_denial(statement):
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


def _is_single(statement: Statement, value: Value, before: str) -> bool:
    """Whether there is room for one such value. "The meeting is on 5 May" leaves room for another
    meeting, "the launch is planned for 5 May" for no other launch."""
    is_definite = statement.folded[0] in cue_words.DEFINITE
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
    r"|spent|won|lost|paid|sold|sent|said|told|left|ate|drove|wrote|read|built|\p{L}{2,}[^\We]ed)\b"
    r"|\b(?:war|waren|hatte|hatten|früher|wurde|wurden|était|étaient|avait|autrefois|era|eran|había|antes"
    r"|fu|aveva|prima|foi|eram|tinha|был|была|было|были|раньше|đã|trước đây)\b|了|た。|었|았",
    regex.IGNORECASE,
)


def _is_past(statement: Statement) -> bool:
    return _PAST_EN.search(cue_words.LASTING.sub(" ", statement.lasting)) is not None


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
