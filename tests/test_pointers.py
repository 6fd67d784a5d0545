"""Sentences that say where something is said, and nothing of it."""

from __future__ import annotations

import pytest

from memory.reading.pointers import is_pointer
from memory.reading.questions import analyse

TITLES = ("overtime policy", "decree 145", "passwords and devices", "reisekosten", "urlaub")


def points(text: str, question: str) -> bool:
    return is_pointer(text, TITLES, analyse(question))


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (
            "If you must work on a public holiday, the Overtime policy applies.",
            "What is paid for overtime on a public holiday?",
        ),
        (
            "What to do about a stolen laptop is in Passwords and devices.",
            "What do I do when my laptop is stolen?",
        ),
        (
            "It is laid down in Decree 145, Art. 107, and Tidal refuses a request past it.",
            "Can I refuse overtime?",
        ),
        ("This is the working summary of Decree 145.", "Which minister signed Decree 145?"),
        ("Hotelgrenzen stehen in Reisekosten.", "Was gilt für Hotels?"),
        ("Siehe auch die Seite Urlaub.", "Wann verfällt er?"),
        ("Für Feiertage gilt: Urlaub gilt entsprechend.", "Was gilt an Feiertagen?"),
    ],
)
def test_sentence_that_refers_to_a_page_is_a_pointer(text: str, question: str) -> None:
    assert points(text, question)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        # A figure beside the title may be what was asked for.
        ("Nights are paid as the Overtime policy says: 130 %.", "How much is paid at night?"),
        ("By Decree 145 the notice is due within 15 days.", "When is the notice due?"),
        # The title is the subject, and nothing refers to it.
        ("The Overtime policy was written by the People team.", "Who wrote the Overtime policy?"),
        # What was asked is the page itself.
        (
            "If you must work on a public holiday, the Overtime policy applies.",
            "Which policy applies on a public holiday?",
        ),
        ("Rates are described in Decree 145.", "Where are the rates described?"),
        # No page of that name was read.
        ("The lab is in Taipei.", "What is kept in the lab?"),
    ],
)
def test_sentence_that_may_answer_is_none(text: str, question: str) -> None:
    assert not points(text, question)
