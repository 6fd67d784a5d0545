"""What the overview counts, that it ends at the tenant's edge, and its buttons."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from kombu.exceptions import OperationalError

from kb import feedback, index, tasks, verification
from kb.admin import pages, statistics
from kb.models import AskTicket, BaseQuestion, Doc, IndexState, QaQuestion, QaTrace
from kb.verification import VerificationState
from memory import tenancy
from memory.backends import registry
from memory.models import AuditEntry, Membership
from tests.factories import Org, make_org, make_page
from tests.finished_asks import QUOTE, make_question

pytestmark = pytest.mark.django_db
HOME = "/admin/"


@pytest.fixture
def org() -> Org:
    return make_org()


@pytest.fixture
def admin(org: Org) -> Client:
    return sign_in(org.admin)


def sign_in(member: Membership) -> Client:
    client = Client()
    client.force_login(member.user)
    return client


def text_of(response: Any) -> str:
    return str(response.content.decode())


def add_question(
    org: Org, doc: Doc, *, days_ago: int = 0, took: float = 0.0, **fields: Any
) -> None:
    """A row as an ask of that day left it."""
    at = timezone.now() - timedelta(days=days_ago)
    with tenancy.scope(org.tenant.pk):
        fields = {"answer_kind": "confident", "asked_by": org.reader.user_id} | fields
        reason = fields.pop("reason", "")
        row = QaQuestion.objects.create(
            tenant=org.tenant, doc_id=doc.pk, question_text="?", created_at=at, **fields
        )
        with patch("django.utils.timezone.now", lambda: at):
            QaTrace.objects.create(
                tenant=org.tenant,
                question_id=row.pk,
                reason=reason,
                timings_ms={"read": took / 4, "judge": took * 3 / 4} if took else {},
            )


def declined(reason: str) -> dict[str, str]:
    return {"answer_kind": "decline_no_evidence", "reason": reason}


# --- Counting ---------------------------------------------------------------------------------


def test_days_are_counted_by_outcome_with_empty_ones_between(org: Org) -> None:
    doc = make_page(org, QUOTE)
    add_question(org, doc)
    add_question(org, doc, **declined("not_covered"))
    add_question(org, doc, days_ago=3, answer_kind="partial")
    add_question(org, doc, days_ago=40)
    with tenancy.scope(org.tenant.pk):
        days = statistics.days()
    assert len(days) == 30
    assert days[-1].date == timezone.localdate()
    assert days[-1].kinds == {"confident": 1, "decline_no_evidence": 1}
    assert (days[-1].asked, days[-1].answered) == (2, 1)
    assert (days[-4].kinds, days[-2].kinds) == ({"partial": 1}, {})
    assert sum(day.asked for day in days) == 3


def test_share_answered_looks_back_a_week_and_has_gaps(org: Org) -> None:
    doc = make_page(org, QUOTE)
    add_question(org, doc, days_ago=9)
    add_question(org, doc, days_ago=2, **declined("fault"))
    add_question(org, doc, days_ago=1)
    with tenancy.scope(org.tenant.pk):
        shares = statistics.answer_shares(statistics.days())
    assert shares[:20] == [None] * 20
    assert shares[20:] == [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.5, 0.5]


def test_reasons_are_ranked_and_percentiles_are_of_whole_replies(org: Org) -> None:
    doc = make_page(org, QUOTE)
    for took in (100.0, 200.0, 300.0):
        add_question(org, doc, took=took)
    add_question(org, doc, **declined("fault"))
    for _ in range(2):
        add_question(org, doc, **declined("not_covered"))
    with tenancy.scope(org.tenant.pk):
        assert statistics.decline_reasons() == [("not_covered", 2), ("fault", 1)]
        speed, by_day = statistics.speed()
    assert speed is not None
    assert (speed.replies, speed.p50, round(speed.p95)) == (3, 200.0, 290)
    assert (by_day[-1], by_day[:-1]) == (speed, [None] * 29)


def test_pages_are_ranked_by_questions_and_by_declines(org: Org) -> None:
    asked, unhelpful, quiet = (make_page(org, QUOTE, title=name) for name in ("A", "U", "Q"))
    for _ in range(3):
        add_question(org, asked)
    for _ in range(2):
        add_question(org, unhelpful, **declined("not_covered"))
    with tenancy.scope(org.tenant.pk):
        most = statistics.most_asked(5)
        assert [(one.page, one.asked, one.declined) for one in most] == [
            (asked, 3, 0),
            (unhelpful, 2, 2),
        ]
        assert [one.page for one in statistics.most_declined(5)] == [unhelpful]
    assert quiet not in [one.page for one in most]


def test_latest_questions_are_of_pages_and_of_the_whole_base(org: Org) -> None:
    doc = make_page(org, QUOTE)
    for days_ago in (4, 2, 0):
        add_question(org, doc, days_ago=days_ago)
    at = timezone.now() - timedelta(days=1)
    base = {"tenant": org.tenant, "asked_by": org.reader.user_id, "answer_kind": "confident"}
    with tenancy.scope(org.tenant.pk):
        BaseQuestion.objects.create(question_text="?", created_at=at, **base)
        latest = statistics.latest_questions(3)
    ages = [(timezone.now() - question.created_at).days for question in latest]
    assert ages == [0, 1, 2]


def test_limit_use_counts_as_the_limit_does(org: Org, settings: Any) -> None:
    settings.FOOTNOTE = settings.FOOTNOTE | {"ASKS_PER_DAY": 7}
    doc = make_page(org, QUOTE)
    for _ in range(2):
        make_question(org, doc)
    with tenancy.scope(org.tenant.pk):
        AskTicket.objects.update(asked_at=timezone.now())
        (one,) = statistics.limit_use(5)
        assert (one.user, one.used, one.limit) == (org.reader.user, 2, 7)
        AskTicket.objects.update(counted=False)
        assert statistics.limit_use(5) == []


def test_of_each_reader_the_last_vote_counts(org: Org, admin: Client) -> None:
    doc = make_page(org, QUOTE)
    question = make_question(org, doc, "Was it good?")
    other = make_question(org, doc, "And this?")
    with tenancy.scope(org.tenant.pk):
        feedback.give(org.reader, question.pk, "up")
        feedback.give(org.reader, question.pk, "down", "Half of it is missing")
        feedback.give(org.admin, question.pk, "up")
        feedback.give(org.reader, other.pk, "up")
        assert statistics.votes() == {"up": 2, "down": 1}
    listed = text_of(admin.get(reverse("admin:kb_qaquestion_changelist"), {"vote": "down"}))
    assert "Was it good?" in listed
    assert "And this?" not in listed
    shown = text_of(admin.get(reverse("admin:kb_qaquestion_change", args=[question.pk])))
    assert "Half of it is missing" in shown


def test_index_counts_states_and_passages_without_a_vector(org: Org) -> None:
    ready, failed = make_page(org, QUOTE, title="R"), make_page(org, "Other words.", title="F")
    make_page(org, "Gone.", title="G", status="archived")
    index.embed_page(org.tenant.pk, ready.pk)
    with tenancy.scope(org.tenant.pk):
        Doc.objects.filter(pk=failed.pk).update(index_state=IndexState.FAILED)
        health = statistics.index_health()
    assert (health.ready, health.pending, health.failed) == (1, 0, 1)
    assert (health.passages, health.missing) == (2, 1)


def test_encoder_that_cannot_be_loaded_is_said_and_breaks_nothing(org: Org, admin: Client) -> None:
    make_page(org, QUOTE)
    with patch.object(registry, "encoder", side_effect=OSError("no such file")):
        assert "encoder cannot be loaded" in text_of(admin.get(HOME))


# --- The page ---------------------------------------------------------------------------------


def test_empty_overview_teaches_the_first_steps(org: Org, admin: Client) -> None:
    shown = text_of(admin.get(HOME))
    assert "Nobody asked anything in the last 30 days" in shown
    for address in (reverse("page-new", args=[org.tenant.slug]), "/admin/memory/invitation/add/"):
        assert f'href="{address}"' in shown
    assert "<polyline" not in shown


def test_drawings_have_a_name_a_description_and_a_table(org: Org, admin: Client) -> None:
    add_question(org, make_page(org, QUOTE, title="Fees & fines"), took=120.0)
    shown = text_of(admin.get(HOME))
    assert shown.count('role="img"') == shown.count("<desc id=") == 3
    assert shown.count("As a table") == 2
    assert ": 1 question</title>" in shown
    today = timezone.localdate().isoformat()
    assert f"created_at_from={today}&amp;created_at_to={today}" in shown
    assert "Fees &amp; fines" in shown


def test_overview_counts_nothing_of_another_tenant(org: Org, admin: Client) -> None:
    theirs = make_org()
    doc = make_page(theirs, QUOTE, title="Rival page")
    question = make_question(theirs, doc)
    make_question(theirs, doc, quote="")
    with tenancy.scope(theirs.tenant.pk):
        feedback.give(theirs.reader, question.pk, "down")
    shown = text_of(admin.get(HOME))
    assert "Nobody asked anything in the last 30 days" in shown
    assert "Rival page" not in shown
    assert "There is nothing to index yet" in shown


def test_overview_costs_the_same_however_much_was_asked(org: Org, admin: Client) -> None:
    def grow(number: int) -> None:
        for _ in range(number):
            doc = make_page(org, QUOTE, title=f"Page {uuid.uuid4().hex}")
            question = make_question(org, doc)
            make_question(org, doc, quote="")
            with tenancy.scope(org.tenant.pk):
                feedback.give(org.reader, question.pk, "up")

    def cost() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert admin.get(HOME).status_code == 200
        return len(captured)

    grow(1)
    cost()  # fills caches of content types and sessions
    few = cost()
    grow(6)
    assert cost() == few
    assert few <= 28


# --- Buttons ----------------------------------------------------------------------------------


def test_history_that_holds_is_verified_at_once_and_the_result_stays(
    org: Org, admin: Client
) -> None:
    make_question(org, make_page(org, QUOTE))
    assert "Not verified in the last 30 days" in text_of(admin.get(HOME))
    shown = text_of(admin.post(reverse("admin:kb_history_verify"), follow=True))
    with tenancy.scope(org.tenant.pk):
        entries = AuditEntry.objects.count()
    assert f"The history holds. Entries: {entries}. Citations: 1." in shown
    assert f"{entries} entries link to each other" in text_of(admin.get(HOME))


def test_broken_history_names_the_first_row_that_does_not_hold(org: Org, admin: Client) -> None:
    make_question(org, make_page(org, QUOTE))
    add_question(org, make_page(org, "Slipped in."))
    shown = text_of(admin.post(reverse("admin:kb_history_verify"), follow=True))
    assert "The history is broken at question" in shown
    assert "has no audit entry" in shown


def test_long_history_is_verified_by_a_worker(org: Org, admin: Client) -> None:
    make_question(org, make_page(org, QUOTE))
    with (
        patch.object(verification, "_MOST_ENTRIES", 1),
        patch.object(tasks.verify_history, "delay") as asked,
    ):
        shown = text_of(admin.post(reverse("admin:kb_history_verify"), follow=True))
    asked.assert_called_once_with(str(org.tenant.pk))
    assert "being verified" in shown
    assert tasks.verify_history(str(org.tenant.pk)) == "holds"
    assert "being verified" not in text_of(admin.get(HOME))


def test_worker_that_cannot_be_reached_or_fails_leaves_no_wrong_result(
    org: Org, admin: Client
) -> None:
    make_question(org, make_page(org, QUOTE))
    with (
        patch.object(verification, "_MOST_CHUNKS", 0),
        patch.object(tasks.verify_history, "delay", side_effect=OperationalError),
    ):
        shown = text_of(admin.post(reverse("admin:kb_history_verify"), follow=True))
    assert "No worker can be reached" in shown
    assert verification.last(org.tenant.pk) is None
    with (
        patch("kb.auditing.verify", side_effect=MemoryError),
        pytest.raises(MemoryError),
    ):
        tasks.verify_history(str(org.tenant.pk))
    kept = verification.last(org.tenant.pk)
    assert kept is not None
    assert kept.state is VerificationState.FAILED


def test_result_of_one_tenant_is_not_shown_to_another(org: Org, admin: Client) -> None:
    admin.post(reverse("admin:kb_history_verify"))
    other = sign_in(make_org().admin)
    assert "Not verified in the last 30 days" in text_of(other.get(HOME))


def test_all_failed_pages_are_retried_and_no_others(org: Org, admin: Client) -> None:
    failed, fine = make_page(org, QUOTE, title="F"), make_page(org, QUOTE, title="G")
    theirs = make_org()
    other = make_page(theirs, QUOTE)
    for each, doc in ((org, failed), (theirs, other)):
        with tenancy.scope(each.tenant.pk):
            Doc.objects.filter(pk=doc.pk).update(index_state=IndexState.FAILED)
    assert "Retry 1 failed page" in text_of(admin.get(HOME))
    shown = text_of(admin.post(reverse("admin:kb_doc_retry_failed"), follow=True))
    assert "1 page is being indexed again" in shown
    with tenancy.scope(org.tenant.pk):
        assert not Doc.objects.filter(index_state=IndexState.FAILED).exists()
        assert Doc.objects.get(pk=fine.pk).updated_at == fine.updated_at
    with tenancy.scope(theirs.tenant.pk):
        assert Doc.objects.get(pk=other.pk).index_state == IndexState.FAILED


def test_many_failed_pages_go_to_a_worker_one_by_one(org: Org, admin: Client) -> None:
    docs = [make_page(org, QUOTE, title=name) for name in "AB"]
    with tenancy.scope(org.tenant.pk):
        Doc.objects.update(index_state=IndexState.FAILED)
    with (
        patch.object(pages, "_AT_ONCE", 1),
        patch.object(tasks.rebuild_page, "delay") as sent,
    ):
        shown = text_of(admin.post(reverse("admin:kb_doc_retry_failed"), follow=True))
    assert "2 pages are being indexed again" in shown
    assert {call.args for call in sent.call_args_list} == {
        (str(org.tenant.pk), str(doc.pk)) for doc in docs
    }
    with (
        patch.object(pages, "_AT_ONCE", 1),
        patch.object(tasks.rebuild_page, "delay", side_effect=OperationalError),
    ):
        shown = text_of(admin.post(reverse("admin:kb_doc_retry_failed"), follow=True))
    assert "No worker can be reached" in shown
    assert "being indexed again" not in shown


@pytest.mark.parametrize("name", ["kb_history_verify", "kb_doc_retry_failed"])
def test_buttons_take_a_post_of_an_admin(org: Org, admin: Client, name: str) -> None:
    url = reverse(f"admin:{name}")
    assert admin.get(url).status_code == 405
    assert sign_in(org.editor).post(url).status_code == 404
    assert sign_in(org.reader).post(url).status_code == 404
    assert Client().post(url)["Location"].startswith("/sign-in")
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(org.admin.user)
    assert careful.post(url).status_code == 403
