"""How the benchmark of the public client counts what was found."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace

from bench import client_locomo
from kb.evaluation.retrieval_sets import Query, Session, Turn

AT = datetime(2023, 5, 8, tzinfo=UTC)
SESSIONS = (
    Session("session-1", AT, (Turn("D1:1", "Ann", "I bake."), Turn("D1:2", "Ann", "Bread."))),
    Session("session-2", AT, (Turn("D2:1", "Ann", "I bake."),)),
)
QUERY = Query("q", "Who bakes?", {"D1:1": 1.0, "D2:1": 1.0})


def share(*results: tuple[str, str]) -> float:
    given = [SimpleNamespace(document_id=name, text=text) for name, text in results]
    return client_locomo._share(QUERY, given, client_locomo._turns(SESSIONS))


def test_turn_counts_once_however_many_memories_of_it_are_found() -> None:
    assert share(("session-1", "Ann: I bake."), ("session-1", "I bake.")) == 0.5


def test_turn_counts_in_its_own_session_alone() -> None:
    assert share(("session-1", "I bake."), ("session-2", "I bake.")) == 1.0
    assert share(("session-1", "Bread."), ("session-9", "I bake.")) == 0.0


def test_turns_behind_the_tenth_count_for_nothing() -> None:
    said = tuple(Turn(f"D1:{n}", "Ann", f"Line number {n}.") for n in range(1, 13))
    turns = client_locomo._turns((Session("session-1", AT, said),))
    query = Query("q", "?", {"D1:10": 1.0, "D1:11": 1.0})
    results = [SimpleNamespace(document_id="session-1", text=turn.text) for turn in said]
    assert client_locomo._share(query, results, turns) == 0.5
