"""When a shop opens is not when it closes."""

from __future__ import annotations

import pytest

from memory.reading.opposites import says_same, tells_opposite
from memory.reading.questions import analyse


@pytest.mark.parametrize(
    ("question", "sentence", "is_opposite"),
    [
        ("When is the server room unlocked?", "The server room is locked at 20:00.", True),
        ("When does the server room open?", "The server room is locked at 20:00.", True),
        ("What time does the server room close?", "The server room is locked at 20:00.", False),
        ("By how much was the budget increased?", "The budget was cut by 12 percent.", True),
        ("By how much was the budget reduced?", "The budget was cut by 12 percent.", False),
        ("When does the course end?", "The course starts on 3 May.", True),
        ("When does the trial end?", "It lasts two weeks from the start date.", False),
        ("When does the depot open?", "The depot opens at 7 and closes at 16.", False),
        ("¿A qué hora cierra el gimnasio?", "El gimnasio abre a las seis.", True),
        ("Wann öffnet der Laden?", "Der Laden schließt um 8.", True),
        ("À quelle heure ferme la salle ?", "La salle ouvre à 6 h.", True),
        ("Во сколько открывается музей?", "Музей закрывается в 8.", True),
        ("图书馆什么时候开门?", "图书馆九点关门。", True),
        ("Is the museum open on Mondays?", "The museum is closed on Mondays.", False),
        ("When did Jorge die?", "Jorge was born on 12 March 1990.", False),  # "die" is German, too
    ],
)
def test_sentence_tells_the_opposite(question: str, sentence: str, is_opposite: bool) -> None:
    assert tells_opposite(analyse(question), sentence) == is_opposite


def test_words_of_one_side_say_the_same() -> None:
    assert says_same("reduced", "The budget was cut by 12 percent.")
    assert not says_same("increased", "The budget was cut by 12 percent.")
