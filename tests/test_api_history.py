"""The history over HTTP: filters narrow, unknown ones are refused, pages hold everything once."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from memory import tenancy
from memory.models import Membership
from memory.people import keys
from tests.asks import past_question as record
from tests.factories import Org, make_org, make_page

pytestmark = pytest.mark.django_db
HISTORY = "/v1/kb/qa/history"


@pytest.fixture
def org() -> Org:
    return make_org()


def client_of(member: Membership) -> APIClient:
    with tenancy.scope(member.tenant_id):
        token = keys.create_key(member)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return client


def found(client: APIClient, **query: str) -> list[str]:
    reply = client.get(HISTORY, query)
    assert reply.status_code == 200, reply.json()
    return [row["question_text"] for row in reply.json()["results"]]


def test_filters_narrow_by_kind_page_and_words(org: Org) -> None:
    fees, hours = make_page(org, "Fees.", title="Fees"), make_page(org, "Hours.", title="Hours")
    record(org.reader, fees, "What is the visitor fee?")
    record(org.reader, hours, "When does the desk open?", answer_kind="confident")
    client = client_of(org.reader)
    assert found(client, kind="confident") == ["When does the desk open?"]
    assert found(client, doc_id=str(fees.pk)) == ["What is the visitor fee?"]
    assert found(client, q="FEE visitor") == ["What is the visitor fee?"]
    assert found(client, q="fee desk") == []
    assert found(client, q="100%_") == []
    assert found(client, kind="confident", doc_id=str(fees.pk)) == []
    assert len(found(client, kind="", q="", doc_id="", **{"from": "", "to": ""})) == 2


def test_one_question_is_found_by_its_trace_and_by_its_id(org: Org) -> None:
    doc = make_page(org, "Fees.")
    record(org.reader, doc, "Another?")
    one = record(org.reader, doc, "This one?")
    client = client_of(org.reader)
    assert found(client, q=str(one.trace_id)) == ["This one?"]
    assert found(client, q=str(one.question_id)) == ["This one?"]
    assert found(client, q=uuid.uuid4().hex) == []


def test_answers_are_not_searched_since_some_are_hidden_from_their_asker(org: Org) -> None:
    record(org.reader, make_page(org, "Fees."), "What?", answer_text="90000 euros")
    assert found(client_of(org.reader), q="90000") == []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"from": "2026-11-03"}, ["noon", "next day"]),
        ({"to": "2026-11-03"}, ["eve", "noon"]),
        ({"from": "2026-11-03", "to": "2026-11-03"}, ["noon"]),
        ({"from": "2026-11-03T12:00:00Z"}, ["noon", "next day"]),
        ({"to": "2026-11-03T12:00:00Z"}, ["eve"]),
        ({"from": "2026-11-03T12:00:00"}, ["noon", "next day"]),  # no zone: UTC
        ({"from": "2026-11-03T14:00:00+02:00", "to": "2026-11-03T14:00:01+02:00"}, ["noon"]),
        ({"from": "2026-11-04", "to": "2026-11-01"}, []),
        ({"to": "9999-12-31"}, ["eve", "noon", "next day"]),
    ],
)
def test_bounds_are_days_of_utc_or_moments(
    org: Org, query: dict[str, str], expected: list[str]
) -> None:
    doc = make_page(org, "Fees.")
    noon = datetime(2026, 11, 3, 12, tzinfo=UTC)
    record(org.reader, doc, "eve", created_at=noon - timedelta(days=1))
    record(org.reader, doc, "noon", created_at=noon)
    record(org.reader, doc, "next day", created_at=noon + timedelta(hours=12))
    assert found(client_of(org.reader), **query)[::-1] == expected


def test_plus_sign_that_was_not_escaped_is_understood(org: Org) -> None:
    record(
        org.reader,
        make_page(org, "Fees."),
        "noon",
        created_at=datetime(2026, 11, 3, 12, tzinfo=UTC),
    )
    reply = client_of(org.reader).get(f"{HISTORY}?from=2026-11-03T14:00:00+02:00")
    assert reply.json()["count"] == 1


def test_admins_may_ask_for_one_member_s_questions(org: Org) -> None:
    doc = make_page(org, "Fees.")
    record(org.reader, doc, "Mine?")
    record(org.editor, doc, "Theirs?")
    admin = client_of(org.admin)
    assert found(admin, user=org.reader.user.username) == ["Mine?"]
    assert found(admin, user="nobody") == []
    assert found(admin, user=make_org().reader.user.username) == []
    reader = client_of(org.reader)
    assert found(reader, user=org.reader.user.username) == ["Mine?"]
    refused = reader.get(HISTORY, {"user": org.editor.user.username})
    assert (refused.status_code, refused.json()["detail"]) == (
        400,
        "user: Only admins see the questions of others.",
    )


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("colour=red", "colour"),
        ("kinds=confident", "kinds"),
        ("kind=certain", "kind"),
        ("doc_id=7", "doc_id"),
        ("from=yesterday", "from"),
        ("to=2026-02-30", "to"),
        ("to=2026-11-03T25:00", "to"),
        ("page=0", "page"),
        ("page=one", "page"),
        ("kind=confident&kind=partial", "kind"),
        ("q=%00", "q"),
        (f"q={'x' * 301}", "q"),
        ("format=csv", "format"),
    ],
)
def test_query_that_is_not_understood_is_400_and_named(org: Org, query: str, field: str) -> None:
    refused = client_of(org.reader).get(f"{HISTORY}?{query}")
    assert refused.status_code == 400
    assert list(refused.json()["fields"]) == [field]
    assert refused.json()["detail"].startswith(f"{field}: ")


@pytest.mark.parametrize("path", ["/v1/kb/docs?statuses=draft", "/v1/kb/docs?status=live"])
def test_list_of_pages_is_as_strict(org: Org, path: str) -> None:
    assert client_of(org.reader).get(path).status_code == 400


def test_pages_of_fifty_hold_every_question_once(org: Org) -> None:
    doc = make_page(org, "Fees.")
    at = timezone.now()  # all at once: the order must not depend on it
    for number in range(53):
        record(org.reader, doc, f"Question {number}?", created_at=at)
    client = client_of(org.reader)
    first = client.get(HISTORY, {"q": "Question"}).json()
    assert (first["count"], len(first["results"]), first["previous"]) == (53, 50, None)
    second = client.get(first["next"]).json()
    assert (len(second["results"]), second["next"]) == (3, None)
    texts = {row["question_text"] for row in first["results"] + second["results"]}
    assert len(texts) == 53
    assert client.get(HISTORY, {"page": "3"}).status_code == 404


def test_history_costs_the_same_queries_for_more_questions(
    org: Org, django_assert_max_num_queries: Any
) -> None:
    doc = make_page(org, "Fees.")
    for number in range(12):
        record(org.reader, doc, f"Question {number}?")
    client = client_of(org.reader)
    with django_assert_max_num_queries(17):
        assert client.get(HISTORY).json()["count"] == 12
