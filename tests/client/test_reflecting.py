"""Reflect, mental models and directives through the client, without and with a language model."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hindsight_client import Hindsight
from hindsight_client_api.exceptions import ApiException, NotFoundException

from memory.backends import registry
from memory.errors import InvalidQuery
from tests.chat_server import ChatServer, Say, serving
from tests.client.conftest import BANK
from tests.client.sending import run

OPENS = "The depot in Lyon opens at 8."
QUESTION = "When does the depot in Lyon open?"


@pytest.fixture
def bank(client: Hindsight) -> str:
    client.retain(BANK, OPENS, document_id="depot", tags=["depot"], context="sign")
    client.retain(BANK, "Jo drives the blue van to Porto.", document_id="jo")
    return BANK


def turn(**fields: Any) -> Say:
    return Say(json.dumps(fields))


def answer(*statements: tuple[str, list[str]]) -> Say:
    said = [{"text": text, "ids": ids} for text, ids in statements]
    return turn(action="answer", statements=said)


@pytest.fixture
def chat(settings: Any, request: pytest.FixtureRequest) -> Iterator[ChatServer]:
    """A model that says what the test's ``replies`` tell it."""
    given = request.param
    replies = given if isinstance(given, list) else [answer((OPENS, ["M1"])), given]
    with serving(*replies) as server:
        settings.FOOTNOTE = settings.FOOTNOTE | {
            "LLM_MODEL": "openai/test",
            "LLM_API_BASE": server.url,
        }
        yield server


def told(server: ChatServer) -> str:
    """Everything that the model was sent."""
    return json.dumps(server.requests, ensure_ascii=False)


# Without a model


def test_answer_is_a_quote_with_its_memory(client: Hindsight, bank: str) -> None:
    reply = client.reflect(BANK, QUESTION, include_facts=True, include_tool_calls=True)
    assert reply.text == OPENS
    [fact] = reply.based_on.memories
    assert (fact.text, fact.type, fact.document_id, fact.tags) == (
        OPENS,
        "world",
        "depot",
        ["depot"],
    )
    assert (fact.context, fact.chunk_id) == ("sign", "support_depot_0")
    assert (reply.based_on.mental_models, reply.based_on.directives) == ([], [])
    [call] = reply.trace.tool_calls
    assert (call.tool, call.input["query"]) == ("recall", QUESTION)
    assert call.output["memories"]
    assert reply.trace.llm_calls == []
    assert reply.usage.total_tokens == 0
    short = client.reflect(BANK, QUESTION, include_tool_calls=True, include_tool_call_output=False)
    assert short.trace.tool_calls[0].output is None
    assert short.based_on is None


def test_what_memories_do_not_answer_is_not_answered(client: Hindsight, bank: str) -> None:
    reply = client.reflect(BANK, "What is the capital of Mongolia?", include_facts=True)
    assert OPENS not in reply.text
    assert reply.based_on.memories == []
    empty = client.reflect(BANK, QUESTION, tags=["nobody"], tags_match="any_strict")
    assert empty.text == "This bank holds no memory that has to do with it."


def test_data_of_another_person_is_no_answer(client: Hindsight) -> None:
    client.retain(BANK, "Maria's phone number is 555-0101.", document_id="maria")
    client.retain(BANK, "Jorge Lopez was born in 1980 in Lima.", document_id="jorge")
    for question in ("What is Anna's phone number?", "What is Jorge Lopez's salary?"):
        reply = client.reflect(BANK, question, include_facts=True)
        assert reply.text in (
            "The memories of this bank do not answer this.",
            "This bank holds no memory that has to do with it.",
        )
        assert reply.based_on.memories == []
    known = client.reflect(BANK, "What is Maria's phone number?")
    assert known.text == "Maria's phone number is 555-0101."


def test_structured_answer_is_refused_with_a_reason(client: Hindsight, bank: str) -> None:
    reply = client.reflect(BANK, QUESTION, response_schema={"type": "object"})
    assert reply.structured_output is None
    assert "needs a language model" in reply.structured_output_error
    assert reply.text == OPENS


def test_request_that_does_not_fit_is_refused(client: Hindsight, bank: str) -> None:
    for status, fields in (
        (400, {"query": "word " * 501}),
        (422, {"query": "?!"}),
        (422, {"query": QUESTION, "tags": ["a"], "tag_groups": [{"tags": ["b"]}]}),
        (404, {"query": QUESTION, "bank_id": "nowhere"}),
    ):
        with pytest.raises(ApiException) as refused:
            client.reflect(**({"bank_id": BANK} | fields))
        assert refused.value.status == status


# With a model


@pytest.mark.parametrize(
    "chat", [[answer(("It opens at 8.", ["M1"]))]], indirect=True, ids=["answers"]
)
def test_model_answers_from_what_was_found(client: Hindsight, bank: str, chat: ChatServer) -> None:
    client.create_directive(BANK, "Tone", "Never promise a date.")
    client.create_directive(BANK, "Others", "Speak of vans.", tags=["vans"])
    reply = client.reflect(BANK, QUESTION, include_facts=True, include_tool_calls=True)
    assert reply.text == "It opens at 8."
    assert [fact.text for fact in reply.based_on.memories] == [OPENS]
    assert [rule.name for rule in reply.based_on.directives] == ["Tone"]
    assert [call.tool for call in reply.trace.tool_calls] == [
        "search_mental_models",
        "search_observations",
        "recall",
    ]
    assert len(reply.trace.llm_calls) == 1
    system = chat.requests[0]["messages"][0]["content"]
    assert "Never promise a date." in system
    assert "Speak of vans." not in system


@pytest.mark.parametrize(
    "chat",
    [[
        turn(action="recall", query="blue van"),
        answer(("Jo drives the blue van.", ["M99"])),
        answer(("Jo drives the blue van to Porto.", ["M1"]), ("It is 40 years old.", ["M1"])),
    ]],
    indirect=True,
    ids=["looks"],
)  # fmt: skip
def test_model_may_look_further_and_cites_only_what_it_was_shown(
    client: Hindsight, bank: str, chat: ChatServer
) -> None:
    reply = client.reflect(BANK, "What does Jo drive?", include_facts=True, include_tool_calls=True)
    assert reply.text == "Jo drives the blue van to Porto."
    assert "40" not in reply.text
    assert [fact.document_id for fact in reply.based_on.memories] == ["jo"]
    assert reply.trace.tool_calls[-1].iteration == 1
    assert "You were not shown M99" in told(chat)


@pytest.mark.parametrize(
    "chat", [[turn(action="recall", query="x")]], indirect=True, ids=["never ends"]
)
def test_model_that_never_answers_gives_way_to_quotes(
    client: Hindsight, bank: str, chat: ChatServer
) -> None:
    reply = client.reflect(BANK, QUESTION, budget="low")
    assert reply.text == OPENS
    assert len(chat.requests) == 5
    assert "Answer now" in chat.requests[-1]["messages"][-1]["content"]


@pytest.mark.parametrize("chat", [[Say(status=500)], [Say("no JSON")]], indirect=True)
def test_model_that_fails_gives_way_to_quotes(
    client: Hindsight, bank: str, chat: ChatServer
) -> None:
    assert client.reflect(BANK, QUESTION).text == OPENS


def test_fc_53_newer_memory_answers_and_the_older_one_is_kept(client: Hindsight) -> None:
    client.retain(BANK, "The depot opens at 7.", document_id="a", timestamp="2024-01-01")
    client.retain(BANK, "The depot now opens at 8.", document_id="b", timestamp="2024-06-01")
    reply = client.reflect(BANK, "When does the depot open?", include_facts=True)
    assert reply.text == "The depot now opens at 8."
    assert [fact.document_id for fact in reply.based_on.memories] == ["b"]
    [older] = client.list_memories(BANK, state="invalidated").items
    assert (older.text, older.mentioned_at) == (
        "The depot opens at 7.",
        "2024-01-01T00:00:00+00:00",
    )
    assert older.invalidated_at is not None
    past = client.recall(BANK, "When did the depot open before?").results
    assert "The depot opens at 7." in {result.text for result in past}
    now = client.recall(BANK, "When does the depot open?").results
    assert {result.text for result in now} == {"The depot now opens at 8."}


@pytest.mark.parametrize(
    "chat", [[answer(("The depot opens at 9.", ["M1"]))]], indirect=True, ids=["wrong"]
)
def test_figure_that_no_memory_holds_is_not_said(
    client: Hindsight, bank: str, chat: ChatServer
) -> None:
    reply = client.reflect(BANK, QUESTION, include_facts=True)
    assert "9" not in reply.text
    assert reply.based_on.memories == []


SHAPE = {
    "type": "object",
    "properties": {"place": {"type": "string"}, "hour": {"type": "integer"}},
    "required": ["hour"],
}


@pytest.mark.parametrize(
    ("chat", "value", "error"),
    [
        (Say('{"place": "Lyon", "hour": 8}'), {"place": "Lyon", "hour": 8}, None),
        (Say('{"hour": 9}'), None, "figures"),
        (Say('{"hour": "eight"}'), None, "does not fit"),
        (Say("no JSON"), None, "does not fit"),
        (Say(status=500), None, "did not answer"),
    ],
    indirect=["chat"],
)
def test_structured_answer_fits_the_schema_and_says_nothing_new(
    client: Hindsight, bank: str, chat: ChatServer, value: Any, error: str | None
) -> None:
    reply = client.reflect(BANK, QUESTION, response_schema=SHAPE)
    assert reply.text == OPENS
    assert reply.structured_output == value
    assert (error or "") in (reply.structured_output_error or "")
    assert (reply.structured_output_error is None) == (error is None)


@pytest.mark.parametrize("chat", [Say('{"a": "b"}')], indirect=True)
@pytest.mark.parametrize(
    "schema",
    [
        {"type": "list"},
        {"type": "array"},
        {"$ref": "http://127.0.0.1/schema"},
        {"properties": {"a": {"pattern": "(a+)+$"}}},
    ],
)
def test_schema_that_could_do_harm_is_refused(
    client: Hindsight, bank: str, chat: ChatServer, schema: Any
) -> None:
    reply = client.reflect(BANK, QUESTION, response_schema=schema)
    assert reply.structured_output is None
    assert "JSON schema of an object" in reply.structured_output_error


# Whether the model can be reached


@pytest.mark.parametrize(
    ("chat", "status"),
    [
        ([Say("{}")], "connected"),
        ([Say("")], "connected"),
        ([Say("", status=401), Say("", status=401)], "unreachable"),
        ([Say("", status=500), Say("", status=500)], "unreachable"),
    ],
    indirect=["chat"],
)
def test_model_is_tried_once_and_its_state_told(
    client: Hindsight, bank: str, chat: ChatServer, status: str
) -> None:
    found = run(client.banks.test_bank_llm(BANK))
    states = {one.operation: (one.ok, one.status) for one in found.operations}
    assert states == {
        "retain": (False, "not_configured"),  # rules take the facts in these tests
        "consolidation": (False, "not_configured"),
        "reflect": (status == "connected", status),
    }
    [reflect] = [one for one in found.operations if one.operation == "reflect"]
    assert (reflect.latency_ms is None) == (status != "connected")
    assert found.bank_id == BANK


def test_model_that_is_not_there_is_not_configured(client: Hindsight, bank: str) -> None:
    found = run(client.banks.test_bank_llm(BANK))
    assert {one.status for one in found.operations} == {"not_configured"}
    with pytest.raises(NotFoundException):
        run(client.banks.test_bank_llm("nowhere"))


# Mental models


@pytest.mark.usefixtures("eager_tasks")
def test_mental_model_is_answered_and_grows_stale(client: Hindsight, bank: str) -> None:
    made = client.create_mental_model(
        BANK, "Opening hours", QUESTION, tags=["depot"], max_tokens=512, id="hours"
    )
    assert made.mental_model_id == "hours"
    done = run(client.operations.get_operation_status(BANK, made.operation_id))
    assert (done.status, done.mental_model_id) == ("completed", "hours")
    assert (done.details.outcome, done.details.failure_reason) == ("content_written", None)
    model = client.get_mental_model(BANK, "hours")
    assert (model.name, model.source_query, model.content) == ("Opening hours", QUESTION, OPENS)
    assert (model.tags, model.max_tokens, model.is_stale) == (["depot"], 512, False)
    [fact] = model.reflect_response["based_on"]["world"]
    assert (fact["text"], fact["type"], fact["document_id"]) == (OPENS, "world", "depot")
    client.retain(BANK, "The depot in Lyon opens at 9.", document_id="depot", tags=["depot"])
    assert client.get_mental_model(BANK, "hours", detail="metadata").is_stale
    again = client.refresh_mental_model(BANK, "hours", mode="full")
    assert again.status in ("pending", "completed")
    fresh = client.get_mental_model(BANK, "hours")
    assert (fresh.content, fresh.is_stale) == ("The depot in Lyon opens at 9.", False)
    [before] = client.get_mental_model_history(BANK, "hours")["history"]
    assert before["content"] == OPENS


@pytest.mark.usefixtures("eager_tasks")
def test_mental_model_follows_the_memories_that_it_rests_on(client: Hindsight, bank: str) -> None:
    follows = {"refresh_after_consolidation": True}
    client.create_mental_model(BANK, "Hours", QUESTION, id="hours", trigger=follows)
    client.create_mental_model(BANK, "Still", QUESTION, id="still")
    later = "The depot in Lyon opens at 9."
    client.retain(BANK, later, document_id="depot")
    assert client.get_mental_model(BANK, "hours").content == later
    assert client.get_mental_model(BANK, "still").content == OPENS
    run(client.banks.trigger_consolidation(BANK))
    assert not client.get_mental_model(BANK, "hours").is_stale
    client.update_mental_model(BANK, "hours", trigger={"min_refresh_interval_seconds": 3600})
    client.retain(BANK, OPENS, document_id="depot", retain_async=True)
    assert client.get_mental_model(BANK, "hours").content == later


@pytest.mark.usefixtures("eager_tasks")
def test_mental_models_are_listed_changed_cleared_and_removed(client: Hindsight, bank: str) -> None:
    client.create_mental_model(BANK, "Hours", QUESTION, tags=["a"], id="hours")
    client.create_mental_model(BANK, "Vans", "What does Jo drive?", tags=["b"])
    listed = client.list_mental_models(BANK)
    assert [model.name for model in listed.items] == ["Hours", "Vans"]
    assert all(model.content is None for model in listed.items)
    assert client.list_mental_models(BANK, tags=["b"]).total == 1
    changed = client.update_mental_model(
        BANK, "hours", name="Opening", trigger={"refresh_after_consolidation": True}
    )
    assert (changed.name, changed.source_query) == ("Opening", QUESTION)
    assert changed.trigger.refresh_after_consolidation
    assert client.clear_mental_model(BANK, "hours").content is None
    assert len(client.get_mental_model_history(BANK, "hours")["history"]) == 0
    with pytest.raises(ApiException) as taken:
        client.create_mental_model(BANK, "Again", QUESTION, id="hours")
    assert taken.value.status == 409
    tags = run(client.memory.list_tags(BANK, source="mental_models")).items
    assert {item.tag for item in tags} == {"a", "b"}
    client.delete_mental_model(BANK, "hours")
    with pytest.raises(NotFoundException):
        client.get_mental_model(BANK, "hours")


def test_mental_model_that_cannot_be_is_refused(client: Hindsight, bank: str) -> None:
    for fields in (
        {"trigger": {"refresh_cron": "* * * * *"}},
        {"trigger": {"tag_groups": [{"tags": ["a"], "resolve": "fuzzy"}]}},
        {"tags": [""]},
        {"id": ".."},
        {"source_query": "!!!"},
        {"source_query": "   "},
    ):
        with pytest.raises(ApiException) as refused:
            client.create_mental_model(BANK, "Name", **{"source_query": QUESTION, **fields})
        assert refused.value.status == 422
    assert client.list_mental_models(BANK).total == 0
    client.create_mental_model(BANK, "Name", QUESTION, id="hours")
    with pytest.raises(ApiException) as refused:
        client.update_mental_model(BANK, "hours", source_query="?!")
    assert refused.value.status == 422
    assert client.get_mental_model(BANK, "hours").source_query == QUESTION


@pytest.mark.usefixtures("eager_tasks")
def test_mental_model_without_a_new_answer_keeps_the_last_one(client: Hindsight, bank: str) -> None:
    client.create_mental_model(BANK, "Hours", QUESTION, id="hours")
    client.retain(BANK, "The lift is out of order.", document_id="depot")
    again = client.refresh_mental_model(BANK, "hours")
    kept = client.get_mental_model(BANK, "hours")
    assert kept.content == OPENS
    assert (kept.last_refresh_failed_at is not None, kept.is_stale) == (True, True)
    done = run(client.operations.get_operation_status(BANK, again.operation_id))
    assert done.details.outcome == "content_preserved_no_new_facts"
    assert done.result_metadata["reason"] == "not_covered"


@pytest.mark.usefixtures("eager_tasks")
def test_mental_model_forgets_what_was_deleted(client: Hindsight, bank: str) -> None:
    client.create_mental_model(BANK, "Hours", QUESTION, id="hours")
    later = "The depot in Lyon opens at 9."
    client.retain(BANK, later, document_id="depot")
    client.refresh_mental_model(BANK, "hours")
    run(client.documents.delete_document(BANK, "depot"))
    emptied = client.get_mental_model(BANK, "hours")
    assert (emptied.content, emptied.reflect_response, emptied.is_stale) == (None, None, True)
    assert client.get_mental_model_history(BANK, "hours")["history"] == []
    again = client.refresh_mental_model(BANK, "hours")
    assert client.get_mental_model(BANK, "hours").content is None
    done = run(client.operations.get_operation_status(BANK, again.operation_id))
    assert done.details.outcome == "refresh_failed_empty_candidate"


@pytest.mark.usefixtures("eager_tasks")
def test_mental_model_whose_asking_fails_notes_it(
    client: Hindsight, bank: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.create_mental_model(BANK, "Hours", QUESTION, id="hours")

    def fails(*_: Any) -> None:
        raise InvalidQuery("No word.")

    monkeypatch.setattr("memory.refreshing.engine.reflect", fails)
    with contextlib.suppress(ApiException):
        client.refresh_mental_model(BANK, "hours")
    kept = client.get_mental_model(BANK, "hours")
    assert (kept.content, kept.last_refresh_failed_at is not None) == (OPENS, True)


# Directives


def test_directives_are_made_listed_changed_and_removed(client: Hindsight, bank: str) -> None:
    tone = client.create_directive(BANK, "Tone", "Be kind.", priority=1)
    first = client.create_directive(BANK, "First", "Be short.", priority=9, tags=["a"])
    assert (tone.is_active, tone.tags, first.bank_id) == (True, [], BANK)
    assert [one.name for one in client.list_directives(BANK).items] == ["First", "Tone"]
    assert [one.name for one in client.list_directives(BANK, tags=["b"]).items] == ["Tone"]
    off = client.update_directive(BANK, tone.id, is_active=False, content="Be very kind.")
    assert (off.is_active, off.content, off.priority) == (False, "Be very kind.", 1)
    assert client.list_directives(BANK).total == 1
    everything = run(client.directives.list_directives(BANK, active_only=False))
    assert everything.total == 2
    assert client.get_directive(BANK, tone.id).content == "Be very kind."
    client.delete_directive(BANK, tone.id)
    with pytest.raises(NotFoundException):
        client.get_directive(BANK, tone.id)


def test_reply_says_that_quotes_keep_no_directive(client: Hindsight, bank: str) -> None:
    client.create_directive(BANK, "Tone", "Answer in verse.")
    reply = client.reflect(BANK, QUESTION, include_facts=True)
    assert reply.text == OPENS
    assert reply.based_on.directives == []


# With a real encoder


@pytest.fixture
def real_encoder(settings: Any) -> Iterator[None]:
    settings.FOOTNOTE = settings.FOOTNOTE | {"ENCODER": "memory.backends.encoders.e5.E5"}
    registry.encoder.cache_clear()
    yield
    registry.encoder.cache_clear()


@pytest.mark.models
@pytest.mark.usefixtures("real_encoder")
def test_near_vectors_do_not_pass_one_person_off_as_another(client: Hindsight) -> None:
    for number, text in enumerate(
        (
            "Maria's phone number is 555-0101.",
            "Jorge Lopez was born in 1980 in Lima.",
            "Bob lives in Leipzig.",
            "Ana works at the bakery in Porto.",
        )
    ):
        client.retain(BANK, text, document_id=f"d{number}")
    for question, expected in (
        ("What is Maria's phone number?", "Maria's phone number is 555-0101."),
        ("Where does Bob live?", "Bob lives in Leipzig."),
        ("When was Jorge Lopez born?", "Jorge Lopez was born in 1980 in Lima."),
        ("Where does Ana work?", "Ana works at the bakery in Porto."),
    ):
        assert client.reflect(BANK, question).text == expected
    for question in (
        "What is Anna's phone number?",
        "What is Jorge Lopez's salary?",
        "Where does Peter live?",
    ):
        reply = client.reflect(BANK, question, include_facts=True)
        assert reply.text == "The memories of this bank do not answer this."
        assert reply.based_on.memories == []
