"""Quotes that answer a question, and quotes that only look like it."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

import pytest

from memory.backends.encoders.fake import FakeEncoder
from memory.reading import reader
from memory.reflecting import covering
from memory.types import Passage
from tests.factories import make_org
from tests.memory_api import BANKS, client_of


def passages(*texts: str, speaker: str = "") -> list[Passage]:
    return [
        Passage(
            number=number,
            doc_id=uuid4(),
            doc_title="",
            revision=0,
            chunk_id=uuid4(),
            text=text,
            char_start=0,
            heading_path=(speaker,) if speaker else (),
            speaker=speaker,
        )
        for number, text in enumerate(texts, start=1)
    ]


def fitting(question: str, memories: Sequence[Passage]) -> list[str]:
    read = reader.read(question, memories, FakeEncoder())
    return [sentence.text for sentence in covering.fitting(read, memories)]


@pytest.mark.parametrize(
    ("question", "memory", "is_fitting"),
    [
        ("What is Anna's phone number?", "Maria's phone number is 555-0101.", False),
        ("What is Maria's phone number?", "Maria's phone number is 555-0101.", True),
        ("What is Mario's phone number?", "Maria's phone number is 555-0101.", False),
        ("What is Jorge Lopez's salary?", "Jorge Lopez was born in 1980.", False),
        ("What is Jorge Lopez's salary?", "The salary of Jorge López is 4,200.", True),
        ("Where does Bob live?", "Bob lives in Leipzig.", True),
        ("Who is Bob?", "Bob is a baker.", True),
        ("Where does Bob live?", "Bob vive en Leipzig desde hace diez años.", True),
        ("Где живёт Марта?", "Мы говорили с Мартой, она живёт в Риге.", True),
        ("Где живёт Марта?", "Иван живёт в Риге.", False),  # марта is March, too
        ("When does the depot open?", "The depot opens at 8.", True),
        ("Where does Bob live and where does Ana work?", "Bob lives in Leipzig.", True),
        ("Where does Anna live?", "Anna has two dogs. She lives in Oslo.", True),
        ("What is the deadline for the tax return?", "The deadline for the visa is 3 May.", False),
        ("What is the deadline for the tax return?", "The tax deadline is 31 July.", True),
    ],
)
def test_sentence_fits_whom_and_what_the_question_is_about(
    question: str, memory: str, is_fitting: bool
) -> None:
    assert bool(fitting(question, passages(memory))) == is_fitting


def test_speaker_is_named_by_what_stands_above() -> None:
    said = passages("I live in Leipzig.", speaker="Bob")
    assert fitting("Where does Bob live?", said) == ["I live in Leipzig."]
    assert fitting("Where does Ana live?", said) == []


@pytest.mark.django_db
def test_reply_says_which_part_of_the_question_is_not_answered() -> None:
    client = client_of(make_org().editor)
    client.put(f"{BANKS}/depot", {})
    items = [{"content": "The depot in Lyon opens at 8."}]
    assert client.post(f"{BANKS}/depot/memories", {"items": items}).status_code == 200
    question = "When does the depot in Lyon open and who is Anna's landlord?"
    reply = client.post(f"{BANKS}/depot/reflect", {"query": question}).json()
    assert reply["text"] == "The depot in Lyon opens at 8."
    assert reply["missing"] == ["who is Anna's landlord"]
    assert reply["message"] == "The answer does not cover: who is Anna's landlord."
    whole = client.post(
        f"{BANKS}/depot/reflect", {"query": "When does the depot in Lyon open?"}
    ).json()
    assert (whole["text"], whole["missing"], whole["message"]) == (reply["text"], [], None)


MEMORIES = (
    "The espresso machine in the kitchen must be descaled every 30 days."
    " The dishwasher is cleaned on Fridays.",
    "Jorge was born on 12 March 1990.",
    "The server room is locked at 20:00. The deploy to production is planned for 3 June 2024."
    " The staging database runs PostgreSQL 15.",
    "The budget was cut by 12 percent in 2023.",
    "El gimnasio abre a las seis de la mañana.",
)


@pytest.mark.parametrize(
    "question",
    [
        "How often must the dishwasher be descaled?",
        "When is the server room unlocked?",
        "Where was Jorge born?",
        "Where is the server room?",
        "Who cleans the dishwasher?",
        "By how much was the budget increased in 2023?",
        "¿A qué hora cierra el gimnasio?",
        "Is the dishwasher in the kitchen?",
    ],
)
def test_nothing_fits_a_question_for_something_else(question: str) -> None:
    memories = passages(*(MEMORIES[4:] if question.startswith("¿") else MEMORIES[:4]))
    read = reader.read(question, memories, FakeEncoder())
    kept = covering.fitting(read, memories)
    assert [one.text for one in kept if not read.vetoed[one.row]] == []


@pytest.mark.parametrize(
    ("question", "memory", "missing"),
    [
        ("Who is allergic to shellfish?", "Ana is allergic to peanuts.", ("shellfish",)),
        ("When is the deploy to staging planned?", MEMORIES[2], ("staging",)),
        ("What does the production database run?", "The staging database runs X.", ("production",)),
        ("By how much was the budget reduced in 2023?", MEMORIES[3], ()),
        ("On which day is the dishwasher cleaned?", "The dishwasher is cleaned on Fridays.", ()),
        ("Who owns the ledger?", "The ledger is in Go. It is owned by billing.", ()),
        ("¿A qué hora abre el gimnasio?", MEMORIES[4], ()),
    ],
)
def test_words_that_no_quoted_sentence_speaks_of_are_missing(
    question: str, memory: str, missing: tuple[str, ...]
) -> None:
    read = reader.read(question, passages(memory), FakeEncoder())
    best = read.sentences[0]
    if question.startswith("When is the deploy"):
        best = next(one for one in read.sentences if "deploy" in one.text)
    assert covering.lacking(question, [best], read) == missing
