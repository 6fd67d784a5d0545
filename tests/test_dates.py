"""Windows from a query's words: the field's cases, every day of four years, and what is refused."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.dates import is_about_past, occurrence, parse_bounds, parse_datetime, parse_window
from memory.errors import InvalidTime
from tests.test_dates_languages import PHRASES, rows

NOON = datetime(2024, 5, 15, 12, tzinfo=UTC)
FIRST = date(2023, 1, 1)
FOUR_YEARS = 4 * 365 + 1


def days(text: str, anchor: datetime = NOON, language: str = "") -> tuple[str, str] | None:
    window = parse_window(text, anchor=anchor, language=language)
    return (str(window.start.date()), str(window.end.date())) if window else None


@pytest.mark.parametrize(
    "text",
    [
        "meeting on 13 July 2024",
        "13.07.2024",
        "July 13, 2024",
        "2024-07-13",
        "13/07/2024",
        "7/13/2024",
    ],
)
def test_fc_50_full_date_is_that_day(text: str) -> None:
    assert days(text) == ("2024-07-13", "2024-07-13")


def test_fc_50_month_and_year_are_the_month() -> None:
    assert days("July 2024") == ("2024-07-01", "2024-07-31")


@pytest.mark.parametrize("text", ["07/08/2024", "7-8-2024", "on 07/08/2024 at noon"])
def test_fc_50_date_that_reads_in_two_orders_is_no_window(text: str) -> None:
    assert days(text) is None


def test_fc_50_dotted_date_states_its_order() -> None:
    assert days("07.08.2024") == ("2024-08-07", "2024-08-07")


def test_date_that_is_the_same_in_both_orders_is_taken() -> None:
    assert days("07/07/2024") == ("2024-07-07", "2024-07-07")


@pytest.mark.parametrize(
    ("anchor", "first", "last"),
    [
        ("2023-10-31", "2023-09-01", "2023-09-30"),
        ("2024-03-31", "2024-02-01", "2024-02-29"),
        ("2023-03-31", "2023-02-01", "2023-02-28"),
        ("2024-01-31", "2023-12-01", "2023-12-31"),
        ("2024-12-31", "2024-11-01", "2024-11-30"),
    ],
)
def test_fc_51_last_month_on_the_31st(anchor: str, first: str, last: str) -> None:
    asked = datetime.fromisoformat(anchor)
    assert days("last month", asked) == (first, last)
    assert days("this month", asked) == (f"{anchor[:8]}01", anchor)
    assert days("a month ago", asked) == (min(last, f"{last[:8]}31"),) * 2


def all_phrases() -> list[tuple[str, str]]:
    named = [(phrase, language) for language, phrase, _, _ in rows()]
    more = [
        "29 February",
        "on 31 April",
        "30.02.2023",
        "0 days ago",
        "499 months ago",
        "9999 years ago",
    ]
    return named + [(phrase, "en") for phrase in more]


@settings(max_examples=400, deadline=None)
@given(
    st.integers(0, FOUR_YEARS - 1).map(lambda count: FIRST + timedelta(days=count)),
    st.sampled_from(all_phrases()),
    st.integers(0, 23),
)
def test_fc_51_no_phrase_fails_on_any_day(day: date, phrase: tuple[str, str], hour: int) -> None:
    text, language = phrase
    anchor = datetime(day.year, day.month, day.day, hour)
    window = parse_window(text, anchor=anchor, language=language)
    if window is not None:
        assert window.start <= window.end
        assert window.start.time() == datetime.min.time()
        assert window.end.time() == datetime.max.time()
    happened = occurrence(text, anchor=anchor, language=language)
    assert happened is None or happened[0] <= happened[1]


def test_fc_51_told_months_are_right_on_every_day_of_four_years() -> None:
    for count in range(FOUR_YEARS):
        day = FIRST + timedelta(days=count)
        anchor = datetime(day.year, day.month, day.day)
        eve = day.replace(day=1) - timedelta(days=1)
        assert days("last month", anchor) == (str(eve.replace(day=1)), str(eve))
        ago = eve.replace(day=min(day.day, eve.day))
        assert days("a month ago", anchor, "en") == (str(ago), str(ago))
        monday = day - timedelta(days=day.weekday())
        assert days("last week", anchor) == (
            str(monday - timedelta(days=7)),
            str(monday - timedelta(days=1)),
        )
        assert days("last weekend", anchor) == (
            str(monday - timedelta(days=2)),
            str(monday - timedelta(days=1)),
        )


@settings(max_examples=300)
@given(st.text(max_size=200), st.sampled_from(["", *PHRASES, "xx"]))
def test_no_text_fails(text: str, language: str) -> None:
    parse_window(text, anchor=NOON, language=language)
    occurrence(text, anchor=NOON, language=language)
    is_about_past(text, language)


WORDS = sorted({word for _, phrase, _, _ in rows() for word in phrase.split()})


@settings(max_examples=300)
@given(
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join),
    st.dates(date(1, 1, 1), date(9999, 12, 31)),
)
def test_words_of_time_in_any_order_and_at_any_time_do_not_fail(text: str, day: date) -> None:
    window = parse_window(text, anchor=datetime(day.year, day.month, day.day))
    assert window is None or window.start <= window.end


@pytest.mark.parametrize("anchor", [datetime(1, 1, 1), datetime(9999, 12, 31)])
@pytest.mark.parametrize(
    "text", ["last week", "next month", "3 years ago", "before May", "next summer"]
)
def test_end_of_the_calendar_is_no_error(text: str, anchor: datetime) -> None:
    parse_window(text, anchor=anchor)
    occurrence(text, anchor=anchor)


def test_days_are_those_of_the_anchors_zone() -> None:
    tokyo = timezone(timedelta(hours=9))
    window = parse_window("yesterday", anchor=datetime(2024, 5, 15, 1, tzinfo=tokyo))
    assert window is not None
    assert window.start == datetime(2024, 5, 14, tzinfo=tokyo)
    assert window.end == datetime(2024, 5, 14, 23, 59, 59, 999999, tzinfo=tokyo)


def test_anchor_without_zone_is_utc() -> None:
    window = parse_window("today", anchor=datetime(2024, 5, 15, 1))
    assert window is not None
    assert window.start == datetime(2024, 5, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2023",
        "port 5432",
        "ticket 2023 is open",
        "error 1984",
        "in 1850",
        "in 2060",
        "CVE-2024-07134",
        "version 2024.07.13.2",
        "192.168.10.2023",
        "24/7 support",
        "the 1990 items",
        "3.5 weeks ago-ish",
        "years ago we did that",
        "",
    ],
)
def test_bare_figures_are_no_window(text: str) -> None:
    assert days(text) is None


def test_year_counts_within_a_lifetime_of_the_anchor() -> None:
    assert days("in 1904") == ("1904-01-01", "1904-12-31")
    assert days("in 2044") == ("2044-01-01", "2044-12-31")
    assert days("in 1903") is None
    assert days("in 2045") is None


def test_of_two_periods_the_narrower_counts() -> None:
    assert days("what did we plan in 2023 for 3 March 2024") == ("2024-03-03", "2024-03-03")


def test_language_without_a_vocabulary_is_read_for_whole_dates_alone() -> None:
    assert days("În ce an a fost lansată piesa?") is None
    assert days("Var det den 13 juli 2024 i Lund?", language="sv") == ("2024-07-13", "2024-07-13")


def test_own_language_decides_over_others() -> None:
    assert days("wer war hier", language="de") is None
    assert days("réunion d'hier", language="fr") == ("2024-05-14", "2024-05-14")
    assert days("meeting gestern", language="en") == ("2024-05-14", "2024-05-14")


# Statements


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("I went to a support group yesterday and it was powerful.", "2024-05-14", "2024-05-14"),
        ("We moved here in May 2022.", "2022-05-01", "2022-05-31"),
        ("The depot opened on 3 March.", "2024-03-03", "2024-03-03"),
        ("Ich war letzte Woche in Rom.", "2024-05-06", "2024-05-12"),
        ("She moved from Sweden 4 years ago.", "2020-01-01", "2020-12-31"),
        ("Signed in Rome, 13 July 2023.", "2023-07-13", "2023-07-13"),
        ("我去年搬到了北京。", "2023-01-01", "2023-12-31"),
        ("I got it two weeks ago.", "2024-04-29", "2024-05-05"),
        ("I got it three months ago.", "2024-02-01", "2024-02-29"),
        ("We met last Friday.", "2024-05-10", "2024-05-10"),
    ],
)
def test_statement_says_when_it_happened(text: str, first: str, last: str) -> None:
    happened = occurrence(text, anchor=NOON)
    assert happened is not None
    assert (str(happened[0].date()), str(happened[1].date())) == (first, last)


@pytest.mark.parametrize(
    "text",
    [
        "The depot opens at 7.",
        "July is lovely there.",
        "lundi, on mange.",
        "I have known her since 2016.",
        "Submit it before 3 March 2024.",
        "I may march.",
        "It is always cold in winter.",
    ],
)
def test_statement_without_its_time_says_nothing(text: str) -> None:
    assert occurrence(text, anchor=NOON) is None


@pytest.mark.parametrize(
    "text",
    [
        "Where was Ana on 29 February 2023?",
        "30 February 2024",
        "April 31, 2024",
        "since 31 April 2024",
        "from 28 to 31 April 2024",
        "April 28-31, 2024",
        "30 February",
        "31 April last year",
        "29. Februar 2023",
        "29 de febrero de 2023",
        "2023年2月29日",
        "2月30日",
        "2023년 2월 29일",
    ],
)
def test_fc_50_day_that_no_calendar_has_is_no_month_either(text: str) -> None:
    assert parse_window(text, anchor=NOON) is None
    assert occurrence(text, anchor=NOON) is None


def test_number_behind_a_month_may_count_something_else() -> None:
    window = parse_window("In February 30 people came", anchor=NOON)
    assert window is not None
    assert str(window.start.date()) == "2024-02-01"


def test_fc_50_another_date_of_the_text_still_counts() -> None:
    window = parse_window("30 February 2024 or 3 March 2024", anchor=NOON)
    assert window is not None
    assert str(window.start.date()) == str(window.end.date()) == "2024-03-03"


# What held before


@pytest.mark.parametrize(
    "text",
    [
        "Where did Anna use to live, I mean where she used to work?",
        "What was the limit previously?",
        "When did the depot open before?",
        "What held before that?",
        "Wann öffnete das Depot früher?",
        "¿Cuál era el límite anteriormente?",
        "Où travaillait-elle auparavant ?",
        "Dove lavorava in precedenza?",
        "Как раньше назывался проект?",
        "Qual era o limite antes?",
        "以前的限额是多少",
        "以前の上限は",
        "Trước đây giới hạn là bao nhiêu?",
        "Dawniej ile to było?",
    ],
)
def test_question_about_what_held_before_is_told(text: str) -> None:
    assert is_about_past(text)


@pytest.mark.parametrize(
    "text",
    [
        "When does the depot open?",
        "What must be done before May?",
        "¿Qué pasó antes de mayo?",
        "Wann öffnet das Depot?",
        "What happened last week?",
        "We met three days ago, earlier this week, once.",
        "限额是多少",
        "2020年以前发生了什么",
        "तीन दिन पहले",
    ],
)
def test_question_about_now_is_not(text: str) -> None:
    assert not is_about_past(text)


# Times as programs write them


def test_fc_54_forms_with_and_without_zone_compare() -> None:
    first, second, third = map(
        parse_datetime, ["2025-09-21", "2025-09-21T10:00:00+02:00", "2025-09-21T10:00:00"]
    )
    assert first < second < third
    assert first == datetime(2025, 9, 21, tzinfo=UTC)
    assert parse_datetime("2025-09-21T10:00:00Z") == third


@pytest.mark.parametrize("value", ["", "yesterday", "2025-13-01", "21.09.2025", "2025-09-21T25:00"])
def test_time_that_is_not_iso_is_refused_with_a_sentence(value: str) -> None:
    with pytest.raises(InvalidTime, match="is not an ISO 8601"):
        parse_datetime(value)


def test_time_beyond_the_calendar_is_refused() -> None:
    with pytest.raises(InvalidTime, match="1 to 9999"):
        parse_datetime("0001-01-01T00:00:00+05:00")


def test_fc_54_bounds_take_every_form_and_stand_in_order() -> None:
    window = parse_bounds("2025-09-21", "2025-09-21T10:00:00+02:00")
    assert window.start < window.end
    with pytest.raises(InvalidTime, match="must not be after"):
        parse_bounds("2025-09-22", "2025-09-21")


def test_zone_that_no_database_keeps_is_refused() -> None:
    assert parse_datetime("0177-06-07T04:54:34+15:59").utcoffset() == timedelta(
        hours=15, minutes=59
    )
    with pytest.raises(InvalidTime, match="zone"):
        parse_datetime("0177-06-07T04:54:34+19:40")
