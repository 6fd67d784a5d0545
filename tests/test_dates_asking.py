"""Questions for whatever happened in a period."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.dates import asks_period_alone


@pytest.mark.parametrize(
    "text",
    [
        "What happened in May 2025?",
        "what happened last week",
        "What happened on 15 October?",
        "What was going on in 2024-05?",
        "What did we do yesterday?",
        "events in May",
        "May 2025",
        "yesterday?",
        "Was war im Mai?",
        "Was ist letzte Woche passiert?",
        "Que s'est-il passé en mai 2025 ?",
        "¿Qué pasó en mayo?",
        "Cosa è successo a maggio?",
        "O que aconteceu em maio?",
        "Что произошло в мае 2025?",
        "2025年5月发生了什么？",
        "5月に何がありましたか",
        "지난주에 무슨 일이 있었나요?",
        "Chuyện gì đã xảy ra vào tháng 5?",
    ],
)
def test_question_for_a_period_alone_is_told(text: str) -> None:
    assert asks_period_alone(text)


@pytest.mark.parametrize(
    "text",
    [
        "What did Ana do in May?",
        "Who met in May?",
        "What starts in December?",
        "When is the deadline?",
        "deadline in May",
        "war in May",
        "release 2.3 in May",
        "What happened to the server in May?",
        "Was hat Anna im Mai gemacht?",
        "¿Qué hizo Ana en mayo?",
        "2025年5月谁去了北京",
        "生日在5月",
    ],
)
def test_question_about_something_in_a_period_is_not(text: str) -> None:
    assert not asks_period_alone(text)


@given(st.text(max_size=200), st.sampled_from(["", "en", "vi", "zh", "xx"]))
def test_no_text_fails(text: str, language: str) -> None:
    asks_period_alone(text, language)
