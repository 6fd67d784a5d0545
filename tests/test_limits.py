"""50 asks per user and sliding 24 hours, in one truth."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache
from django.db import connection
from rest_framework.test import APIClient

from kb import limits
from kb.errors import LimitReached, TokenReused
from kb.models import AskTicket, Doc, QaQuestion
from memory import tenancy
from memory.models import AuditEntry, Membership, Role
from memory.people import keys, members
from tests.asks import ask_page, models
from tests.factories import Org, make_org, make_page

NOTHING = {"answer": "", "confidence_score": 0, "citations": []}
START = datetime(2026, 3, 28, 23, 50, tzinfo=UTC)  # clocks change in Europe that night


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cache.clear()


def use_up(
    org: Org, member: Membership, doc: Doc, count: int, *, at: datetime | None = None
) -> None:
    with tenancy.scope(org.tenant.pk):
        for number in range(count):
            ticket = limits.admit(
                member,
                doc,
                f"Question {number}?",
                trace_id="0" * 32,
                client_token=None,
                counted=True,
            ).ticket
            AskTicket.objects.filter(pk=ticket.pk).update(finished=True)
        if at is not None:
            AskTicket.objects.update(asked_at=at)


def at(moment: datetime) -> Any:
    return patch("kb.limits.timezone.now", lambda: moment)


@pytest.mark.django_db
def test_fifty_first_ask_of_the_day_is_refused_and_costs_nothing() -> None:
    org = make_org()
    doc = make_page(org, "Words.")
    use_up(org, org.reader, doc, 49)
    with models(NOTHING):
        assert ask_page(org.reader, doc, "Last one?").remaining == 0
        with pytest.raises(LimitReached) as refusal:
            ask_page(org.reader, doc, "One more?")
    assert 0 < refusal.value.retry_after <= 24 * 3600
    with tenancy.scope(org.tenant.pk):
        assert AskTicket.objects.count() == 50
        assert QaQuestion.objects.count() == 1
        assert limits.remaining(org.reader) == 0


@pytest.mark.django_db
def test_other_user_and_other_tenant_have_their_own_limit() -> None:
    org, other = make_org(), make_org()
    doc, theirs = make_page(org, "Words."), make_page(other, "Words.")
    use_up(org, org.reader, doc, 50)
    same_user = members.add(other.tenant, org.reader.user.username, Role.READER)
    with models(NOTHING):
        assert ask_page(org.editor, doc, "Mine?").remaining == 49
        assert ask_page(same_user, theirs, "There?").remaining == 49


@pytest.mark.parametrize(
    ("moment", "is_free"),
    [
        (START + timedelta(minutes=15), False),  # the next day in UTC
        (datetime(2026, 3, 29, 0, 0, tzinfo=ZoneInfo("Asia/Manila")) + timedelta(days=1), False),
        (datetime(2026, 3, 29, 0, 0, tzinfo=ZoneInfo("America/Los_Angeles")), False),
        (datetime(2026, 3, 29, 3, 30, tzinfo=ZoneInfo("Europe/Lisbon")), False),
        (START + timedelta(hours=23, minutes=59), False),
        (START + timedelta(hours=24, seconds=1), True),
    ],
)
@pytest.mark.django_db
def test_fc_72_day_slides_in_every_zone(moment: datetime, is_free: bool) -> None:
    org = make_org()
    doc = make_page(org, "Words.")
    use_up(org, org.reader, doc, 50, at=START)
    with tenancy.scope(org.tenant.pk), at(moment):
        assert (limits.remaining(org.reader) > 0) is is_free
    with models(NOTHING), at(moment):
        if is_free:
            assert ask_page(org.reader, doc, "Now?").remaining == 49
            return
        with pytest.raises(LimitReached) as refusal:
            ask_page(org.reader, doc, "Now?")
        assert refusal.value.retry_at == START + timedelta(hours=24)
        with pytest.raises(LimitReached) as again:  # from the cache, the same answer
            limits.refuse_early(org.reader)
    assert again.value.retry_at == refusal.value.retry_at


def test_fc_71_five_asks_at_once_at_forty_nine(committed_db: None) -> None:
    org = make_org()
    doc = make_page(org, "Words.")
    use_up(org, org.reader, doc, 49)
    with tenancy.scope(org.tenant.pk):
        key = keys.create_key(org.reader)
    barrier = threading.Barrier(5)

    def post(number: int) -> Any:
        client = APIClient()
        if number < 3:
            client.credentials(HTTP_AUTHORIZATION=f"Bearer {key}")
        else:
            client.force_login(org.reader.user)
        barrier.wait()
        try:
            # Of a page and of the whole knowledge base: one limit for both.
            address = "/v1/kb/ask" if number % 2 else f"/v1/kb/docs/{doc.pk}/ask"
            return client.post(address, {"question": f"Number {number}?"})
        finally:
            connection.close()

    with models(NOTHING), ThreadPoolExecutor(max_workers=5) as pool:
        replies = list(pool.map(post, range(5)))
    assert sorted(reply.status_code for reply in replies) == [200, 429, 429, 429, 429]
    refused = next(reply for reply in replies if reply.status_code == 429)
    assert int(refused["Retry-After"]) > 0
    assert set(refused.json()) == {"detail", "retry_at"}
    with tenancy.scope(org.tenant.pk):
        assert AskTicket.objects.filter(user=org.reader.user, counted=True).count() == 50


@pytest.mark.django_db
def test_same_token_is_answered_once_and_counted_once() -> None:
    org = make_org()
    doc = make_page(org, "Words.")
    with models(NOTHING):
        first = ask_page(org.reader, doc, "What is it?", client_token="tab-1")
        second = ask_page(org.reader, doc, "What is it?", client_token="tab-1")
        with pytest.raises(TokenReused):
            ask_page(org.reader, doc, "Something else?", client_token="tab-1")
    assert first == second
    with tenancy.scope(org.tenant.pk):
        assert AskTicket.objects.count() == QaQuestion.objects.count() == 1
        assert AuditEntry.objects.filter(kind__startswith="kb.qa").count() == 2


@pytest.mark.django_db
def test_allowance_says_when_the_oldest_ask_leaves_the_day() -> None:
    org = make_org()
    doc = make_page(org, "Words.")
    with at(START), tenancy.scope(org.tenant.pk):
        assert limits.allowance(org.reader) == limits.Allowance(50, 50, None)
    use_up(org, org.reader, doc, 1, at=START)
    with at(START + timedelta(hours=5)):
        use_up(org, org.reader, doc, 49)
        with tenancy.scope(org.tenant.pk):
            assert limits.allowance(org.reader) == limits.Allowance(
                0, 50, START + timedelta(hours=24)
            )


@pytest.mark.django_db
def test_repeat_is_answered_at_the_limit_and_not_counted() -> None:
    org = make_org()
    doc = make_page(org, "Words.")
    with models(NOTHING):
        first = ask_page(org.reader, doc, "What is it?", client_token="tab-1")
        use_up(org, org.reader, doc, 49)
        with pytest.raises(LimitReached):
            ask_page(org.reader, doc, "One more?")
        again = ask_page(org.reader, doc, "What is it?", client_token="tab-1")
    assert again.question_id == first.question_id


@pytest.mark.django_db
def test_token_of_an_ask_that_died_says_so() -> None:
    org = make_org()
    doc = make_page(org, "Words.")
    with tenancy.scope(org.tenant.pk):
        limits.admit(
            org.reader, doc, "Lost?", trace_id="a" * 32, client_token="tab-1", counted=True
        )
        AskTicket.objects.update(finished=True)  # as the reconciler leaves it
    with models(NOTHING), pytest.raises(TokenReused, match="failed"):
        ask_page(org.reader, doc, "Lost?", client_token="tab-1")
