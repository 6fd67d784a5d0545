"""Sentences that were told on 19 May 2025, a Monday, and the day that each is about.

What was moved, booked, promised or arranged lies ahead, though it is told in the past.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.dates import occurrence, parse_window

TOLD = datetime(2025, 5, 19, 9, tzinfo=UTC)

AHEAD = [
    ("The deadline moved, it is now 30 June.", "en", "2025-06-30"),
    ("We moved the deadline to 30 June.", "en", "2025-06-30"),
    ("The launch was postponed to 12 December.", "en", "2025-12-12"),
    ("They promised delivery on 3 October.", "en", "2025-10-03"),
    ("We agreed to meet on Friday.", "en", "2025-05-23"),
    ("I ordered a disk last week, it arrives on Thursday.", "en", "2025-05-22"),
    ("I have choir on Wednesday evening.", "en", "2025-05-21"),
    ("The deadline is now 30 June.", "en", "2025-06-30"),
    ("The review was rescheduled for 4 July.", "en", "2025-07-04"),
    ("The move has been pushed back to 1 September.", "en", "2025-09-01"),
    ("The release slipped to 2 June.", "en", "2025-06-02"),
    ("She booked a flight for 10 August.", "en", "2025-08-10"),
    ("I invited Tom for Saturday.", "en", "2025-05-24"),
    ("He told me that the audit takes place on 15 July.", "en", "2025-07-15"),
    ("Our rent is due on 10 June.", "en", "2025-06-10"),
    ("The invoice has to be paid by 5 October.", "en", "2025-10-05"),
    ("My dentist appointment is on Thursday.", "en", "2025-05-22"),
    ("I have an appointment on 14 June.", "en", "2025-06-14"),
    ("Registration closes on 20 September.", "en", "2025-09-20"),
    ("The office closes early on 24 December.", "en", "2025-12-24"),
    ("He starts at Acme on 1 August.", "en", "2025-08-01"),
    ("Anna said she would come on Friday.", "en", "2025-05-23"),
    ("Our wedding is on 12 September.", "en", "2025-09-12"),
    ("My lease got extended until 31 July.", "en", "2025-07-31"),
    ("We changed the date of the party from 1 June to 15 June.", "en", "2025-06-15"),
    ("I need to see the doctor on Thursday.", "en", "2025-05-22"),
    ("Applications must be in by 31 August.", "en", "2025-08-31"),
    ("I'm meeting Lea on Saturday.", "en", "2025-05-24"),
    ("I booked the dentist for 3 June.", "en", "2025-06-03"),
    ("Dentist on 3 June at 9.", "en", "2025-06-03"),
    ("The concert, originally planned for May, now takes place on 2 November.", "en", "2025-11-02"),
    ("Let's meet on Tuesday.", "en", "2025-05-20"),
    ("Mia has a dentist appointment on Wednesday.", "en", "2025-05-21"),
    ("The plumber is coming on 6 June because the sink broke.", "en", "2025-06-06"),
    ("From 1 June the price is 35 euros.", "en", "2025-06-01"),
    ("Die Frist wurde auf den 30. Juni verschoben.", "de", "2025-06-30"),
    ("Wir haben die Frist auf den 30. Juni verlegt.", "de", "2025-06-30"),
    ("Sie haben die Lieferung für den 3. Oktober zugesagt.", "de", "2025-10-03"),
    ("Wir haben uns für Freitag verabredet.", "de", "2025-05-23"),
    ("Ich habe letzte Woche eine Platte bestellt, sie kommt am Donnerstag.", "de", "2025-05-22"),
    ("Ich habe am Mittwoch Chorprobe.", "de", "2025-05-21"),
    ("Die Frist hat sich geändert, sie ist jetzt der 30. Juni.", "de", "2025-06-30"),
    ("Der Start wurde auf den 12. Dezember vertagt.", "de", "2025-12-12"),
    ("Unsere Hochzeit ist am 12. September.", "de", "2025-09-12"),
    ("Ich muss am Donnerstag zum Arzt.", "de", "2025-05-22"),
    ("Am Donnerstag habe ich einen Arzttermin.", "de", "2025-05-22"),
    ("Der Handwerker kommt am 3. Juni.", "de", "2025-06-03"),
    ("Zahnarzt am 3. Juni um 9 Uhr.", "de", "2025-06-03"),
    ("Am Samstag treffe ich Lea.", "de", "2025-05-24"),
    ("Wir haben das Fest vom 1. Juni auf den 15. Juni verlegt.", "de", "2025-06-15"),
    ("Die Bewerbungsfrist wurde bis zum 31. Juli verlängert.", "de", "2025-07-31"),
    ("Nous avons déplacé l'échéance au 30 juin.", "fr", "2025-06-30"),
    ("Le lancement a été reporté au 12 décembre.", "fr", "2025-12-12"),
    ("Ils ont promis la livraison pour le 3 octobre.", "fr", "2025-10-03"),
    ("Nous avons convenu de nous voir vendredi.", "fr", "2025-05-23"),
    ("J'ai commandé un disque la semaine dernière, il arrive jeudi.", "fr", "2025-05-22"),
    ("J'ai chorale mercredi soir.", "fr", "2025-05-21"),
    ("La date limite a changé, c'est maintenant le 30 juin.", "fr", "2025-06-30"),
    ("Notre mariage est le 12 septembre.", "fr", "2025-09-12"),
    ("Je dois voir le médecin jeudi.", "fr", "2025-05-22"),
    ("J'ai un rendez-vous chez le dentiste le 3 juin.", "fr", "2025-06-03"),
    ("La fête a été déplacée du 1er juin au 15 juin.", "fr", "2025-06-15"),
    ("Movimos la fecha límite al 30 de junio.", "es", "2025-06-30"),
    ("El lanzamiento fue aplazado al 12 de diciembre.", "es", "2025-12-12"),
    ("Prometieron la entrega para el 3 de octubre.", "es", "2025-10-03"),
    ("Quedamos en vernos el viernes.", "es", "2025-05-23"),
    ("Pedí un disco la semana pasada, llega el jueves.", "es", "2025-05-22"),
    ("Tengo coro el miércoles por la tarde.", "es", "2025-05-21"),
    ("El plazo cambió, ahora es el 30 de junio.", "es", "2025-06-30"),
    ("Nuestra boda es el 12 de septiembre.", "es", "2025-09-12"),
    ("Tengo que ver al médico el jueves.", "es", "2025-05-22"),
    ("Tengo cita con el dentista el 3 de junio.", "es", "2025-06-03"),
    ("La fiesta se cambió del 1 de junio al 15 de junio.", "es", "2025-06-15"),
    ("Abbiamo spostato la scadenza al 30 giugno.", "it", "2025-06-30"),
    ("Il lancio è stato rinviato al 12 dicembre.", "it", "2025-12-12"),
    ("Hanno promesso la consegna per il 3 ottobre.", "it", "2025-10-03"),
    ("Abbiamo concordato di vederci venerdì.", "it", "2025-05-23"),
    ("Ho ordinato un disco la settimana scorsa, arriva giovedì.", "it", "2025-05-22"),
    ("Ho il coro mercoledì sera.", "it", "2025-05-21"),
    ("La scadenza è cambiata, ora è il 30 giugno.", "it", "2025-06-30"),
    ("Il nostro matrimonio è il 12 settembre.", "it", "2025-09-12"),
    ("Devo andare dal medico giovedì.", "it", "2025-05-22"),
    ("Ho un appuntamento dal dentista il 3 giugno.", "it", "2025-06-03"),
    ("La festa è stata spostata dal 1 giugno al 15 giugno.", "it", "2025-06-15"),
    ("Mudámos o prazo para 30 de junho.", "pt", "2025-06-30"),
    ("O lançamento foi adiado para 12 de dezembro.", "pt", "2025-12-12"),
    ("Prometeram a entrega para 3 de outubro.", "pt", "2025-10-03"),
    ("Combinámos encontrar-nos na sexta-feira.", "pt", "2025-05-23"),
    ("Encomendei um disco na semana passada, chega na quinta-feira.", "pt", "2025-05-22"),
    ("Tenho coro na quarta-feira à noite.", "pt", "2025-05-21"),
    ("O prazo mudou, agora é 30 de junho.", "pt", "2025-06-30"),
    ("O nosso casamento é em 12 de setembro.", "pt", "2025-09-12"),
    ("Preciso ir ao médico na quinta-feira.", "pt", "2025-05-22"),
    ("Tenho uma consulta em 3 de junho.", "pt", "2025-06-03"),
    ("Мы перенесли срок на 30 июня.", "ru", "2025-06-30"),
    ("Запуск отложили до 12 декабря.", "ru", "2025-12-12"),
    ("Они обещали доставку 3 октября.", "ru", "2025-10-03"),
    ("Мы договорились встретиться в пятницу.", "ru", "2025-05-23"),
    ("Я заказал диск на прошлой неделе, он придёт в четверг.", "ru", "2025-05-22"),
    ("У меня хор в среду вечером.", "ru", "2025-05-21"),
    ("Срок изменился, теперь он 30 июня.", "ru", "2025-06-30"),
    ("Наша свадьба 12 сентября.", "ru", "2025-09-12"),
    ("Мне нужно к врачу в четверг.", "ru", "2025-05-22"),
    ("У меня приём у стоматолога 3 июня.", "ru", "2025-06-03"),
    ("Праздник перенесли с 1 июня на 15 июня.", "ru", "2025-06-15"),
    ("我们把截止日期改到6月30日。", "zh", "2025-06-30"),
    ("发布会推迟到12月12日。", "zh", "2025-12-12"),
    ("他们答应10月3日交货。", "zh", "2025-10-03"),
    ("我们约好周五见面。", "zh", "2025-05-23"),
    ("我上周订了一块硬盘，周四到货。", "zh", "2025-05-22"),
    ("我周三晚上有合唱。", "zh", "2025-05-21"),
    ("截止日期变了，现在是6月30日。", "zh", "2025-06-30"),
    ("我周四要去看医生。", "zh", "2025-05-22"),
    ("我6月3日有牙医预约。", "zh", "2025-06-03"),
    ("聚会从6月1日改到6月15日。", "zh", "2025-06-15"),
    ("Chúng tôi đã dời hạn chót sang ngày 30 tháng 6.", "vi", "2025-06-30"),
    ("Buổi ra mắt bị hoãn đến ngày 12 tháng 12.", "vi", "2025-12-12"),
    ("Họ hứa giao hàng vào ngày 3 tháng 10.", "vi", "2025-10-03"),
    ("Chúng tôi hẹn gặp nhau vào thứ sáu.", "vi", "2025-05-23"),
    ("Tôi đã đặt một ổ đĩa tuần trước, nó sẽ đến vào thứ năm.", "vi", "2025-05-22"),
    ("Tôi có buổi hợp xướng vào tối thứ tư.", "vi", "2025-05-21"),
    ("Hạn chót đã thay đổi, bây giờ là ngày 30 tháng 6.", "vi", "2025-06-30"),
    ("Tôi phải đi khám bác sĩ vào thứ năm.", "vi", "2025-05-22"),
    ("Tôi có hẹn với nha sĩ vào ngày 3 tháng 6.", "vi", "2025-06-03"),
    ("Bữa tiệc được dời từ ngày 1 tháng 6 sang ngày 15 tháng 6.", "vi", "2025-06-15"),
]
BEHIND = [
    ("The deadline was 30 June.", "en", "2024-06-30"),
    ("We met on Friday.", "en", "2025-05-16"),
    ("I went to the gym on Friday, it was great.", "en", "2025-05-16"),
    ("They delivered it on 3 October.", "en", "2024-10-03"),
    ("The launch was on 12 December.", "en", "2024-12-12"),
    ("The package arrived on Thursday.", "en", "2025-05-15"),
    ("I had choir on Wednesday evening.", "en", "2025-05-14"),
    ("He moved to Rome on 30 June.", "en", "2024-06-30"),
    ("We agreed on the price on 4 July.", "en", "2024-07-04"),
    ("On 3 October they promised to deliver soon.", "en", "2024-10-03"),
    ("I bought a bike on Friday, it has six gears.", "en", "2025-05-16"),
    ("I have met Tom on Friday.", "en", "2025-05-16"),
    ("Our wedding was on 12 September.", "en", "2024-09-12"),
    ("Tom visited us on Saturday, he looks well.", "en", "2025-05-17"),
    ("The server crashed on 3 March and is fine now.", "en", "2025-03-03"),
    ("Lea was born on 3 December.", "en", "2024-12-03"),
    ("I booked the flight on Friday.", "en", "2025-05-16"),
    ("I had to see the doctor on Tuesday.", "en", "2025-05-13"),
    ("We decided on Friday to sell the car.", "en", "2025-05-16"),
    ("The concert took place on 2 November.", "en", "2024-11-02"),
    ("We moved to Berlin on 12 April.", "en", "2025-04-12"),
    ("Grandma died on 31 August.", "en", "2024-08-31"),
    ("He proposed on 14 February.", "en", "2025-02-14"),
    ("I went hiking on Sunday and will do it again.", "en", "2025-05-18"),
    ("On Sunday we had a picnic, and next time we will bring the dog.", "en", "2025-05-18"),
    ("Wir haben uns am Freitag getroffen.", "de", "2025-05-16"),
    ("Er ist am 30. Juni nach Rom gezogen.", "de", "2024-06-30"),
    ("Ich hatte am Mittwoch Chorprobe.", "de", "2025-05-14"),
    ("Am Freitag habe ich Tom gesehen.", "de", "2025-05-16"),
    ("Am Freitag war ich beim Arzt.", "de", "2025-05-16"),
    ("Lea wurde am 3. Dezember geboren.", "de", "2024-12-03"),
    ("Am Sonntag sind wir gewandert.", "de", "2025-05-18"),
    ("Wir sind am 12. April nach Berlin gezogen.", "de", "2025-04-12"),
    ("Ich habe den Flug am Freitag gebucht.", "de", "2025-05-16"),
    ("Nous nous sommes vus vendredi.", "fr", "2025-05-16"),
    ("Léa est née le 3 décembre.", "fr", "2024-12-03"),
    ("Dimanche, nous sommes allés au parc.", "fr", "2025-05-18"),
    ("Nos vimos el viernes.", "es", "2025-05-16"),
    ("Lea nació el 3 de diciembre.", "es", "2024-12-03"),
    ("Ci siamo visti venerdì.", "it", "2025-05-16"),
    ("Lea è nata il 3 dicembre.", "it", "2024-12-03"),
    ("Encontrámo-nos na sexta-feira.", "pt", "2025-05-16"),
    ("Lea nasceu em 3 de dezembro.", "pt", "2024-12-03"),
    ("Мы встретились в пятницу.", "ru", "2025-05-16"),
    ("Лея родилась 3 декабря.", "ru", "2024-12-03"),
    ("В воскресенье мы ходили в парк.", "ru", "2025-05-18"),
    ("我们周五见了面。", "zh", "2025-05-16"),
    ("莉亚12月3日出生了。", "zh", "2024-12-03"),
    ("Chúng tôi đã gặp nhau vào thứ sáu.", "vi", "2025-05-16"),
    ("Lea đã sinh ngày 3 tháng 12.", "vi", "2024-12-03"),
]


def day(text: str, language: str = "") -> str | None:
    happened = occurrence(text, anchor=TOLD, language=language)
    return str(happened[0].date()) if happened else None


@pytest.mark.parametrize(("text", "language", "told"), AHEAD)
def test_what_is_to_come_lies_ahead(text: str, language: str, told: str) -> None:
    assert day(text) == day(text, language) == told


@pytest.mark.parametrize(("text", "language", "told"), BEHIND)
def test_what_has_been_lies_behind(text: str, language: str, told: str) -> None:
    assert day(text) == day(text, language) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("On 3 October they promised to deliver soon.", "2024-10-03"),
        ("The launch was postponed on 4 April.", "2025-04-04"),
        ("I booked the flight on Friday.", "2025-05-16"),
        ("The launch was planned for 15 October.", "2024-10-15"),
        ("The figures for March were good.", "2025-03-01"),
        ("We booked a house for August.", "2025-08-01"),
        ("We moved the launch to August.", "2025-08-01"),
        ("We moved the sync to Thursday.", "2025-05-22"),
    ],
)
def test_only_the_day_that_something_is_moved_to_is_to_come(text: str, told: str) -> None:
    assert day(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I ordered a disk last week, it arrives on Thursday.", "2025-05-22"),
        ("I ordered a disk on Friday, it arrives on Thursday.", "2025-05-16"),
        ("We moved the sync from Tuesday to Thursday.", "2025-05-22"),
        ("On 3 May we postponed the launch to 12 December.", "2025-12-12"),
    ],
)
def test_of_two_days_the_one_it_was_moved_to_counts_then_the_narrower_then_the_first(
    text: str, told: str
) -> None:
    assert day(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Dinner with Ana on Wednesday evening.", "2025-05-21"),
        ("Dinner with Ana on Friday evening.", "2025-05-16"),
        ("Rent: 1 June", "2025-06-01"),
        ("Kickoff 3 April, Rome", "2025-04-03"),
    ],
)
def test_note_without_a_verb_is_about_the_nearest_day(text: str, told: str) -> None:
    assert day(text) == told


@pytest.mark.parametrize(
    "text",
    [
        "I am here for 3 weeks.",
        "We will stay for 3 weeks.",
        "Ich bin für drei Wochen hier.",
        "lundi, on mange.",
        "Montag ist Ruhetag.",
    ],
)
def test_how_long_and_any_weekday_are_no_day(text: str) -> None:
    assert day(text) is None


def test_question_for_a_day_looks_back() -> None:
    asked = parse_window("the report for 3 June", anchor=TOLD)
    moved = parse_window("what was moved to 3 June?", anchor=TOLD)
    assert asked is not None
    assert moved is not None
    assert str(asked.start.date()) == "2024-06-03"
    assert str(moved.start.date()) == "2025-06-03"


@settings(max_examples=300, deadline=None)
@given(
    st.integers(0, 4 * 365).map(lambda count: date(2023, 1, 1) + timedelta(days=count)),
    st.sampled_from([*AHEAD, *BEHIND]),
)
def test_fc_51_no_sentence_fails_on_any_day(day: date, sentence: tuple[str, str, str]) -> None:
    text, language, _ = sentence
    happened = occurrence(text, anchor=datetime(day.year, day.month, day.day), language=language)
    assert happened is not None
    start, end = happened
    assert start.date() == end.date()
    if sentence in AHEAD:
        assert start.date() >= day - timedelta(days=183)
    else:
        assert start.date() <= day
