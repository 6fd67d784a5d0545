"""Of memories that tell the same of something, the one said last holds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from memory.hits import Hit, Scores
from memory.levels import Level
from memory.reading import reader
from memory.reflecting.currency import without_outdated
from memory.reflecting.quoting import passage_of

QUESTION = "Who does the migration?"
PLAN = "Chris does the migration on Saturday."
CHANGE = "Chris is ill, so Dana does the migration."


def hit(text: str, day: int, *, char_start: int = 0) -> Hit:
    return Hit(
        id=uuid4(),
        sha="",
        level=Level.L1,
        fact_type=None,
        text=text,
        scores=Scores(final=1.0),
        rank=1,
        mentioned_at=datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=day),
        char_start=char_start,
    )


def left(question: str, hits: Sequence[Hit]) -> list[str]:
    passages = [passage_of(number, one) for number, one in enumerate(hits, start=1)]
    read = reader.read(question, passages, None)
    kept = without_outdated(read.sentences, read, dict(enumerate(hits, start=1)))
    return [sentence.text for sentence in kept]


def test_later_memory_comes_before_the_older_one_that_it_outdates() -> None:
    assert left(QUESTION, [hit(PLAN, 1), hit(CHANGE, 7)]) == [CHANGE]
    assert left(QUESTION, [hit(PLAN, 7), hit(CHANGE, 1)]) == [PLAN]


def test_later_turn_of_one_document_outdates_the_earlier() -> None:
    turns = [hit(PLAN, 1, char_start=0), hit(CHANGE, 1, char_start=90)]
    assert left(QUESTION, turns) == [CHANGE]


def test_memory_that_holds_less_of_the_question_outdates_nothing() -> None:
    older = hit("Dana does the migration of the ledger.", 1)
    newer = hit("Chris likes the migration.", 7)
    found = left("Who does the migration of the ledger?", [older, newer])
    assert found[0] == older.text


def test_same_words_said_again_are_kept_as_a_second_source() -> None:
    assert left(QUESTION, [hit(PLAN, 1), hit(PLAN, 7)]) == [PLAN, PLAN]


def test_nothing_stays_nothing() -> None:
    assert left(QUESTION, []) == []
