"""A model's turn in a reflection, read from its reply. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from memory.errors import UnreadableReply
from memory.reflecting.records import Tool
from memory.verification.reply_json import json_objects

MOST_STATEMENTS: Final = 60
MOST_QUERY: Final = 1_000
_DEFAULT_TOKENS: Final = 4_096


@dataclass(frozen=True, slots=True)
class Look:
    tool: Tool
    query: str
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Statement:
    """``ids`` as the model was shown them."""

    text: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    statements: tuple[Statement, ...]


Turn = Look | Answer


def read_turn(reply: str) -> Turn:
    """Raises ``UnreadableReply`` for what is not exactly one turn."""
    try:
        found = [value for value in json_objects(reply) if "action" in value]
    except ValueError:
        found = []
    if len(found) != 1:
        raise UnreadableReply("the reply is not one turn")
    turn = found[0]
    if turn["action"] == "answer":
        return Answer(_statements(turn.get("statements")))
    try:
        tool = Tool(turn["action"])
    except ValueError:
        raise UnreadableReply("the reply names no tool that there is") from None
    query = turn.get("query")
    if not isinstance(query, str) or not query.strip():
        raise UnreadableReply("the reply looks for nothing")
    return Look(tool, query[:MOST_QUERY], _tokens(turn))


def _statements(given: Any) -> tuple[Statement, ...]:
    if not isinstance(given, list) or len(given) > MOST_STATEMENTS:
        raise UnreadableReply("an answer is a list of statements")
    return tuple(_statement(one) for one in given)


def _statement(given: Any) -> Statement:
    if not isinstance(given, Mapping) or not isinstance(given.get("text"), str):
        raise UnreadableReply("a statement has a text and ids")
    ids = given.get("ids", [])
    if not isinstance(ids, list) or not all(isinstance(one, str) for one in ids):
        raise UnreadableReply("the ids of a statement are texts")
    return Statement(given["text"].strip(), tuple(dict.fromkeys(ids)))


def _tokens(turn: Mapping[str, Any]) -> int:
    given = turn.get("max_tokens", _DEFAULT_TOKENS)
    return given if isinstance(given, int) and not isinstance(given, bool) else _DEFAULT_TOKENS
