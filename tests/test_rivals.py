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
    ("one", "other", "language"),
    [
        ("The kickoff is on Tuesday.", "The kickoff has been moved to Thursday.", "en"),
        ("The kickoff is on Tuesday.", "The kickoff was moved from Tuesday to Thursday.", "en"),
        ("The kickoff is on Tuesday at 10.", "The kickoff was put back to Thursday at 11.", "en"),
        ("The kickoff is scheduled for Tuesday.", "The kickoff is now on Thursday.", "en"),
        ("The kickoff takes place on Tuesday.", "The kickoff was rescheduled for Friday.", "en"),
        ("The kickoff will be on Tuesday.", "We have moved the kickoff to Thursday.", "en"),
        ("The sync is on Tuesday.", "The sync moves to Thursday.", "en"),
        ("The office closes at 6.", "The office now shuts at 7.", "en"),
        ("The course starts at 9.", "The course now begins at 10.", "en"),
        ("The fee is 20 euros.", "The fee has been raised to 25 euros.", "en"),
        ("The fee is 20 euros.", "The fee has gone up from 20 to 25 euros.", "en"),
        ("The deadline is May 5.", "The deadline has moved to May 7.", "en"),
        ("The launch is planned for 15 October.", "The launch has slipped to 2 November.", "en"),
        ("The depot opens at 7.", "Since June the depot opens at 8.", "en"),
        ("The ticket costs 29 euros.", "The ticket costs 35 euros since May.", "en"),
        ("The ticket costs 29 euros.", "The ticket costs 35 euros as of 1 May 2024.", "en"),
        ("The deadline is 15 June.", "The deadline moved, it is now 30 June.", "en"),
        ("The deadline is 15 June.", "The deadline has changed: it's 30 June.", "en"),
        ("The weekly sync is on Tuesday at 10:00.", "The weekly sync moves to Thursday.", "en"),
        ("The weekly sync is on Tuesday at 10:00.", "The weekly sync is now at 11:00.", "en"),
        ("Das Ticket kostet 29 Euro.", "Das Ticket kostet seit Mai 35 Euro.", "de"),
        (
            "Die Frist ist am 15. Juni.",
            "Die Frist hat sich verschoben, sie ist jetzt am 30. Juni.",
            "de",
        ),
        ("Le billet coûte 29 euros.", "Le billet coûte depuis mai 35 euros.", "fr"),
        ("La entrada cuesta 29 euros.", "La entrada cuesta desde mayo 35 euros.", "es"),
        ("Das Treffen ist am Dienstag.", "Das Treffen wurde auf Donnerstag verschoben.", "de"),
        ("Das Treffen findet am Dienstag statt.", "Das Treffen ist jetzt am Donnerstag.", "de"),
        ("Der Termin ist am 5. Mai.", "Der Termin wurde auf den 7. Mai verlegt.", "de"),
        ("Die Gebühr beträgt 20 Euro.", "Die Gebühr wurde auf 25 Euro erhöht.", "de"),
        ("Das Büro schließt um 18 Uhr.", "Das Büro macht jetzt um 19 Uhr zu.", "de"),
        ("La réunion a lieu mardi.", "La réunion a été reportée à jeudi.", "fr"),
        ("Le prix est de 20 euros.", "Le prix est passé à 25 euros.", "fr"),
        ("La reunión es el martes.", "La reunión se ha pasado al jueves.", "es"),
        ("El precio es de 20 euros.", "El precio ha subido a 25 euros.", "es"),
        ("La riunione è martedì.", "La riunione è stata spostata a giovedì.", "it"),
        ("A reunião é na terça-feira.", "A reunião foi adiada para quinta-feira.", "pt"),
        ("Встреча проходит во вторник.", "Встреча перенесена на четверг.", "ru"),
        ("Cuộc họp là thứ ba.", "Cuộc họp được dời sang thứ năm.", "vi"),
        ("会议在星期二。", "会议改到星期四。", "zh"),
        ("会议定在5月5日。", "会议推迟到5月7日。", "zh"),
        ("价格是20元。", "价格涨到了25元。", "zh"),
        ("仓库7点开门。", "仓库现在8点开门。", "zh"),
        ("キックオフは火曜日です。", "キックオフは木曜日に変更されました。", "ja"),
        ("会議は火曜日に行われます。", "会議は木曜日に延期になりました。", "ja"),
        ("倉庫は7時に開く。", "倉庫は今8時に開く。", "ja"),
    ],
)
def test_change_in_other_words_is_a_rival(one: str, other: str, language: str) -> None:
    assert are_both_rivals(one, other, language)


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("The kickoff is on Tuesday.", "The review has been moved to Thursday.", "en"),
        ("The kickoff is on Tuesday.", "The kickoff has been moved to room 5.", "en"),
        ("The kickoff starts at 9.", "The kickoff has been moved to Thursday.", "en"),
        ("The kickoff is on Tuesday.", "The kickoff may be moved to Thursday.", "en"),
        ("The kickoff is on Tuesday.", "The kickoff was not moved to Thursday.", "en"),
        ("The kickoff is on Tuesday.", "If it rains, the kickoff is moved to Thursday.", "en"),
        ("The kickoff is on Tuesday.", "Has the kickoff been moved to Thursday?", "en"),
        ("The kickoff is on Tuesday.", "We moved to Thursday.", "en"),
        ("The fee is 20 euros.", "In 2019 the fee was raised to 15 euros.", "en"),
        ("The fee is 20 euros.", "The fee was raised by 5 euros.", "en"),
        ("Ana's rent is 500 euros.", "Ben's rent has been raised to 600 euros.", "en"),
        ("Ana moved to Rome.", "Ana moved to Lyon.", "en"),
        ("The temperature rose to 30 degrees.", "The temperature fell to 20 degrees.", "en"),
        ("The heating is set to 21.", "The heating is set to 19 at night.", "en"),
        ("Das Treffen ist am Dienstag.", "Das Treffen wurde nicht auf Freitag verschoben.", "de"),
        ("La réunion est mardi.", "La réunion n'est pas reportée à jeudi.", "fr"),
        ("Le train est à 7h.", "Le train est passé à 8h.", "fr"),
        ("La reunión es el martes.", "La reunión no se ha pasado al jueves.", "es"),
        ("会议在星期二。", "会议可能改到星期四。", "zh"),
        ("会議は火曜日です。", "会議は木曜日に変更されませんでした。", "ja"),
    ],
)
def test_what_is_denied_possible_or_of_another_thing_changes_nothing(
    one: str, other: str, language: str
) -> None:
    assert not are_both_rivals(one, other, language)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("My favourite colour is blue.", "My favourite colour is now green."),
        ("Ana is married.", "Ana is not married."),
        ("The office is open.", "The office is closed."),
        ("The supplier is Acme.", "The supplier is now Globex."),
        ("The train leaves at 7:15.", "The train now leaves at 8:15."),
    ],
)
def test_state_without_a_figure_has_one_value_too(one: str, other: str) -> None:
    assert are_both_rivals(one, other, "en")


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("Mia is the team lead.", "Jonas is the team lead now.", "en"),
        ("Mia is the team lead.", "Jonas is the team lead.", "en"),
        ("The team lead is Mia.", "Jonas Weber is now the team lead.", "en"),
        ("Mia is the team lead.", "Jonas has become the team lead.", "en"),
        ("Mia is the team lead.", "Jonas took over as team lead.", "en"),
        ("Mia is the head of sales.", "Jonas is the head of sales now.", "en"),
        ("Mia ist die Chefin.", "Jana ist jetzt die Chefin.", "de"),
        ("Ana est la directrice.", "Zoé est maintenant la directrice.", "fr"),
        ("Ana es la directora.", "Ahora Eva es la directora.", "es"),
    ],
)
def test_who_holds_an_office_is_one_person(one: str, other: str, language: str) -> None:
    assert are_both_rivals(one, other, language)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mia is the head of sales.", "Jonas is the head of support now."),
        ("Mia is a team lead.", "Jonas is a team lead now."),
        ("Mia is the youngest member.", "Jonas is the tallest member."),
        ("Mia was the team lead.", "Jonas was the team lead."),
        ("Mia is the team lead.", "Mia is the team lead now."),
        ("Mia is the team lead.", "Here is the team lead."),
        ("Is Mia the team lead?", "Jonas is the team lead now."),
    ],
)
def test_two_offices_or_none_have_two_holders(one: str, other: str) -> None:
    assert not are_both_rivals(one, other, "en")


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        (
            "The office in Ghent opens at 7:30 and closes at 19:00.",
            "The office in Ghent now opens at 8:00.",
            "en",
        ),
        ("The office opens at 7:30 and closes at 19:00.", "The office closes at 18:00.", "en"),
        ("Das Büro öffnet um 7 Uhr und schließt um 19 Uhr.", "Das Büro öffnet um 8 Uhr.", "de"),
        (
            "The staging server runs PostgreSQL 14.",
            "We upgraded staging: the staging server now runs PostgreSQL 16.",
            "en",
        ),
        ("The depot opens at 7.", "Update: the depot now opens at 8.", "en"),
    ],
)
def test_clause_is_a_rival_of_what_it_changes(one: str, other: str, language: str) -> None:
    assert are_both_rivals(one, other, language)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The office opens at 7:30 and closes at 19:00 on Mondays.", "The office opens at 8:00."),
        ("On Sundays the office opens at 9 and closes at 12.", "The office opens at 8."),
        ("Ana and Ben are in Rome.", "Ana is in Lyon."),
        ("The depot opens at 7.", "In Ghent: the depot now opens at 8."),
        ("Meeting on 3 May: the budget is now 10.", "The budget is 12."),
        ("The depot opens at 7.", "We noticed: the depot opens at 8."),
        ("The weekly sync is on Tuesday at 10:00.", "The weekly sync is on Tuesday."),
        ("The ticket costs 29 euros.", "The ticket costs 29 euros since May."),
    ],
)
def test_clause_that_holds_elsewhere_or_says_the_same_is_none(one: str, other: str) -> None:
    assert not are_both_rivals(one, other, "en")


def test_words_of_other_languages_are_not_the_speaker() -> None:
    assert not Statement("Mia knows what the EU budget is.", "en").is_of_speaker
    assert Statement("La mia casa è a Roma.", "it").is_of_speaker


def test_nobody_knows_who_i_is_without_a_speaker() -> None:
    assert not are_both_rivals("I live in Lyon.", "I live in Porto.", "en")
    assert are_both_rivals("I live in Lyon.", "I now live in Porto.", "en")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Q1 budget is 10.", "The Q2 budget is 12."),
        ("The office has a printer on floor 2.", "The office has a printer on floor 3."),
        ("The members are Ana.", "The members are Ben."),
        ("The bus to Rome leaves at 7.", "The bus to Rome leaves at 8."),
        ("The train is at 7:15.", "The train is at 8:15."),
        ("The supplier is Acme.", "The supplier is Globex."),
        ("The tank holds more than 5 litres.", "The tank holds more than 6 litres."),
        ("Title is: Chapters", "Title is: Tables"),
        ("The status is green.", "The status is red."),
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


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("Der Termin ist am Dienstag.", "Der Termin wurde fast auf Donnerstag verschoben.", "de"),
        ("Der Preis beträgt 25 Euro.", "Der Preis wird nächstes Jahr auf 30 Euro erhöht.", "de"),
        ("The rent is 800 euros.", "The rent was nearly raised to 900 euros.", "en"),
        ("The rent is 1000 euros.", "The rent was originally raised to 900 euros.", "en"),
        ("A customer lives in Rome.", "A customer lives in Milan.", "en"),
        ("Most students live in Rome.", "Most students live in Milan.", "en"),
        ("The office is in Berlin.", "The office is in Germany.", "en"),
        ("The conference is in Rome.", "The conference is in June.", "en"),
        ("Ana lives in New York.", "Ana lives in New York City.", "en"),
        ("Bo is married to Ana.", "Bo is married to Ana Lopez.", "en"),
        ("All doors are locked.", "Not all doors are locked.", "en"),
    ],
)
def test_what_may_both_hold_is_no_rival(one: str, other: str, language: str) -> None:
    assert not are_both_rivals(one, other, language)
