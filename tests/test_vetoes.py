"""Sentences that cannot be the answer."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest

from memory.backends.encoders.fake import FakeEncoder
from memory.reading import read
from memory.types import Passage
from memory.vetoes import identifiers, unknown_identifiers

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
