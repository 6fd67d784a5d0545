"""Turns of plain texts: who speaks, and what only looks like it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory.errors import InvalidMemory
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


# -- when it was said -----------------------------------------------------------------------------


def moments(text: str) -> list[tuple[str, str, str]]:
    """Who said what, and when."""
    return [
        (
            turn.speaker,
            text[turn.start : turn.end],
            f"{turn.said_at:%d.%m.%Y %H:%M}" if turn.said_at else "",
        )
        for turn in turns.find(text)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "[2024-05-03 09:12] Ana: I am late.\n[2024-05-14 21:13] Ben: Why?",
        "2024-05-03 09:12 - Ana: I am late.\n2024-05-14 21:13 - Ben: Why?",
        "2024-05-03T11:12:00+02:00 Ana: I am late.\n2024-05-14T21:13:00Z Ben: Why?",
        "[03/05/2024, 09:12:45] Ana: I am late.\n[14/05/2024, 21:13:00] Ben: Why?",
        "5/3/24, 9:12\u202fAM - Ana: I am late.\n5/14/24, 9:13\u202fPM - Ben: Why?",
        "\u200e[03.05.24, 09:12:45] Ana: I am late.\n\u200e[14.05.24, 21:13:00] Ben: Why?",
        "Ana [3 May 2024 at 09:12]: I am late.\nBen [May 14, 2024 21:13]: Why?",
        "Ana, [03.05.2024 09:12]\nI am late.\n\nBen, [14.05.2024 21:13]\nWhy?",
        "Ana — 05/03/2024 9:12 AM\nI am late.\nBen — 05/14/2024 9:13 PM\nWhy?",
        "[03-May-24 09:12 AM] Ana#1234\nI am late.\n\n[14-May-24 09:13 PM] Ben#0007\nWhy?",
    ],
)
def test_time_beside_a_name_is_when_the_turn_was_said(text: str) -> None:
    found = moments(text.replace("11:12:00+02:00", "09:12:00Z"))
    assert found == [
        ("Ana", "I am late.", "03.05.2024 09:12"),
        ("Ben", "Why?", "14.05.2024 21:13"),
    ]


def test_zone_beside_a_time_counts() -> None:
    (turn,) = turns.find("[2024-05-03T09:12:00+02:00] Ana: I am late.")
    assert turn.said_at == datetime(2024, 5, 3, 7, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (("03/05/2024", "13/05/2024"), "03.05.2024"),
        (("03/05/2024", "05/13/2024"), "05.03.2024"),
        (("13/05/2024", "05/13/2024"), ""),
        (("03/05/2024", "03/05/2024"), ""),
        (("05/05/2024", "05/05/2024"), "05.05.2024"),
        (("03/05/2024", "04/05/2024"), ""),
        (("03/05/2024", "02/06/2024"), "03.05.2024"),
        (("04/30/2024", "05/03/2024"), "30.04.2024"),
        (("31/02/2024", "31/02/2024"), ""),
    ],
)
def test_day_that_may_be_two_days_is_read_as_the_others_say(
    days: tuple[str, str], expected: str
) -> None:
    text = "\n".join(f"{day}, 09:12 - Ana: I am late." for day in days)
    assert moments(text)[0][2] == (f"{expected} 09:12" if expected else "")


@pytest.mark.parametrize(
    "text",
    [
        "[09:12] Ana: I am late.\n[09:13] Ben: Why?",
        "Ana  9:12 AM\nI am late.\nBen  9:13 AM\nWhy?",
        "Ana — Today at 9:12 AM\nI am late.\nBen — Yesterday at 9:13 AM\nWhy?",
    ],
)
def test_clock_alone_names_no_day(text: str) -> None:
    assert moments(text) == [("Ana", "I am late.", ""), ("Ben", "Why?", "")]


@pytest.mark.parametrize(
    "text",
    [
        "Breakfast 9:00\nCroissants and coffee.\nLunch 12:30\nSoup for all of us.",
        "Kickoff — 05/13/2024 9:12 AM\nWe discuss the budget.\nReview — 05/14/2024 9:12 AM\nWe look back.",
        "The day begins.\nAna 9:12 AM\nShe opens the depot.",
    ],
)
def test_programme_is_no_chat(text: str) -> None:
    assert turns.find(text) == ()


def test_message_below_a_name_goes_on_to_the_next_name() -> None:
    text = "Ana, [03.05.2024 09:12]\nI am late.\n\nSorry: the train!\nBen, [03.05.2024 09:13]\nOk, see you."
    assert [words for _, words, _ in moments(text)] == [
        "I am late.\n\nSorry: the train!",
        "Ok, see you.",
    ]


def test_message_of_an_export_may_have_many_lines() -> None:
    text = (
        "[2024-05-03 09:12] Ana: I am late.\nThe train stands.\nSorry!\n"
        "[2024-05-03 09:13] Ben: Ok.\nSee\nyou."
    )
    assert [words for _, words, _ in moments(text)] == [
        "I am late.\nThe train stands.\nSorry!",
        "Ok.\nSee\nyou.",
    ]
    log = (
        "[2024-05-03 09:12] Server: I started\n at a\n at b\n"
        "[2024-05-03 09:13] Server: I stopped\n at c\n at d"
    )
    assert turns.find(log) == ()


# -- messages of chat models ----------------------------------------------------------------------


def test_parts_of_a_message_are_one_turn() -> None:
    told = content.read(
        [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "Where is"},
                    {"type": "text", "text": "the key?"},
                ],
            },
            {"role": "assistant", "content": [{"type": "output_text", "text": "In the safe."}]},
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "content": [{"type": "text", "text": "Safe: open"}]}
                ],
            },
            {"role": "tool", "content": "Key: found"},
        ]
    )
    assert [(turn.speaker, told.text[turn.start : turn.end]) for turn in told.turns] == [
        ("user", "Where is\nthe key?"),
        ("assistant", "In the safe."),
        ("user", "Safe: open"),
        ("tool", "Key: found"),
    ]


@pytest.mark.parametrize(
    "part", [7, {"type": "image", "source": {}}, {"text": 7}, {"content": []}, {"text": [7]}]
)
def test_part_without_a_text_is_refused_with_a_sentence(part: object) -> None:
    with pytest.raises(InvalidMemory, match=r"\.$"):
        content.read([{"role": "user", "content": [part]}])
