"""What of a question a sentence speaks of."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import pytest

from memory.backends.generators.extractive import ExtractiveGenerator
from memory.reading.coverage import is_elsewhere, is_of_somebody_else, unmet
from memory.reading.reader import read
from memory.reading.records import Reading, Sentence
from memory.types import Passage


def reading(question: str, *texts: str) -> Reading:
    passages = [
        Passage(
            number=number,
            doc_id=uuid4(),
            doc_title="",
            revision=1,
            chunk_id=uuid4(),
            text=text,
            char_start=0,
            language="en",
        )
        for number, text in enumerate(texts, start=1)
    ]
    return read(question, passages, None)


def sentence(found: Reading, text: str) -> Sentence:
    return next(one for one in found.sentences if one.text == text)


LUNCH = "Lunch is served from 11:15 to 12:45."


@pytest.mark.parametrize(
    ("question", "text", "missing"),
    [
        ("When is breakfast served?", LUNCH, ("breakfast",)),
        ("When is lunch served?", LUNCH, ()),
        ("When is the lunch of the canteen served?", LUNCH, ()),  # a third of it alone
        (
            "When is breakfast served in the Lisbon canteen?",
            LUNCH,
            ("Lisbon", "breakfast", "canteen"),
        ),
        ("Parking fee per year?", "Whoever passes gets the fee back.", ("Parking",)),
        ("早餐几点开始?", LUNCH, ()),
    ],
)
def test_short_question_lacks_what_half_of_it_asks_about(
    question: str, text: str, missing: tuple[str, ...]
) -> None:
    found = reading(question, text, "Parking is free. The year has four quarters.")
    assert unmet(sentence(found, text), found) == missing


def test_sentence_before_tells_what_a_short_question_asks_about() -> None:
    found = reading("What does breakfast cost?", "There is a breakfast. It costs 3 euros at 8:00.")
    assert unmet(sentence(found, "It costs 3 euros at 8:00."), found) == ()


def test_second_name_answers_no_question_for_the_first() -> None:
    people, security = "Ana is the head of People.", "Duarte is the head of Security."
    found = reading("Who is the head of People?", people, security)
    ana, duarte = sentence(found, people), sentence(found, security)
    assert is_of_somebody_else(duarte, ana, found)
    assert not is_of_somebody_else(ana, duarte, found)
    which = reading("Which salary has the head of People?", people, security)
    assert not is_of_somebody_else(sentence(which, security), sentence(which, people), which)


@pytest.mark.parametrize(
    ("text", "is_far"),
    [
        ("Nothing is released from the first sea warning on.", True),
        ("The new wind tunnel is ready for its first calibration.", False),
    ],
)
def test_sentence_with_next_to_nothing_of_a_longer_question_is_elsewhere(
    text: str, is_far: bool
) -> None:
    question = "When could the first calibration run in the new wind tunnel be finished?"
    found = reading(question, text)
    assert is_elsewhere(sentence(found, text), found) == is_far


def test_second_quote_is_not_of_somebody_else() -> None:
    people, security = "Ana is the head of People.", "Duarte is the head of Security."
    found = reading("Who is the head of People?", people, security)
    first, second = (replace(sentence(found, text), score=9.0) for text in (people, security))
    found = replace(found, sentences=(first, second), probability=0.9)
    draft = ExtractiveGenerator().draft("Who is the head of People?", [], found)
    assert [claim.text for claim in draft.claims] == [people]


@pytest.mark.parametrize(
    ("question", "text", "is_meant"),
    [
        ("war", "Fire wardens wear orange helmets.", False),
        ("war", "Ship one change with a release captain.", False),
        ("max speed", "The maximum speed is 120.", True),
    ],
)
def test_beginning_of_a_word_is_no_short_form_of_it(
    question: str, text: str, is_meant: bool
) -> None:
    found = reading(question, text)
    held = found.context[sentence(found, text).row, 0] > 0 if found.sentences else False
    assert held == is_meant
