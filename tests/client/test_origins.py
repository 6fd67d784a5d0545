"""Who said a memory and under which headings, in every reply that shows one."""

from __future__ import annotations

from typing import Any

import pytest
from hindsight_client import Hindsight

from tests.client.conftest import BANK
from tests.client.sending import recalled, run

SAID = "My salary is 52000 euros."
TALK = f"Tom: {SAID}\nPriya: I moved to Lyon last month."
PAGE = "# Lyon depot\n\n## Hours\n\nIt opens at 7.\n"


@pytest.fixture(autouse=True)
def bank(client: Hindsight) -> None:
    client.retain(BANK, TALK, document_id="talk")
    client.retain(BANK, PAGE, document_id="page")


def named(client: Hindsight, text: str) -> Any:
    return next(one for one in client.recall(BANK, text).results if one.text == text)


def test_client_is_told_in_the_metadata(client: Hindsight) -> None:
    assert named(client, SAID).metadata == {"speaker": "Tom"}
    assert named(client, "It opens at 7.").metadata == {"heading": "Lyon depot › Hours"}
    listed = {memory.text: memory.metadata for memory in client.list_memories(BANK).items}
    assert listed[SAID] == {"speaker": "Tom"}
    assert run(client.memory.get_memory(BANK, named(client, SAID).id))["speaker"] == "Tom"


def test_other_callers_are_told_in_fields_of_their_own(client: Hindsight) -> None:
    found = {one["text"]: one for one in recalled(client, {"query": "salary, opens"})["results"]}
    assert (found[SAID]["speaker"], found[SAID]["heading_path"]) == ("Tom", [])
    opens = found["It opens at 7."]
    assert (opens["speaker"], opens["heading_path"]) == (None, ["Lyon depot", "Hours"])


def test_metadata_of_the_caller_comes_first(client: Hindsight) -> None:
    own = {"speaker": "T-1", "channel": "phone"}
    client.retain(BANK, f"Tom: {SAID}", document_id="own", metadata=own)
    metadata = [memory.metadata for memory in client.list_memories(BANK, document_id="own").items]
    assert metadata == [own]


def test_evidence_of_an_answer_says_who_spoke(client: Hindsight) -> None:
    found = client.reflect(BANK, "What is Tom's salary?", include_facts=True)
    assert [fact.metadata for fact in found.based_on.memories] == [{"speaker": "Tom"}]


def test_memories_are_listed_by_who_spoke(client: Hindsight) -> None:
    found = client.list_memories(BANK, search_query="priya").items
    assert [memory.text for memory in found] == ["I moved to Lyon last month."]
