"""Thumbs under every reply in the panel, without script."""

from __future__ import annotations

import re
import uuid

import pytest

from kb.models import Feedback
from memory import tenancy
from tests.asks import ask_page, models, reply
from tests.factories import Org, make_org, make_page
from tests.web.conftest import SignedIn

CAP = "Overtime shall not exceed 12 hours per week."
NOTHING = {"answer": "", "confidence_score": 0, "citations": []}


@pytest.mark.parametrize(
    "answer", [NOTHING, lambda p: reply(p, CAP, CAP)], ids=["decline", "answer"]
)
def test_fc_77_every_reply_shows_its_thumbs_and_keeps_the_vote(
    org: Org, signed_in: SignedIn, answer: object
) -> None:
    doc = make_page(org, CAP, slug="cap")
    with models(answer):
        question_id = ask_page(org.reader, doc, "How much overtime?").question_id
    client, address = signed_in(org.reader), f"/{org.tenant.slug}/p/cap?asked={question_id}"
    action = f"/{org.tenant.slug}/questions/{question_id}/feedback"
    panel = client.get(address).content.decode()
    assert f'action="{action}"' in panel
    assert f'data-api="/v1/kb/qa/{question_id}/feedback"' in panel
    went = client.post(action, {"vote": "down", "comment": "It is 10."})
    assert (went.status_code, went["Location"]) == (302, f"{address}#answer")
    panel = client.get(address).content.decode()
    assert re.search(r'value="down"\s+aria-pressed="true"', panel)
    assert re.search(r'value="up"\s+aria-pressed="false"', panel)
    assert "It is 10.</textarea>" in panel
    assert "Thank you." in panel


def test_vote_on_what_one_may_not_see_is_not_found(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, CAP)
    with models(NOTHING):
        question_id = ask_page(org.reader, doc, "How much overtime?").question_id
    other = make_org()
    for member, one, tenant in (
        (org.editor, question_id, org.tenant),
        (org.reader, uuid.uuid4(), org.tenant),
        (other.admin, question_id, other.tenant),
        (other.admin, question_id, org.tenant),
    ):
        went = signed_in(member).post(f"/{tenant.slug}/questions/{one}/feedback", {"vote": "up"})
        assert went.status_code == 404
    with tenancy.scope(org.tenant.pk):
        assert not Feedback.objects.exists()


def test_bad_vote_is_said_and_nothing_is_kept(org: Org, signed_in: SignedIn) -> None:
    doc = make_page(org, CAP)
    with models(NOTHING):
        question_id = ask_page(org.reader, doc, "How much overtime?").question_id
    client = signed_in(org.reader)
    went = client.post(
        f"/{org.tenant.slug}/questions/{question_id}/feedback", {"vote": "maybe"}, follow=True
    )
    assert "One of: up, down." in went.content.decode()
    with tenancy.scope(org.tenant.pk):
        assert not Feedback.objects.exists()
