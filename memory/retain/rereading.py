"""A stored document as if it were given again: its parts, and in them the turns. Pure of queries.

Parts are told apart by what their passages carry. Two neighbours that carry the same are one part
then, which changes no fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, Final

import regex

from memory.facts.records import Turn
from memory.levels import FactType, Level
from memory.models import Node
from memory.retain import content, scopes
from memory.retain.content import Told
from memory.retain.items import UpdateMode
from memory.retain.plans import Known
from memory.retain.wanted import Part, Wanted

_ARRIVAL: Final = timedelta(hours=1)  # a time this near to the row's own is that of arrival


def wanted(known: Known) -> Wanted:
    document = known.document
    passages, facts = known.of(Level.L0), known.of(Level.L1)
    runs = [list(run) for _, run in groupby(passages, key=_label)]
    starts = [run[0].char_start for run in runs]
    ends = [*starts[1:], len(document.text)]
    parts = []
    for number, (run, end) in enumerate(zip(runs, ends, strict=True)):
        start = starts[number] if number else 0
        text = (
            document.text[start:end].rstrip("\n")
            if number < len(runs) - 1
            else document.text[start:]
        )
        said = [fact for fact in facts if start <= fact.char_start < end]
        parts.append(_part(text, start, run[0], said, document.created_at))
    return Wanted(
        name=document.name,
        mode=UpdateMode.REPLACE,
        parts=tuple(parts),
        scopes=scopes.from_json(document.observation_scopes),
        submitted_at=document.submitted_at,
    )


def _label(passage: Node) -> tuple[Any, ...]:
    return (
        passage.mentioned_at,
        passage.context,
        tuple(sorted(passage.metadata.items())),
        tuple(passage.tags),
    )


def _part(text: str, start: int, passage: Node, facts: Sequence[Node], arrived: datetime) -> Part:
    said_at = passage.mentioned_at
    return Part(
        told=_told(text, start, facts, said_at),
        said_at=said_at,
        is_dated=said_at is None or abs(said_at - arrived) > _ARRIVAL,
        context=passage.context,
        metadata=passage.metadata,
        tags=tuple(passage.tags),
        mentions=(),
        resolve=True,
    )


def _told(text: str, start: int, facts: Sequence[Node], said_at: datetime | None) -> Told:
    """The turns, known by the speakers of the facts that were taken before."""
    speakers = {fact.speaker for fact in facts if fact.speaker}
    told = content.read(text)
    if not speakers:
        return told
    if speakers <= {turn.speaker for turn in told.turns}:
        turns = tuple(_remembered(turn, start, facts, said_at) for turn in told.turns)
        return Told(text, turns)
    names = "|".join(sorted(map(regex.escape, speakers), key=len, reverse=True))
    labels = list(regex.finditer(rf"^(?P<speaker>{names}): ", text, regex.MULTILINE))
    found = content.between(text, labels)
    return Told(text, tuple(_remembered(turn, start, facts, said_at) for turn in found))


def _remembered(turn: Turn, start: int, facts: Iterable[Node], said_at: datetime | None) -> Turn:
    """Who spoke as the bank's own agent, and at what time of their own."""
    own = [fact for fact in facts if turn.start <= fact.char_start - start < turn.end]
    times = {fact.mentioned_at for fact in own} - {said_at, None}
    return replace(
        turn,
        is_agent=turn.is_agent or any(fact.fact_type == FactType.EXPERIENCE for fact in own),
        said_at=min((time for time in times if time), default=None),
    )
