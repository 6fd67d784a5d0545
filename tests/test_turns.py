"""Turns of plain texts: who speaks, and what only looks like it."""

from __future__ import annotations

import pytest

from memory.facts import rules, turns
from memory.facts.records import Excerpt
from memory.retain import content


def said(text: str) -> list[tuple[str, str]]:
    return [(turn.speaker, text[turn.start : turn.end]) for turn in content.read(text).turns]


@pytest.mark.parametrize(
    "text",
    [
        "Ana: Hi Ben.\nBen: Hi.\nAna: The key is in the safe.\nBen: Thanks.",
        "Priya: The vendor delivers on Friday.\nJonas: I will call them.\nPriya: Thanks.",
        "Marta: The budget is 48,000 euros.\nJonas: The server moves in May.\n"
        "Priya: The vendor is late.\nDmitri: I'll ask them.",
        "[09:12] Priya: The pump is broken.\n[09:13] Jonas: Since when?\n[09:15] Priya: Since Monday.",
        "**Priya**: The pump is broken.\n**Jonas**: Since when?\n**Priya**: Since Monday.\n**Jonas**: Oh.",
        "**Priya:** The pump is broken.\n**Jonas:** Since when?",
        "Priya (09:12): The pump is broken.\nJonas (09:13): Since when?\nPriya (09:14): Since Monday.",
        "- Priya: The pump is broken.\n- Jonas: Since when?\n- Priya: Since Monday.",
        "# Standup\n\nPriya: The pump is broken.\nJonas: Since when?\nPriya: Since Monday.",
        "Priya: The pump is broken.\n\nJonas: Since when?\n\nPriya: Since Monday.",
        "2024-05-03 09:12 - Ana López: I am late.\n2024-05-03 09:13 - Ben: No problem.",
        "12/05/2024, 09:12 - Ana López: I am late.\n12/05/2024, 09:13 - Ben: No problem.",
        "Anna Schmidt: Ich komme später.\nDr. Weber: Kein Problem.\nAnna Schmidt: Danke.",
        "Анна: Я опоздаю.\nИван: Хорошо.\nАнна: Спасибо.",
        "王芳：我明天来。\n李雷：好的。\n王芳：谢谢。",
        "田中：明日行きます。\n佐藤：わかりました。\n田中：ありがとう。",
        "Zorba: I will be late.",
        "User: Where is the key?",
        "user: Where is the key?\nassistant: In the safe.",
        "Speaker 1: Where is the key?\nSpeaker 2: In the safe.",
        "Marta: The vendor delivers on Friday.",
        "Nguyễn Văn An: Tôi sẽ đến muộn.\nTrần Bình: Vâng.\nNguyễn Văn An: Cảm ơn.",
        "Zorba: I will be late.\nXerxes: Why?\nQuimby: The train is late.",
        "1. Ana: I am late.\n2. Ben: Why?",
        "> Ana: I am late.\n> Ben: Why?",
        "ana: hi\nben: hi there\nana: where are you?",
        "Priya [09:12]: The pump is broken.\nJonas [09:13]: Since when?",
        "Anna von Trapp: I sing.\nBen de Vries: I dance.",
    ],
)
def test_lines_of_speakers_are_turns(text: str) -> None:
    found = said(text)
    assert len(found) == len([line for line in text.split("\n") if line and line[0] != "#"])
    assert not any(mark in speaker for speaker, _ in found for mark in "*[(-:0")
    assert all(words[0] not in "*:) " for _, words in found)


@pytest.mark.parametrize(
    "text",
    [
        "Name: Ana\nAge: 7\nCity: Rome\nPhone: 1",
        "Fee: 20 euros",
        "Note: the depot opens at 7.",
        "Status: done",
        "URL: https://example.org/x",
        "Fee: 20 euros\nDeadline: 3 May\nVenue: Town hall\nContact: Ana",
        "Note: the depot opens at 7.\nIt closes at noon.\nNobody is there at night.",
        "https://example.org: a site\nhttp: no speaker",
        "Note: You must wear a badge.\nWarning: Do not open the door!\nTip: Ask your host.",
        "Fee: 20 euros\nFee: 30 euros\nFee: 40 euros\nFee: 50 euros",
        "Color: red\nSize: 7\nColor: blue\nSize: 8",
        "Widget: red\nGizmo: seven\nWidget: blue\nGizmo: eight",
        "Depot: The gate opens at 7.",
        "Depot: Opens at 7.\nMill: Closes at 8.\nOffice: Is on the second floor.",
        "Room 1: free\nRoom 2: taken\nRoom 1: taken\nRoom 2: free",
        "- Fee: 20 euros\n- Deadline: 3 May",
        "**Fee**: 20 euros\n**Deadline**: 3 May\n**Venue**: hall",
        "09:00 Breakfast: croissants\n10:00 Talk: pumps and valves\n11:00 Break: coffee",
        "The plan has two parts: one for us and one for you.\nWe start today: bring your tools.",
        "Q: What is it?\nA: It is a pump.",
        "Meeting on 3 May: the budget is 10.",
        "Gebühr: 20 Euro\nFrist: 3. Mai\nOrt: Rathaus",
        "Цена: 20 евро\nСрок: 3 мая",
        "时间：九点\n地点：北京",
        "Summary: Marta will call the vendor.\nDecision: We stay.\nNext steps: Jonas asks Priya.",
        "TODO: call Ana\nFIXME: ask Ben",
        "Python: a language\nRuby: a language\nRust: a language",
        "Anemometer: measures wind. Ours come with cups, with a propeller or with nothing.",
        "RecallRequest: query!, types, budget, and whatever you like.",
        "Paris: The museum opens at 9.\nLyon: The museum opens at 10.\nRome: The museum opens at 11.",
    ],
)
def test_entries_and_prose_are_no_turns(text: str) -> None:
    assert said(text) == []


def test_heading_ends_a_turn_and_stands_above_the_next() -> None:
    text = "# Monday\n\nAna: I am late.\n\n# Tuesday\n\nBen: Why?\nAna: The train."
    assert said(text) == [("Ana", "I am late."), ("Ben", "Why?"), ("Ana", "The train.")]


def test_remark_inside_a_turn_belongs_to_it() -> None:
    text = "Ana: I am late.\nNote: it rains.\nBen: Why?\nAna: The train."
    assert said(text)[0] == ("Ana", "I am late.\nNote: it rains.")


def test_prose_before_the_turns_gives_facts_too() -> None:
    text = "The call took an hour.\n\nAna: I am late.\nBen: Why?\nAna: The train."
    told = content.read(text)
    facts = rules.extract(
        Excerpt(document=told.text, start=0, end=len(told.text), turns=told.turns, language="en")
    )
    assert [(fact.speaker, fact.text) for fact in facts] == [
        ("", "The call took an hour."),
        ("Ana", "I am late."),
        ("Ben", "Why?"),
        ("Ana", "The train."),
    ]


def test_assistant_of_a_transcript_is_the_agent() -> None:
    found = turns.find("User: Where is the key?\nAssistant: In the safe.")
    assert [turn.is_agent for turn in found] == [False, True]
