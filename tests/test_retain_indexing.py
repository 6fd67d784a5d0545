"""How often the terms of a turn count, and those of anything else."""

from __future__ import annotations

import uuid
from types import SimpleNamespace
from typing import Any

from memory import vectors
from memory.models import Node
from memory.retain.indexing import counted


def node(text: str, *, lead: str = "", speaker: str = "") -> Node:
    return Node(id=uuid.uuid4(), text=text, lead=lead, speaker=speaker, language="en")


def plan(*facts: Node, added: list[Node] | None = None) -> Any:
    return SimpleNamespace(facts=list(facts), added=list(facts) if added is None else added)


def test_own_words_of_a_turn_count_twice_and_those_around_it_once() -> None:
    asked = node("Which lake?", speaker="Ana")
    told = node("Como.", lead="Ana: Which lake?", speaker="Ben")
    thanked = node("Lovely boats!", lead="Ben: Como.", speaker="Ana")
    terms = dict((one.pk, found) for one, found in counted([plan(asked, told, thanked)]))
    assert (terms[told.pk]["como"], terms[told.pk]["lake"], terms[told.pk]["boat"]) == (2, 1, 1)
    assert (terms[asked.pk]["lake"], terms[asked.pk]["como"]) == (2, 1)
    assert (terms[thanked.pk]["boat"], terms[thanked.pk]["como"]) == (2, 1)


def test_a_text_that_nobody_speaks_counts_as_it_stands() -> None:
    first, second = node("The gate is shut."), node("The yard is open.")
    ((_, found), _) = counted([plan(first, second)])
    assert (found["gate"], found["yard"]) == (1, 0)


def test_only_what_has_no_row_yet_is_counted_also_with_the_turn_that_has_one() -> None:
    kept = node("Look, a heron!", speaker="Ben")
    new = node("Where?", speaker="Ana")
    ((one, found),) = counted([plan(new, kept, added=[new])])
    assert one is new
    assert found["heron"] == 1


def test_documents_do_not_lend_each_other_their_turns() -> None:
    last, first = node("Good night.", speaker="Ana"), node("Morning, heron!", speaker="Ana")
    ((_, found), _) = counted([plan(last), plan(first)])
    assert found["heron"] == 0


def test_a_turn_is_encoded_as_a_line_of_a_dialogue_without_its_date() -> None:
    node = Node(
        text="I moved to Lisbon.", speaker="Priya", lead="Jonas: Where to?\nPriya, 6 July 2023"
    )
    assert vectors.encoded_text(node) == "Jonas: Where to?\nPriya: I moved to Lisbon."
    assert vectors.indexed_text(node) == (
        "Jonas: Where to?\nPriya, 6 July 2023\nI moved to Lisbon."
    )


def test_what_nobody_says_is_encoded_as_it_is_indexed() -> None:
    node = Node(text="The depot opens at 7.", lead="Minutes", heading_path=["Hours"])
    assert (
        vectors.encoded_text(node)
        == vectors.indexed_text(node)
        == ("Minutes\nHours\nThe depot opens at 7.")
    )
