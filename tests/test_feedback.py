"""Votes on replies: who may give one, which one counts, and that the history stays as it was."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from rest_framework.test import APIClient

from kb import feedback
from kb.models import Feedback, QaQuestion
from memory import tenancy
from memory.models import Membership, Role
from memory.people import keys
from tests.asks import ask_page, models, reply
from tests.factories import Org, make_member, make_org, make_page

pytestmark = pytest.mark.django_db
CAP = "Overtime shall not exceed 12 hours per week."
NOTHING = {"answer": "", "confidence_score": 0, "citations": []}


@pytest.fixture
def org() -> Org:
    return make_org()


def client_of(member: Membership, **key: Any) -> APIClient:
    with tenancy.scope(member.tenant_id):
        token = keys.create_key(member, **key)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return client


def asked(org: Org, answer: Any = NOTHING) -> uuid.UUID:
    """A question of the reader's; without an answer it ended as a decline."""
    doc = make_page(org, CAP)
    with models(answer):
        return ask_page(org.reader, doc, "How much overtime?").question_id


def vote(client: APIClient, question_id: object, **body: Any) -> Any:
    return client.post(f"/v1/kb/qa/{question_id}/feedback", body)


def own_vote(client: APIClient) -> Any:
    [row] = client.get("/v1/kb/qa/history").json()["results"]
    return row["feedback"]


def test_fc_77_last_vote_counts_and_earlier_ones_are_kept(org: Org) -> None:
    question_id = asked(org, lambda p: reply(p, CAP, CAP))
    client = client_of(org.reader)
    assert own_vote(client) is None
    down = vote(client, question_id, vote="down", comment="It is 10 hours.")
    assert down.status_code == 200
    assert down.json() | {"created_at": ""} == {
        "question_id": str(question_id),
        "vote": "down",
        "comment": "It is 10 hours.",
        "created_at": "",
    }
    assert vote(client, question_id, vote="up").status_code == 200
    assert (own_vote(client)["vote"], own_vote(client)["comment"]) == ("up", "")
    with tenancy.scope(org.tenant.pk):
        assert list(Feedback.objects.values_list("vote", flat=True)) == ["up", "down"]


def test_fc_77_each_user_has_one_vote(org: Org) -> None:
    question_id = asked(org)
    vote(client_of(org.reader), question_id, vote="down")
    admin = client_of(org.admin)
    assert vote(admin, question_id, vote="up").status_code == 200
    assert own_vote(admin)["vote"] == "up"
    assert own_vote(client_of(org.reader))["vote"] == "down"
    with tenancy.scope(org.tenant.pk):
        [votes] = feedback.votes_on([question_id]).values()
    assert {one.user_id: one.vote for one in votes} == {
        org.reader.user_id: "down",
        org.admin.user_id: "up",
    }


def test_questions_are_found_by_the_votes_that_count(org: Org) -> None:
    question_id = asked(org)

    def found(*votes: str) -> list[uuid.UUID]:
        with tenancy.scope(org.tenant.pk):
            rows = QaQuestion.objects.filter(feedback.voted(votes))
            return list(rows.values_list("question_id", flat=True))

    vote(client_of(org.reader), question_id, vote="down")
    assert (found("up"), found("down"), found("up", "down")) == ([], [question_id], [question_id])
    vote(client_of(org.reader), question_id, vote="up")
    assert (found("up"), found("down")) == ([question_id], [])
    vote(client_of(org.admin), question_id, vote="down")
    assert (found("up"), found("down")) == ([question_id], [question_id])


def test_fc_77_decline_can_be_voted_on(org: Org) -> None:
    client = client_of(org.reader)
    question_id = asked(org)
    assert client.get("/v1/kb/qa/history").json()["results"][0]["answer_kind"].startswith("decline")
    assert vote(client, question_id, vote="down").status_code == 200


def test_fc_77_unknown_and_hidden_questions_look_alike(org: Org) -> None:
    question_id = asked(org)
    colleague = make_member(org, Role.EDITOR)
    replies = [
        vote(client_of(org.reader), uuid.uuid4(), vote="up"),
        vote(client_of(colleague), question_id, vote="up"),
        vote(client_of(make_org().admin), question_id, vote="up"),
    ]
    assert [one.status_code for one in replies] == [404, 404, 404]
    assert {one.content for one in replies} == {b'{"detail":"Not found."}'}
    with tenancy.scope(org.tenant.pk):
        assert not Feedback.objects.exists()


def test_fc_77_history_row_is_not_changed_by_a_vote(org: Org) -> None:
    question_id = asked(org)
    with tenancy.scope(org.tenant.pk):
        before = QaQuestion.objects.values().get()
    vote(client_of(org.reader), question_id, vote="up")
    with tenancy.scope(org.tenant.pk):
        assert QaQuestion.objects.values().get() == before


def test_double_click_keeps_one_row(org: Org) -> None:
    question_id = asked(org)
    client = client_of(org.reader)
    first, second = (vote(client, question_id, vote="up", comment="Good ") for _ in range(2))
    assert first.json() == second.json()
    with tenancy.scope(org.tenant.pk):
        assert Feedback.objects.get().comment == "Good"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "vote"),
        ({"vote": "sideways"}, "vote"),
        ({"vote": ["up"]}, "vote"),
        ({"vote": "up", "comment": ["no"]}, "comment"),
        ({"vote": "up", "comment": "x" * 2001}, "comment"),
        ({"vote": "up", "stars": 5}, "stars"),
    ],
)
def test_bad_vote_is_400_and_names_the_field(org: Org, body: dict[str, Any], field: str) -> None:
    refused = client_of(org.reader).post(f"/v1/kb/qa/{asked(org)}/feedback", body)
    assert refused.status_code == 400
    assert field in str(refused.json())
    assert isinstance(refused.json()["detail"], str)
    with tenancy.scope(org.tenant.pk):
        assert not Feedback.objects.exists()


def test_longest_comment_is_counted_in_code_points(org: Org) -> None:
    question_id = asked(org)
    kept = vote(client_of(org.reader), question_id, vote="up", comment="\U0001f44d" * 2000)
    assert kept.status_code == 200
    assert len(kept.json()["comment"]) == 2000


def test_key_that_may_only_read_cannot_vote(org: Org) -> None:
    refused = vote(client_of(org.reader, scopes=("kb:read",)), asked(org), vote="up")
    assert refused.status_code == 403
    assert vote(APIClient(), asked(org), vote="up").status_code == 401
