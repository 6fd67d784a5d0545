"""The same question sent twice at once, over HTTP: one ask is spent, and both senders can get its answer."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection
from rest_framework.test import APIClient

from kb.models import AskTicket, Doc, QaQuestion
from memory import tenancy
from memory.models import AuditEntry, Membership
from memory.people import keys
from memory.types import Passage
from tests.asks import models, reply
from tests.factories import make_org, make_page

CAP = "Overtime shall not exceed 12 hours per week."
SECONDS = 20  # to give up on a thread that hangs, never waited for


def client_of(member: Membership) -> APIClient:
    with tenancy.scope(member.tenant_id):
        token = keys.create_key(member)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return client


def ask(client: APIClient, doc: Doc, key: str) -> Any:
    try:
        return client.post(
            f"/v1/kb/docs/{doc.pk}/ask",
            {"question": "How much overtime?"},
            headers={"Idempotency-Key": key},
        )
    finally:
        if threading.current_thread() is not threading.main_thread():
            connection.close()


def spent(member: Membership) -> tuple[int, int, int]:
    with tenancy.scope(member.tenant_id):
        asked = AuditEntry.objects.filter(kind="kb.qa_asked").count()
        return AskTicket.objects.count(), QaQuestion.objects.count(), asked


def test_double_click_spends_one_ask_and_its_answer_can_be_fetched(committed_db: None) -> None:
    org = make_org()
    doc = make_page(org, CAP)
    client = client_of(org.reader)
    is_thinking, may_answer = threading.Event(), threading.Event()

    def think(passages: Sequence[Passage]) -> Any:
        is_thinking.set()
        assert may_answer.wait(SECONDS)
        return reply(passages, CAP, CAP)

    with models(think), ThreadPoolExecutor(max_workers=1) as pool:
        first = pool.submit(ask, client, doc, "click")
        assert is_thinking.wait(SECONDS)
        second = ask(client, doc, "click")  # while a model thinks about the first
        may_answer.set()
        answered = first.result(SECONDS)
        third = ask(client, doc, "click")
    assert (answered.status_code, second.status_code, third.status_code) == (200, 409, 200)
    assert "still being answered" in second.json()["detail"]
    assert third.json() == answered.json()
    assert answered.json()["remaining"] == 49
    assert spent(org.reader) == (1, 1, 1)


def test_many_clicks_at_the_same_moment_are_one_ask(committed_db: None) -> None:
    org = make_org()
    doc = make_page(org, CAP)
    clients = [client_of(org.reader) for _ in range(5)]
    barrier = threading.Barrier(5)

    def click(client: APIClient) -> Any:
        barrier.wait(SECONDS)
        return ask(client, doc, "click")

    with models(lambda p: reply(p, CAP, CAP)), ThreadPoolExecutor(max_workers=5) as pool:
        replies = list(pool.map(click, clients))
    codes = [one.status_code for one in replies]
    assert codes.count(200) >= 1
    assert set(codes) <= {200, 409}
    assert len({one.json()["question_id"] for one in replies if one.status_code == 200}) == 1
    assert spent(org.reader) == (1, 1, 1)


def test_another_member_s_key_is_another_ask(committed_db: None) -> None:
    org = make_org()
    doc = make_page(org, CAP)
    with models(lambda p: reply(p, CAP, CAP)):
        first = ask(client_of(org.reader), doc, "click").json()
        second = ask(client_of(org.editor), doc, "click").json()
    assert first["question_id"] != second["question_id"]
    assert spent(org.reader)[0] == 2
