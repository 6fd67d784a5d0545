"""Content as a caller gives it becomes one text, with the place of every turn. Pure.

Turns are written one under another, each after its speaker: ``Ana: Hello``. A plain text that is
written like that is read as turns, too, and so is a chat that came as its JSON. Raises
``InvalidMemory`` with a sentence.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import regex

from memory.dates import parse_datetime
from memory.errors import InvalidMemory, InvalidTime
from memory.facts import turns
from memory.facts.records import Turn
from memory.language.text import clean_text, is_blank, normalise_source
from memory.retain.items import UNSET, Content

MAX_LENGTH = 500_000  # code points of one document
MAX_SPEAKER = 200

_SPEAKER_KEYS = ("speaker", "name", "role")
_TEXT_KEYS = ("content", "text")
_CHAT_KEYS = ("messages", "turns", "conversation", "chat")


@dataclass(frozen=True, slots=True)
class Told:
    """The text of a document, and its turns where somebody speaks in it."""

    text: str
    turns: tuple[Turn, ...] = ()

    def moved(self, by: int) -> Told:
        """The same where the text begins ``by`` code points into a document."""
        return Told(self.text, tuple(_moved(turn, by) for turn in self.turns))


def read(content: Content) -> Told:
    """Normalised: NUL and half surrogates are gone before anything is counted."""
    if isinstance(content, str):
        text = normalise_source(content).strip("\n")
        told = _of_json(text) or Told(text, turns.find(text))
    elif isinstance(content, Sequence):
        told = _joined([_block(block) for block in content])
    else:
        raise InvalidMemory("Content is a text or a list of blocks.")
    if is_blank(told.text):
        raise InvalidMemory("There is nothing in this content to remember.")
    if len(told.text) > MAX_LENGTH:
        raise InvalidMemory(f"Content is at most {MAX_LENGTH:,} characters long.")
    return told


def read_time(value: datetime | str | None, *, now: datetime) -> datetime | None:
    """The time of an item; without a zone it is UTC. None where it is ``UNSET``."""
    if value is None:
        return now
    if value == UNSET:
        return None
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    try:
        return parse_datetime(value)
    except InvalidTime as error:
        raise InvalidMemory(str(error)) from error


@dataclass(frozen=True, slots=True)
class _Block:
    text: str
    speaker: str = ""
    is_agent: bool = False
    said_at: datetime | None = None


def _of_json(text: str) -> Told | None:
    """A chat as programs write it down: a list of turns, alone or under a name, or a turn a line."""
    if text.lstrip()[:1] not in ("[", "{"):
        return None
    lines = [line for line in text.split("\n") if line.strip()]
    is_lines = len(lines) > 1 and all(line.lstrip()[0] == "{" for line in lines)
    try:
        given = [json.loads(line) for line in lines] if is_lines else json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(given, Mapping):
        given = next((given[key] for key in _CHAT_KEYS if key in given), None)
    if not isinstance(given, list) or not given or not all(map(_is_turn, given)):
        return None
    try:
        return _joined([_block(turn) for turn in given if _has_words(turn)])
    except InvalidMemory:
        return None


def _is_turn(given: Any) -> bool:
    """A name beside a text is no turn yet: a list of goods has these, too."""
    return isinstance(given, Mapping) and any(
        isinstance(given.get(key), str) for key in ("role", "speaker")
    )


def _has_words(turn: Mapping[str, Any]) -> bool:
    """A turn that only calls a tool has none."""
    return any(turn.get(key) for key in _TEXT_KEYS)


def _block(block: Any) -> _Block:
    if not isinstance(block, Mapping):
        raise InvalidMemory("A block of content is an object with a text.")
    text = _words(block)
    speaker = next((block[key] for key in _SPEAKER_KEYS if isinstance(block.get(key), str)), "")
    time = block.get("timestamp")
    if time is not None and not isinstance(time, str | datetime):
        raise InvalidMemory("The timestamp of a block is written in ISO 8601.")
    return _Block(
        text=normalise_source(text).strip(),
        speaker=clean_text(speaker)[:MAX_SPEAKER],
        is_agent=str(block.get("role", speaker)).strip().casefold() in turns.AGENT_ROLES,
        said_at=read_time(time, now=datetime.min) if time is not None else None,
    )


def _words(block: Mapping[str, Any]) -> str:
    """A text; or in a turn, parts with a text each, as chats with language models are written. What a
    tool gave back may be parts again."""
    for said in map(block.get, _TEXT_KEYS):
        if isinstance(said, str):
            return said
        if isinstance(said, list) and said:
            return "\n".join(map(_of_part, said))
    raise InvalidMemory("A block of content has a text under “content” or “text”.")


def _of_part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Mapping):
        said = next((part[key] for key in ("text", "content") if key in part), None)
        if isinstance(said, str) or (isinstance(said, list) and said):
            return said if isinstance(said, str) else "\n".join(map(_of_part, said))
    raise InvalidMemory("Inside a turn only texts are read: no images, files or calls of tools.")


def _joined(blocks: list[_Block]) -> Told:
    blocks = [block for block in blocks if not is_blank(block.text)]
    if not any(block.speaker for block in blocks):
        return Told("\n\n".join(block.text for block in blocks))
    lines: list[str] = []
    told: list[Turn] = []
    at = 0
    for block in blocks:
        label = f"{block.speaker}: " if block.speaker else ""
        line = label + block.text
        told.append(
            Turn(at, at + len(label), at + len(line), block.speaker, block.is_agent, block.said_at)
        )
        lines.append(line)
        at += len(line) + 1
    return Told("\n".join(lines), tuple(told))


def between(text: str, labels: list[regex.Match[str]]) -> Iterator[Turn]:
    """Turns whose labels are matches with a group ``speaker``."""
    ends = [label.start() for label in labels[1:]] + [len(text)]
    for label, end in zip(labels, ends, strict=True):
        words = text[label.end() : end].rstrip()
        yield Turn(
            label.start(),
            label.end(),
            label.end() + len(words),
            clean_text(label["speaker"]),
            label["speaker"].casefold() in turns.AGENT_ROLES,
        )


def _moved(turn: Turn, by: int) -> Turn:
    return Turn(
        turn.line_start + by,
        turn.start + by,
        turn.end + by,
        turn.speaker,
        turn.is_agent,
        turn.said_at,
    )
