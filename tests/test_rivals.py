"""Which facts cannot both hold now: values of one slot, in ordinary notes of several languages."""

from __future__ import annotations

import pytest

from memory.facts.occasions import may_contend
from memory.facts.statements import Statement, are_rivals, are_twins


def are_both_rivals(one: str, other: str, language: str) -> bool:
    a, b = Statement(one, language), Statement(other, language)
    assert are_rivals(a, b) == are_rivals(b, a)
    assert not (are_rivals(a, b) and are_twins(a, b))
    return are_rivals(a, b)


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("The weekly sync is on Tuesday.", "The weekly sync is now on Thursday.", "en"),
        ("The sync is on Tuesday at 10.", "The sync is now on Thursday at 11:30.", "en"),
        ("The server runs Debian 11.", "The server now runs Debian 12.", "en"),
        ("The gateway runs nginx 1.25.3.", "The gateway now runs nginx 1.27.0.", "en"),
        (
            "The Atlas launch is planned for 15 October.",
            "The Atlas launch is planned for 2 November.",
            "en",
        ),
        (
            "The Atlas launch is planned for 15 October.",
            "The Atlas launch is now planned for 2 November.",
            "en",
        ),
        (
            "The orders database runs on PostgreSQL 15.",
            "The orders database runs on PostgreSQL 16 now.",
            "en",
        ),
        ("The server room is locked at 18:00.", "The server room is now locked at 20:00.", "en"),
        ("The Atlas budget is 48,000 euros.", "The Atlas budget is now 52,500 euros.", "en"),
        ("Das Budget beträgt 48.000 Euro.", "Das Budget beträgt jetzt 52.500 Euro.", "de"),
        (
            "Das Treffen findet am Dienstag statt.",
            "Das Treffen findet jetzt am Donnerstag statt.",
            "de",
        ),
        ("La réunion est mardi.", "La réunion est maintenant jeudi.", "fr"),
        ("La tienda abre a las 9.", "La tienda ahora abre a las 10.", "es"),
        ("Il negozio apre alle 9:00.", "Il negozio adesso apre alle 10:00.", "it"),
        ("O escritório abre às 9:00.", "O escritório agora abre às 10:00.", "pt"),
        ("Склад открывается в 7:00.", "Склад теперь открывается в 8:00.", "ru"),
        ("仓库上午7点开门。", "仓库现在上午8点开门。", "zh"),
        ("Kho mở cửa lúc 7:00.", "Kho bây giờ mở cửa lúc 8:00.", "vi"),
        ("The deadline is 3 May.", "The deadline is 10 May.", "en"),
        ("The report is due on Friday.", "The report is due on Monday.", "en"),
        ("The fee is 20 euros.", "Currently the fee is 25 euros.", "en"),
        ("The app requires Python 3.11.", "The app now requires Python 3.12.", "en"),
    ],
)
def test_new_value_of_the_same_thing_is_a_rival(one: str, other: str, language: str) -> None:
    assert are_both_rivals(one, other, language)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Q1 budget is 10.", "The Q2 budget is 12."),
        ("Ana likes tea.", "Ana likes coffee."),
        ("Version 1.2 fixed the login.", "Version 1.3 fixed the logout."),
        ("Version 1.2 fixed the login.", "Version 1.3 fixed the login."),
        ("Meeting on 3 May: the budget is 10.", "Meeting on 10 May: the budget is 12."),
        ("Meeting on 3 May: we agreed on 10.", "Meeting on 10 May: we agreed on 12."),
        ("Room A is free at 10:00.", "Room B is free at 11:00."),
        ("Room 12 is now free.", "Room 13 is now free."),
        ("The key for room 12 is now in the safe.", "The key for room 13 is now in the safe."),
        ("We met on Tuesday.", "We met on Thursday."),
        ("A workshop is planned for 3 May.", "A workshop is planned for 10 May."),
        ("The meeting is on 5 May.", "The meeting is on 6 May."),
        ("The cafe is closed on Monday.", "The cafe is closed on Tuesday."),
        ("The bins are collected on Tuesday.", "The bins are collected on Friday."),
        ("The bug is fixed in version 1.2.", "The bug is fixed in version 1.3."),
        ("The library supports Python 3.11.", "The library supports Python 3.12."),
        ("The server runs Debian 11.", "The server runs Debian 11 now."),
        ("Ana ran 5 km on Monday.", "Ana ran 6 km on Tuesday."),
        ("The train leaves at 7.", "The bus leaves at 8."),
        ("The north gate opens at 7.", "The south gate opens at 8."),
        ("The server was on Debian 10.", "The server runs on Debian 12."),
        ("We sold 5 cars in May.", "We sold 7 cars in June."),
        ("Ana is 40.", "Ben is 41."),
        ("Order 4711 is paid.", "Order 4712 is paid."),
        ("The price for 10 seats is 20 euros.", "The price for 20 seats is 35 euros."),
        ("The Q1 budget is 10, the Q2 budget is 12.", "The Q1 budget is 11, the Q3 budget is 12."),
        ("The tank holds 20 litres.", "The tank holds 20 gallons."),
        ("Has the fee risen to 20?", "Has the fee risen to 25?"),
        ("The price for 10 seats is now 20 euros.", "The price for 20 seats is now 20 euros."),
        ("It is now 10.", "It is now 11."),
        ("On 3 May the total is 10.", "On 4 May the total is 12."),
        ("A server runs Debian 11.", "A server runs Debian 12."),
        ("The flight on Tuesday is full.", "The flight on Thursday is full."),
    ],
)
def test_two_things_or_two_events_are_no_rivals(one: str, other: str) -> None:
    assert not are_both_rivals(one, other, "en")


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("The fee is 9 euros per day.", "The fee is now 9 euros per day.", "en"),
        ("Die Gebühr beträgt 9 Euro am Tag.", "Die Gebühr beträgt jetzt 9 Euro am Tag.", "de"),
        ("Currently the depot opens at 7.", "The depot opens at 7.", "en"),
    ],
)
def test_words_of_now_carry_no_content(one: str, other: str, language: str) -> None:
    assert are_twins(Statement(one, language), Statement(other, language))


def test_two_weekdays_are_no_twins() -> None:
    one = "The weekly sync of the whole platform team near the old mill pond happens on Tuesday."
    assert not are_twins(Statement(one, "en"), Statement(one.replace("Tues", "Thurs"), "en"))


@pytest.mark.parametrize(
    ("one", "other", "says_change", "expected"),
    [
        ("Standup 2 September", "Standup 23 September", False, True),
        ("Protokoll vom 2. September", "Protokoll vom 9. September", False, True),
        ("2024-09-02", "2024-09-23", False, True),
        ("Sprint 14", "Sprint 15", False, True),
        ("Concert 3 May", "Concert 10 May", False, False),
        ("Depot, 3 May", "Depot, 10 May", True, True),
        ("Room 1", "Room 2", True, False),
        ("Budget 2023", "Budget 2024", True, False),
        ("Minutes of room 1", "Minutes of room 2", True, False),
        ("North", "South", True, False),
    ],
)
def test_headings_that_differ_in_a_day_stand_above_one_thing(
    one: str, other: str, says_change: bool, expected: bool
) -> None:
    assert may_contend(["Depot", one], ["Depot", other], says_change=says_change) is expected
    assert may_contend([other], [one], says_change=says_change) is expected
    assert may_contend([one], [one], says_change=False)
    assert not may_contend([one], [], says_change=True)
