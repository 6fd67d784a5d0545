"""Dates that leave their year open: what is planned lies ahead, what has been lies behind."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory.dates import occurrence, parse_window

SEPTEMBER = datetime(2026, 9, 3, 9, tzinfo=UTC)


def day(text: str, language: str = "", anchor: datetime = SEPTEMBER) -> str | None:
    happened = occurrence(text, anchor=anchor, language=language)
    return str(happened[0].date()) if happened else None


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("The launch is planned for 15 October.", "2026-10-15"),
        ("The launch will be on October 15.", "2026-10-15"),
        ("The audit is due on 2 January.", "2027-01-02"),
        ("We're going to ship on 10 January.", "2027-01-10"),
        ("Send the report by 15 October.", "2026-10-15"),
        ("The offer is valid until 31 December.", "2026-12-31"),
        ("The next release ships on 1 February.", "2027-02-01"),
        ("The trial ends in 3 weeks.", "2026-09-24"),
        ("The lease ends in January.", "2027-01-01"),
        ("The course starts on Monday.", "2026-09-07"),
        ("The office is closed on 25 December.", "2026-12-25"),
        ("The office will surely be closed on 25 December.", "2026-12-25"),
        ("In two weeks we will ship.", "2026-09-17"),
        ("Deadline: 3-7 November", "2026-11-03"),
        ("The launch is planned and open to all on 15 October.", "2026-10-15"),
        ("Next meeting: 3 December", "2026-12-03"),
        ("Nächste Sitzung am 12. November.", "2026-11-12"),
        ("Срок до 15 октября.", "2026-10-15"),
        ("La scadenza è il 15 ottobre.", "2026-10-15"),
        ("The contract runs from 1 October to 30 November.", "2026-10-01"),
        ("Der Start ist für den 15. Oktober geplant.", "2026-10-15"),
        ("Die Verhandlung findet am 12. November in Köln statt.", "2026-11-12"),
        ("Die Messe wird am 3. Mai eröffnet.", "2027-05-03"),
        ("Bitte bis 15. Oktober einreichen.", "2026-10-15"),
        ("Die Probezeit endet in 3 Wochen.", "2026-09-24"),
        ("De start is gepland op 15 oktober.", "2026-10-15"),
        ("La réunion aura lieu le 3 déc.", "2026-12-03"),
        ("Le lancement est prévu pour le 15 octobre.", "2026-10-15"),
        ("La reunión tendrá lugar el 5 de diciembre.", "2026-12-05"),
        ("El lanzamiento está previsto para el 15 de octubre.", "2026-10-15"),
        ("La riunione si terrà il 5 dicembre.", "2026-12-05"),
        ("A reunião terá lugar em 5 de dezembro.", "2026-12-05"),
        ("O lançamento está previsto para 15 de outubro.", "2026-10-15"),
        ("Встреча назначена на 5 декабря", "2026-12-05"),
        ("Запуск состоится 15 октября.", "2026-10-15"),
        ("Зустріч відбудеться 5 грудня.", "2026-12-05"),
        ("Spotkanie odbędzie się 5 grudnia.", "2026-12-05"),
        ("会议将于10月15日举行。", "2026-10-15"),
        ("发布会定于12月5日。", "2026-12-05"),
        ("会議は12月5日に開催予定です。", "2026-12-05"),
        ("회의는 12월 5일에 열릴 예정이다.", "2026-12-05"),
        ("Cuộc họp sẽ diễn ra vào ngày 5 tháng 12.", "2026-12-05"),
        ("Rapat akan diadakan pada 5 Desember.", "2026-12-05"),
    ],
)
def test_plan_lies_ahead(text: str, first: str) -> None:
    assert day(text) == first


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("The depot opened on 15 October.", "2025-10-15"),
        ("We met on 28 December.", "2025-12-28"),
        ("The launch was planned for 15 October.", "2025-10-15"),
        ("Signed in Rome, 15 October.", "2025-10-15"),
        ("On 3 December we decided that the depot will open later.", "2025-12-03"),
        ("We met on 28 December. The next one will be larger.", "2025-12-28"),
        ("The course started last Monday, and it will go on.", "2026-08-31"),
        ("The depot opens on 3 August.", "2026-08-03"),
        ("Kunde Hartmann hat am 6. Oktober gekündigt.", "2025-10-06"),
        ("Die Messe wurde am 12. November eröffnet.", "2025-11-12"),
        ("Er ist am 6. Oktober gekommen.", "2025-10-06"),
        ("Elle est née le 5 décembre.", "2025-12-05"),
        ("Встреча состоялась 5 декабря.", "2025-12-05"),
        ("La réunion a eu lieu le 3 décembre.", "2025-12-03"),
        ("Fue el 5 de diciembre.", "2025-12-05"),
        ("他曾于10月15日来访。", "2025-10-15"),
        ("The launch will be on 15 October 2024.", "2024-10-15"),
    ],
)
def test_what_has_been_lies_behind(text: str, first: str) -> None:
    assert day(text) == first


def test_of_two_dates_the_first_counts_and_its_own_clause_tells_it() -> None:
    assert day("We met on 28 December and ship on 10 January.") == "2025-12-28"
    assert day("We will meet on 28 December and shipped on 10 January.") == "2026-12-28"


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Die Verhandlung findet am 12. November in Köln statt.", "2026-11-12"),
        ("La réunion aura lieu le 3 déc.", "2026-12-03"),
        ("Die Messe wurde am 12. November eröffnet.", "2025-11-12"),
    ],
)
def test_sentence_in_a_text_of_another_language_tells_its_own_time(text: str, first: str) -> None:
    assert {day(text, language) for language in ("en", "es", "ru", "de", "fr")} == {first}


def test_how_long_it_took_is_no_time() -> None:
    assert day("She learned it in 3 weeks.") is None


def test_29_february_ahead_is_looked_for() -> None:
    assert day("The party will be on 29 February.") == "2028-02-29"


def test_plan_at_the_end_of_the_calendar_is_no_error() -> None:
    assert day("It will open on 3 March.", anchor=datetime(9999, 12, 31)) == "9999-03-03"


def window(text: str) -> str | None:
    found = parse_window(text, anchor=SEPTEMBER)
    return str(found.start.date()) if found else None


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("When is the meeting on 15 October?", "2025-10-15"),
        ("What happened on 15 October?", "2025-10-15"),
        ("What starts in December?", "2025-12-01"),
        ("What will happen on 15 October?", "2026-10-15"),
        ("upcoming launches on 15 October", "2026-10-15"),
        ("What is planned for December?", "2026-12-01"),
        ("Was wird am 12. November verhandelt?", "2026-11-12"),
    ],
)
def test_question_looks_back_unless_its_words_look_ahead(text: str, first: str) -> None:
    assert window(text) == first
