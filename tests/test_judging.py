"""Judges are asked in turn: one that declines hands on to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import pytest

from memory import judging
from memory.backends import registry
from memory.backends.completions import ChatModel
from memory.backends.judges.fake import FakeJudge
from memory.backends.judges.hosted import HostedJudge
from memory.reading.records import Reading
from memory.seams import Judge
from tests.chat_server import Say, serving

NO_READING = cast(Reading, None)


def ask(judges: Sequence[Judge], monkeypatch: pytest.MonkeyPatch) -> judging.Judged:
    monkeypatch.setattr(registry, "judges", lambda: tuple(judges))
    judged = judging.answers("question", "answer", ["quote"], NO_READING)
    assert judging.says("claim", ["quote"]) == judged.probability
    return judged


@pytest.mark.parametrize(
    ("judges", "expected", "declined"),
    [
        ([FakeJudge(0.4, 0.4), FakeJudge(0.9, 0.9)], 0.4, 0),
        ([FakeJudge(None, None), FakeJudge(0.9, 0.9)], 0.9, 1),
        ([FakeJudge(OSError(), OSError()), FakeJudge(0.9, 0.9)], 0.9, 1),
        ([FakeJudge(float("nan"), float("nan")), FakeJudge(0.9, 0.9)], 0.9, 1),
        ([FakeJudge(7.0, -0.1), FakeJudge(0.9, 0.9)], 0.9, 1),
        ([FakeJudge(0.0, 0.0), FakeJudge(0.9, 0.9)], 0.0, 0),
        ([FakeJudge(None, None), FakeJudge(OSError(), OSError())], None, 2),
        ([], None, 0),
    ],
)
def test_first_judge_that_can_tell_decides(
    judges: Sequence[Judge],
    expected: float | None,
    declined: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged = ask(judges, monkeypatch)
    assert judged.probability == expected
    assert len(judged.declined) == declined


def test_hosted_judge_out_of_reach_has_declined(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Say(status=401)) as chat:
        hosted = HostedJudge(ChatModel(model="openai/gpt-4o-mini", api_base=chat.url))
        assert ask([hosted, FakeJudge(0.8, 0.8)], monkeypatch).probability == 0.8
