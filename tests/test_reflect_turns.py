"""What a model's reply means in a reflection, and what it does not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memory.errors import UnreadableReply
from memory.reflecting.records import Tool
from memory.reflecting.turns import MOST_STATEMENTS, Answer, Look, Statement, read_turn


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ({"action": "recall", "query": "vans"}, Look(Tool.RECALL, "vans", 4096)),
        (
            {"action": "search_observations", "query": "vans", "max_tokens": 900},
            Look(Tool.OBSERVATIONS, "vans", 900),
        ),
        ({"action": "recall", "query": "vans", "max_tokens": "9"}, Look(Tool.RECALL, "vans", 4096)),
        ({"action": "answer", "statements": []}, Answer(())),
        (
            {"action": "answer", "statements": [{"text": " It is. ", "ids": ["M1", "M1", "K2"]}]},
            Answer((Statement("It is.", ("M1", "K2")),)),
        ),
        ({"action": "answer", "statements": [{"text": "x"}]}, Answer((Statement("x", ()),))),
    ],
)
def test_turn_is_read(turn: Any, expected: Look | Answer) -> None:
    assert read_turn(json.dumps(turn)) == expected
    assert read_turn(f"Let me see.\n```json\n{json.dumps(turn)}\n```") == expected


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "no JSON",
        "{}",
        '{"action": "delete", "query": "x"}',
        '{"action": "recall"}',
        '{"action": "recall", "query": " "}',
        '{"action": "recall", "query": ["x"]}',
        '{"action": "answer"}',
        '{"action": "answer", "statements": "x"}',
        '{"action": "answer", "statements": ["x"]}',
        '{"action": "answer", "statements": [{"text": 1}]}',
        '{"action": "answer", "statements": [{"text": "x", "ids": "M1"}]}',
        '{"action": "answer", "statements": [{"text": "x", "ids": [1]}]}',
        '{"action": "answer", "action": "recall", "query": "x"}',
        '{"action": "recall", "query": "x"} {"action": "recall", "query": "y"}',
        json.dumps({"action": "answer", "statements": [{"text": "x"}] * (MOST_STATEMENTS + 1)}),
    ],
)
def test_what_has_no_one_meaning_is_refused(reply: str) -> None:
    with pytest.raises(UnreadableReply):
        read_turn(reply)


def test_long_query_is_cut() -> None:
    look = read_turn(json.dumps({"action": "recall", "query": "x" * 5_000}))
    assert isinstance(look, Look)
    assert len(look.query) == 1_000
