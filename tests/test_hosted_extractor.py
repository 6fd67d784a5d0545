"""Facts of a chat model, through the real litellm and a local server: each is held to the passage."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from memory.backends.completions import ChatModel
from memory.backends.extractors.hosted import HostedExtractor
from memory.errors import ExtractionFailed
from memory.facts.records import Excerpt, Extracted, Turn
from memory.levels import EdgeType
from tests.chat_server import ChatServer, Say, serving

TEXT = "Ana: The pump failed on 3 May. So the cellar of the Blue Inn took 20 litres."
EXCERPT = Excerpt(
    document=TEXT,
    start=0,
    end=len(TEXT),
    turns=(Turn(0, 5, len(TEXT), "Ana"),),
    language="en",
    said_at=datetime(2023, 5, 8, tzinfo=UTC),
)
FAILED = {"text": "The pump failed on 3 May.", "quote": "The pump failed on 3 May."}
FLOOD = {
    "text": "The cellar of the Blue Inn took 20 litres.",
    "quote": "So the cellar of the Blue Inn took 20 litres.",
    "entities": ["Blue Inn"],
    "caused_by": [0],
}


def facts(*entries: dict[str, Any]) -> Say:
    return Say(json.dumps({"facts": entries}))


def extract(chat: ChatServer) -> Extracted:
    model = ChatModel(model="openai/gpt-4o-mini", api_base=chat.url, timeout_s=20.0)
    return HostedExtractor(model).extract(EXCERPT)


def test_facts_are_located_in_the_passage() -> None:
    with serving(facts(FAILED, FLOOD)) as chat:
        found = extract(chat)
    assert [TEXT[fact.start : fact.end] for fact in found.facts] == [
        FAILED["quote"],
        FLOOD["quote"],
    ]
    assert [fact.speaker for fact in found.facts] == ["Ana", "Ana"]
    assert {mention.name for mention in found.facts[1].mentions} == {"Blue Inn"}
    (cause,) = found.facts[1].causes
    assert (cause.child, cause.type, cause.parent) == (1, EdgeType.CAUSED_BY, 0)
    assert found.usage.calls == 1
    assert TEXT in chat.requests[0]["messages"][1]["content"]


@pytest.mark.parametrize(
    "invented",
    [
        {"text": "The cellar took 30 litres.", "quote": FLOOD["quote"]},
        {"text": "The cellar of the Red Inn took 20 litres.", "quote": FLOOD["quote"]},
        {"text": "The pump failed.", "quote": "The pump has failed."},
        {"text": "", "quote": FLOOD["quote"]},
        {"text": 7, "quote": 7},
    ],
)
def test_what_the_passage_does_not_carry_is_left_out(invented: dict[str, Any]) -> None:
    with serving(facts(invented, FAILED)) as chat:
        found = extract(chat)
    assert [fact.text for fact in found.facts] == [FAILED["text"]]


def test_times_of_the_model_are_kept_where_they_are_in_order() -> None:
    timed = FAILED | {"occurred_start": "2023-05-03", "occurred_end": "2023-05-03T23:00:00"}
    reversed_ = FLOOD | {"occurred_start": "2023-05-04", "occurred_end": "2023-05-03"}
    with serving(facts(timed, reversed_)) as chat:
        first, second = extract(chat).facts
    assert first.occurred is not None
    assert first.occurred[0] == datetime(2023, 5, 3, tzinfo=UTC)
    assert second.occurred is None or second.occurred[0] <= second.occurred[1]


def test_unreadable_reply_is_asked_for_once_more() -> None:
    with serving(Say("no json"), facts(FAILED)) as chat:
        found = extract(chat)
    assert len(chat.requests) == 2
    assert [fact.text for fact in found.facts] == [FAILED["text"]]


@pytest.mark.parametrize("reply", [Say("no json"), facts({"text": "x 9", "quote": "nowhere"})])
def test_second_useless_reply_fails_with_a_reason(reply: Say) -> None:
    with serving(reply) as chat, pytest.raises(ExtractionFailed, match="no facts that can be used"):
        extract(chat)
    assert len(chat.requests) == 2


def test_model_that_is_away_fails_with_a_reason() -> None:
    with serving(Say(status=503)) as chat, pytest.raises(ExtractionFailed, match="gave no facts"):
        extract(chat)


def test_passage_in_which_the_model_sees_nothing_gives_the_facts_of_the_rules() -> None:
    with serving(facts()) as chat:
        found = extract(chat)
    assert [fact.text for fact in found.facts] == [TEXT[5:]]
