"""A sentence must tell something of the kind that is asked for."""

from __future__ import annotations

import pytest

from memory.reading.novelty import tells_nothing
from memory.reading.questions import analyse


@pytest.mark.parametrize(
    ("question", "sentence", "is_nothing"),
    [
        ("Where was Jorge born?", "Jorge was born on 12 March 1990.", True),
        ("Where was Jorge born?", "Jorge was born in Lisbon.", False),
        ("Where is the gym?", "The gym is open on weekdays.", True),
        ("Where is the gym?", "The gym is behind the canteen.", False),
        ("Where is the gym?", "Gym: third floor.", False),
        ("Where is the server room?", "The server room is locked at 20:00.", True),
        ("Where do I ask for leave?", "Leave is asked for with a form.", False),
        ("Who cleans the dishwasher?", "The dishwasher is cleaned on Fridays.", True),
        ("Who cleans the dishwasher?", "The dishwasher is cleaned by trainees.", False),
        ("When does the first run take place?", "A fresh run goes through the lab.", True),
        ("When does the first run take place?", "The first run is on 3 May.", False),
        ("When does the first run take place?", "It runs after the tests have passed.", False),
        ("When is the gym open?", "The gym opens at six.", False),
        ("When may the key be lent?", "The key may not be lent.", True),
        ("What share goes to staff?", "Shares are decided by the board.", True),
        ("What share goes to staff?", "Staff get 8 percent.", False),
        ("How often is the report sent?", "The report is sent daily.", False),
        ("What is the man called who was born here?", "He was born here.", False),
        ("Wo steht der Drucker?", "Der Drucker wird montags gereinigt.", True),
        ("Wo steht der Drucker?", "Der Drucker steht neben der Küche.", False),
        ("¿Dónde está la sala?", "La sala abre a las 8.", True),
        ("¿Dónde está la sala?", "La sala está en el sótano.", False),
    ],
)
def test_sentence_tells_nothing_of_what_is_asked(
    question: str, sentence: str, is_nothing: bool
) -> None:
    language = analyse(question).language or "en"
    asked = analyse(question, language)
    assert tells_nothing(asked, sentence, language=language) == is_nothing


def test_who_speaks_tells_who() -> None:
    asked = analyse("Who is allergic to peanuts?", "en")
    said = "I am allergic to peanuts."
    assert not tells_nothing(asked, said, language="en", speaker="Priya")
