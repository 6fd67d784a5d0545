"""Reads a model's facts and holds each against the passage. Pure.

A fact stays if its quote stands in the passage and carries its figures; its names may also come from
the rest of the passage. What fails is left out: nothing unsupported becomes a memory.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from memory.dates import occurrence, parse_datetime
from memory.errors import InvalidTime, UnreadableReply
from memory.facts.names import mentions
from memory.facts.records import Cause, Excerpt, Fact, Mention, Turn
from memory.language.text import clean_text
from memory.levels import EdgeType
from memory.verification.evidence import Evidence
from memory.verification.figure_support import unsupported_figures
from memory.verification.names import unsupported_names
from memory.verification.reply_json import json_objects
from memory.verification.spans import locate

LONGEST_REPLY = 200_000  # characters
MOST_FACTS = 100  # of one passage
LONGEST_FACT = 2_000


def read(reply: str, excerpt: Excerpt) -> tuple[list[Fact], int]:
    """The facts that the passage carries, and how many were claimed. Raises ``UnreadableReply``."""
    entries = _entries(reply)
    kept: dict[int, Fact] = {}
    order: dict[int, int] = {}
    for number, entry in enumerate(entries[:MOST_FACTS]):
        if fact := _fact(entry, excerpt):
            order[number] = len(kept)
            kept[number] = fact
    facts = []
    for number, fact in kept.items():
        causes = tuple(
            Cause(order[number], EdgeType.CAUSED_BY, order[cause])
            for cause in _numbers(entries[number].get("caused_by"))
            if cause in order and cause < number
        )
        facts.append(replace(fact, causes=causes))
    return facts, len(entries)


def _entries(reply: str) -> list[dict[str, Any]]:
    if len(reply) > LONGEST_REPLY:
        raise UnreadableReply(f"the reply has {len(reply)} characters")
    try:
        found = [value for value in json_objects(reply) if isinstance(value.get("facts"), list)]
    except ValueError as error:
        raise UnreadableReply("the reply is not one JSON object") from error
    if len(found) != 1:
        raise UnreadableReply("the reply is not exactly one list of facts")
    return [entry for entry in found[0]["facts"] if isinstance(entry, dict)]


def _fact(entry: dict[str, Any], excerpt: Excerpt) -> Fact | None:
    text, quote = entry.get("text"), entry.get("quote")
    if not isinstance(text, str) or not isinstance(quote, str):
        return None
    text = clean_text(text)
    place = locate(quote, excerpt.text) if quote.strip() else None
    if not text or len(text) > LONGEST_FACT or place is None:
        return None
    turn = _turn_at(excerpt, excerpt.start + place[0])
    if not _is_carried(text, excerpt.text[place[0] : place[1]], excerpt):
        return None
    said_at = turn.said_at if turn and turn.said_at else excerpt.said_at
    return Fact(
        text=text,
        start=excerpt.start + place[0],
        end=excerpt.start + place[1],
        lead=excerpt.context,
        speaker=turn.speaker if turn else "",
        is_experience=bool(turn and turn.is_agent) or entry.get("type") == "experience",
        said_at=said_at,
        occurred=_occurred(entry, quote, said_at, excerpt.language),
        mentions=_mentions(entry.get("entities"), text, excerpt),
    )


def _is_carried(text: str, quote: str, excerpt: Excerpt) -> bool:
    around = (excerpt.text, excerpt.context, *(turn.speaker for turn in excerpt.turns))
    evidence = Evidence(quotes=(quote,), context=around, language=excerpt.language)
    return not unsupported_figures(text, evidence) and not unsupported_names(text, evidence)


def _turn_at(excerpt: Excerpt, position: int) -> Turn | None:
    return next((turn for turn in excerpt.turns if turn.line_start <= position < turn.end), None)


def _occurred(
    entry: dict[str, Any], quote: str, said_at: datetime | None, language: str
) -> tuple[datetime, datetime] | None:
    start, end = _time(entry.get("occurred_start")), _time(entry.get("occurred_end"))
    if start and end and start <= end:
        return start, end
    if start and end is None:
        return start, start
    return occurrence(quote, anchor=said_at, language=language) if said_at else None


def _time(value: Any) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        return parse_datetime(value)
    except InvalidTime:
        return None


def _mentions(given: Any, text: str, excerpt: Excerpt) -> tuple[Mention, ...]:
    """The model's names where the fact has them, and those that rules see."""
    names = (
        [clean_text(name) for name in given if isinstance(name, str)]
        if isinstance(given, list)
        else []
    )
    held = [Mention(name) for name in names if name and name.casefold() in text.casefold()]
    return tuple(dict.fromkeys((*held, *mentions(text, excerpt.language))))


def _numbers(given: Any) -> list[int]:
    return (
        [number for number in given if isinstance(number, int)] if isinstance(given, list) else []
    )
