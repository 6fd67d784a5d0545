"""Sentences that cannot be the answer."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest

from memory.backends.encoders.fake import FakeEncoder
from memory.reading.reader import read
from memory.reading.vetoes import (
    identifiers,
    is_of_another_period,
    periods,
    unknown_identifiers,
)
from memory.types import Passage

TABLE = (
    "All valves of hall 2.\nValve\tLine\tMax pressure\n"
    "V-096\tL5\t9 bar\nV-097\tL6\t14 bar\nV-079\tL1\t6 bar"
)


def passage(text: str) -> Passage:
    return Passage(
        number=1,
        doc_id=uuid.UUID(int=1),
        doc_title="Valves",
        revision=1,
        chunk_id=uuid.UUID(int=2),
        text=text,
        char_start=0,
        language="en",
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What does the WX-0054 cost?", ("wx-0054",)),
        ("How fast must a SEV-2 be acknowledged, and a sev-2?", ("sev-2",)),
        ("See POL-0054/a and RFC2119.", ("pol-0054/a", "rfc2119")),
        ("Is it open at 9am on 3 May 2025?", ()),
        ("Which state-of-the-art tool?", ()),
        ("他在2005年去了哪裡?", ()),
        ("เปิดปี1998หรือ", ()),
    ],
)
def test_identifiers_are_letters_with_digits(text: str, found: tuple[str, ...]) -> None:
    assert identifiers(text) == found


def test_row_of_another_identifier_never_comes_first() -> None:
    reading = read("What is the maximum pressure of V-097?", [passage(TABLE)], FakeEncoder())
    assert reading.sentences[0].text == "V-097\tL6\t14 bar"
    assert reading.answer_probability([reading.sentences[-1].row]) == 0.0


def test_names_of_columns_come_last() -> None:
    reading = read("Valve line max pressure?", [passage(TABLE)], FakeEncoder())
    assert reading.sentences[-1].text == "Valve\tLine\tMax pressure"


def test_identifier_that_stands_nowhere_has_no_answer() -> None:
    question = "What is the maximum pressure of V-970?"
    assert unknown_identifiers(question, [passage(TABLE)]) == ("v-970",)
    reading = read(question, [passage(TABLE)], FakeEncoder())
    assert (reading.unknown, reading.probability) == (("v-970",), 0.0)


def test_label_that_repeats_the_question_s_year_comes_last() -> None:
    reading = read(
        "What was the total in 2025?", [passage("2024 and 2025\nThe total was 530.")], None
    )
    assert reading.sentences[-1].text == "2024 and 2025"


def test_fc_14_sentence_under_the_title_that_was_asked_for_comes_first() -> None:
    home = replace(passage("The invoices of 2024 and of 2025 are kept here."), doc_title="Invoices")
    old = replace(
        passage("The total was 410."), number=2, doc_title="Finance/2024/Invoice", is_home=False
    )
    new = replace(
        passage("The total was 530."), number=3, doc_title="Finance/2025/Invoice", is_home=False
    )
    reading = read("What was the total in 2025?", [home, old, new], None)
    assert reading.sentences[0].text == "The total was 530."


TURNS = (
    "Priya: I live in Lisbon and my birthday is on 4 April.\n"
    "Jonas: I use Vim every day.\n"
    "Priya: My salary is 4,200 euros. I am allergic to cats.\n"
    "Jonas (09:12): I am allergic to peanuts. Priya's desk is in hall 2."
)


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        ("What is Jonas's salary?", "My salary"),
        ("What is Zoe's salary?", "My salary"),
        ("When is Jonas's birthday?", "birthday is on"),
        ("Is Priya allergic to peanuts?", "allergic to peanuts"),
        ("What does Priya use every day?", "use Vim"),
    ],
)
def test_what_one_speaker_says_of_themselves_does_not_answer_for_another(
    question: str, wrong: str
) -> None:
    reading = read(question, [passage(TURNS)], FakeEncoder())
    [row] = [one.row for one in reading.sentences if wrong in one.text]
    assert reading.vetoed[row]
    assert reading.answer_probability([row]) == 0.0
    assert not reading.vetoed[reading.sentences[0].row]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is Priya's salary?", "My salary is 4,200 euros."),
        ("Who is allergic to peanuts?", "I am allergic to peanuts."),
        ("In which hall is Priya's desk?", "Priya's desk is in hall 2."),
        ("Where does Priya live?", "I live in Lisbon"),
    ],
)
def test_a_speaker_answers_for_themselves_and_for_whom_they_name(
    question: str, answer: str
) -> None:
    reading = read(question, [passage(TURNS)], FakeEncoder())
    [row] = [one.row for one in reading.sentences if answer in one.text]
    assert not reading.vetoed[row]


def test_a_passage_s_own_speaker_counts_where_its_text_names_none() -> None:
    said = replace(passage("My salary is 4,200 euros."), speaker="Priya")
    assert read("What is Jonas's salary?", [said], FakeEncoder()).vetoed.all()
    assert not read("What is Priya's salary?", [said], FakeEncoder()).vetoed.any()


def test_question_of_a_page_answers_no_question() -> None:
    turns = passage("Ben: Where do we keep the wildcard key?\nAna: It is in the vault under certs.")
    reading = read("Where is the wildcard key?", [turns], None)
    assert reading.sentences[0].text == "Ana: It is in the vault under certs."
    alone = passage("Ben: Where do we keep the wildcard key?")
    assert read("Where is the wildcard key?", [alone], None).probability == 0.0


def test_what_cannot_be_the_answer_lends_it_no_probability() -> None:
    table = "Model\tName\tPower\nWX-0045\tMerlin\t5 V\nOur birds are named by their makers."
    reading = read("How heavy is the Merlin?", [passage(table)], FakeEncoder())
    assert reading.vetoed.all()
    assert reading.probability == 0.0


@pytest.mark.parametrize(
    ("question", "sentence", "is_other"),
    [
        ("What is the maximum overtime per month?", "It shall not exceed 12 hours per week.", True),
        ("What is the maximum overtime per month?", "The ceiling is 40 hours in a month.", False),
        ("What is the parking fee per year?", "Parking costs 40 euros per month.", True),
        ("What is the parking fee per year?", "Parking costs 40 euros.", False),
        ("What is the parking fee?", "Parking costs 40 euros per month.", False),
        ("Was kostet Parken pro Jahr?", "Parken kostet 40 Euro pro Monat.", True),
    ],
)
def test_sum_of_another_period_is_not_what_was_asked(
    question: str, sentence: str, is_other: bool
) -> None:
    assert is_of_another_period(periods(question), sentence) == is_other
