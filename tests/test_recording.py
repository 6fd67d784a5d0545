"""What is written down of an ask, and how it is verified."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection, connections
from django.utils import timezone

from kb import auditing, limits, recording
from kb.models import AskTicket, QaQuestion
from memory import tenancy
from memory.models import AuditEntry, Event
from tests.asks import ask_page, models, reply
from tests.factories import make_org, make_page

CAP = "Overtime shall not exceed 12 hours per week."


def as_owner(statement: str) -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute(statement)
    connections["owner"].close()


@pytest.mark.django_db
def test_ask_that_never_finished_is_closed_as_failed_once() -> None:
    org = make_org()
    doc = make_page(org, CAP)
    with tenancy.scope(org.tenant.pk):
        admission = limits.admit(
            org.reader, doc, "Lost?", trace_id="a" * 32, client_token=None, counted=True
        )
        recording.open_ask(admission.ticket)
    assert recording.close_orphans(org.tenant.pk) == 0  # it may still be at work
    with tenancy.scope(org.tenant.pk):
        AskTicket.objects.update(asked_at=timezone.now() - timedelta(hours=1))
    assert recording.close_orphans(org.tenant.pk) == 1
    assert recording.close_orphans(org.tenant.pk) == 0
    with tenancy.scope(org.tenant.pk):
        rows = AuditEntry.objects.filter(kind__startswith="kb.qa").order_by("seq")
        kinds = list(rows.values_list("kind", flat=True))
        assert kinds == ["kb.qa_asked", "kb.qa_failed"]
        assert Event.objects.get().name == "ask_orphaned"
    assert auditing.verify(org.tenant.pk).broken == ""


def test_fc_75_asks_at_once_leave_exactly_their_rows(committed_db: None) -> None:
    org = make_org()
    doc = make_page(org, CAP)
    barrier = threading.Barrier(6)

    def ask_eight(_: int) -> list[str]:
        barrier.wait()
        traces = [ask_page(org.reader, doc, f"Overtime {n}?").trace_id for n in range(8)]
        connection.close()
        return traces

    with models(lambda p: reply(p, CAP, CAP)), ThreadPoolExecutor(max_workers=6) as pool:
        traces = [trace for many in pool.map(ask_eight, range(6)) for trace in many]
    with tenancy.scope(org.tenant.pk):
        for trace in traces:
            rows = AuditEntry.objects.filter(trace_id=trace).order_by("seq")
            assert list(rows.values_list("kind", flat=True)) == ["kb.qa_asked", "kb.qa_answered"]
    report = auditing.verify(org.tenant.pk)
    assert (report.broken, report.entries, report.answers, report.citations) == ("", 97, 48, 48)


@pytest.mark.parametrize(
    ("tampering", "problem"),
    [
        ("UPDATE kb_qa_questions SET answer_text = 'x'", "its answer is not what was audited"),
        ("UPDATE kb_qa_questions SET question_text = 'x'", "its question is not what was audited"),
        ("UPDATE kb_qa_questions SET confidence_score = 0.99", "its confidence is not"),
        (
            "UPDATE kb_qa_questions SET citations = jsonb_set(citations, '{0,char_start}', '1')",
            "its citations is not what was audited",
        ),
        (
            "UPDATE kb_qa_questions SET citations = jsonb_set(citations, '{0,quote}', '\"x\"')",
            "citation 1 does not stand at its place",
        ),
        ("UPDATE kb_revision SET text = 'Other words.'", "does not stand at its place"),
        ("DELETE FROM kb_qa_questions", "its question is missing"),
        (
            "UPDATE memory_auditentry SET kind = 'kb.qa_declined' WHERE seq = 3",
            "not what was hashed",
        ),
    ],
)
def test_tampering_is_named(committed_db: None, tampering: str, problem: str) -> None:
    org = make_org()
    doc = make_page(org, CAP)
    with models(lambda p: reply(p, CAP, CAP, confidence=0.9)):
        ask_page(org.reader, doc, "How much overtime is allowed?")
    assert auditing.verify(org.tenant.pk).broken == ""
    as_owner(tampering)
    assert problem in auditing.verify(org.tenant.pk).broken


def test_question_without_an_audit_entry_is_named(committed_db: None) -> None:
    org = make_org()
    with tenancy.scope(org.tenant.pk):
        stray = QaQuestion.objects.create(
            tenant=org.tenant,
            doc_id=org.tenant.pk,
            question_text="Slipped in?",
            answer_kind="confident",
            asked_by=org.reader.user_id,
        )
    assert str(stray.pk) in auditing.verify(org.tenant.pk).broken


def test_audit_command_says_what_it_checked_and_exits_one_on_a_break(committed_db: None) -> None:
    org = make_org("acme")
    doc = make_page(org, CAP)
    with models(lambda p: reply(p, CAP, CAP)):
        ask_page(org.reader, doc, "How much overtime is allowed?")
    out = StringIO()
    call_command("audit", "verify", stdout=out)
    assert "acme: the chain holds. 3 entries, 1 answers, 1 citations" in out.getvalue()
    as_owner("UPDATE kb_qa_questions SET answer_text = 'x'")
    with pytest.raises(SystemExit) as exit_code:
        call_command("audit", "verify", stdout=out)
    assert exit_code.value.code == 1
    assert "acme: BROKEN: audit entry 3" in out.getvalue()
