"""Sentences that cannot be the answer."""

from __future__ import annotations

import uuid

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
