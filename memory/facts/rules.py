"""Facts without a model: every sentence or turn that says something, with what it needs to be
understood alone. Pure.

    lead   Ana: Where do you work now?     <- the turn before
           Ben, 8 May 2023                 <- who says it, and when
    text   At the mill, since March.       <- verbatim

A row of a table is told with the names of its columns, and code is one fact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

import regex

from memory.dates import occurrence
from memory.facts import grids, layout
from memory.facts.causes import relation
from memory.facts.names import capitalised_inside, mentions, names_at_start
from memory.facts.records import Cause, Excerpt, Fact, Turn
from memory.facts.references import refers_back
from memory.language.sentences import split_sentences
from memory.types import Block, BlockKind

LONGEST_TURN = 700  # characters that stay one fact
PACKED = 500  # of the sentences that a longer turn is cut into
LEAD = 300  # of what was said before
_WORD = regex.compile(r"[\p{L}\p{N}]")


@dataclass(frozen=True, slots=True)
class _Statement:
    """A span on its way to a fact, and the turn that it is part of."""

    start: int
    end: int
    before: tuple[int, int] | None = None  # what it answers to or goes on from
    turn: Turn | None = None
    speaker_before: str = ""
    row: Block | None = None


def extract(excerpt: Excerpt) -> list[Fact]:
    """In order of their place. An excerpt with any letter or digit gives at least one fact."""
    statements = list(_statements(excerpt))
    known = (
        capitalised_inside(excerpt.text, excerpt.language)
        | names_at_start(
            excerpt.text,
            excerpt.language,
            document=excerpt.document,
            known=excerpt.known_names,
        )
        | {turn.speaker for turn in excerpt.turns}
    )
    facts = [_fact(excerpt, statement, known) for statement in statements]
    spoken = [fact for fact in facts if _WORD.search(fact.text)] or _whole(excerpt, known)
    return [_with_cause(fact, spoken, place) for place, fact in enumerate(spoken)]


def _with_cause(fact: Fact, facts: list[Fact], place: int) -> Fact:
    """What a fact says of the one before it."""
    found = relation(fact.text) if place else None
    if found is None:
        return fact
    kind, acts = found
    before = place - 1
    if acts:
        return replace(fact, causes=(Cause(place, kind, before),))
    return replace(fact, causes=(Cause(before, kind, place),))


def _fact(excerpt: Excerpt, statement: _Statement, known: frozenset[str]) -> Fact:
    text = said = excerpt.document[statement.start : statement.end]
    if row := statement.row:
        text = grids.told(said, excerpt.document[slice(*row.header)] if row.header else "")
        said = " | ".join(grids.cells(said))  # the names of columns are no names
    turn = statement.turn
    said_at = turn.said_at if turn and turn.said_at else excerpt.said_at
    return Fact(
        text=text,
        start=statement.start,
        end=statement.end,
        lead=_lead(excerpt, statement, said_at),
        speaker=turn.speaker if turn else "",
        is_experience=bool(turn and turn.is_agent),
        said_at=said_at,
        occurred=(occurrence(text, anchor=said_at, language=excerpt.language) if said_at else None),
        mentions=tuple(mentions(said, excerpt.language, known=known, document=excerpt.document)),
    )


def _whole(excerpt: Excerpt, known: frozenset[str]) -> list[Fact]:
    if not _WORD.search(excerpt.text):
        return []
    return [_fact(excerpt, _Statement(excerpt.start, excerpt.end), known)]


def _lead(excerpt: Excerpt, statement: _Statement, said_at: datetime | None) -> str:
    lines = [excerpt.context] if excerpt.context else []
    if statement.before:
        start, end = statement.before
        said = shortened(excerpt.document[start:end])
        lines.append(f"{statement.speaker_before}: {said}" if statement.speaker_before else said)
    is_dated = said_at is not None and (
        excerpt.dates_are_given or (statement.turn is not None and statement.turn.said_at)
    )
    who_and_when = [statement.turn.speaker] if statement.turn and statement.turn.speaker else []
    if is_dated and said_at is not None:
        who_and_when.append(f"{said_at.day} {said_at:%B %Y}")
    return "\n".join((*lines, ", ".join(who_and_when))) if who_and_when else "\n".join(lines)


def shortened(said: str) -> str:
    """On one line; of a long text its last words, which the next ones answer to."""
    said = " ".join(said.split())
    return said if len(said) <= LEAD else "… " + said[-LEAD:].partition(" ")[2]


def _statements(excerpt: Excerpt) -> Iterator[_Statement]:
    """Turns, and the sentences that stand before and between them."""
    before: Turn | None = None
    at = excerpt.start
    for turn in excerpt.turns:
        yield from _of_blocks(excerpt, at, min(turn.line_start, excerpt.end))
        at = max(at, turn.end)
        start, end = max(turn.start, excerpt.start), min(turn.end, excerpt.end)
        if start < end:
            answered = (before.start, before.end) if before else None
            speaker_before = before.speaker if before else ""
            for number, (first, last) in enumerate(_pieces(excerpt, start, end)):
                yield _Statement(first, last, answered, turn, speaker_before if not number else "")
                answered = first, last
        before = turn
    yield from _of_blocks(excerpt, at, excerpt.end)


def _pieces(excerpt: Excerpt, start: int, end: int) -> Iterator[tuple[int, int]]:
    if end - start <= LONGEST_TURN:
        yield start, end
        return
    first = last = start
    for a, b in split_sentences(excerpt.document[start:end], excerpt.language):
        if last > first and start + b - first > PACKED:
            yield first, last
            first = start + a
        elif last == first:
            first = start + a
        last = start + b
    if last > first:
        yield first, last


def _of_blocks(excerpt: Excerpt, first: int, last: int) -> Iterator[_Statement]:
    text = excerpt.document
    before: tuple[int, int] | None = None
    if not text[first:last].strip():
        return
    for block in excerpt.blocks or (Block(BlockKind.PARAGRAPH, first, last),):
        start, end = max(block.start, first), min(block.end, last)
        if start >= end or block.kind is BlockKind.TABLE_HEADER:
            continue
        if block.kind is BlockKind.HEADING:
            before = None
        elif block.kind is BlockKind.TABLE_ROW and (start, end) == (block.start, block.end):
            introduced = before is not None and text[before[1] - 1] in ":："
            yield _Statement(start, end, before if introduced else None, row=block)
        elif block.kind is BlockKind.CODE:
            opened, closed = layout.code(text, block)
            yield _Statement(max(start, opened), max(start, min(end, closed)), before)
        else:
            for span in _sentences(excerpt, start, end):
                needs = before is not None and refers_back(text[slice(*span)])
                yield _Statement(*span, before if needs else None)
                before = span


def _sentences(excerpt: Excerpt, start: int, end: int) -> Iterator[tuple[int, int]]:
    for first, last in split_sentences(excerpt.document[start:end], excerpt.language):
        span = start + first, start + last
        if not layout.is_markup(excerpt.document[slice(*span)]):
            yield span
