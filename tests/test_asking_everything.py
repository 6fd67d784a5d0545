"""Asking the whole knowledge base: what it may read, one limit, one history, an own table."""

from __future__ import annotations

import uuid
from datetime import timedelta
from io import StringIO
from itertools import pairwise
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone
from psycopg.errors import InsufficientPrivilege
from rest_framework.test import APIClient

from kb import (
    auditing,
    base_assembler,
    exporting,
    feedback,
    history,
    index,
    ingest,
    intake,
    limits,
    upkeep,
)
from kb.asking import AskRequest, ask
from kb.context import MAX_TOKENS, Context
from kb.errors import LimitReached, TokenReused
from kb.history import EVERYTHING, HistoryFilter
from kb.models import (
    AskTicket,
    BaseQuestion,
    Doc,
    QaQuestion,
    QaTrace,
    Revision,
    Status,
    Visibility,
)
from kb.outcome import Record
from memory import tenancy
from memory.language.tokens import count_tokens
from memory.models import AuditEntry, Membership, Role
from memory.people import keys
from memory.recall.encoding import encode
from memory.types import AnswerKind, Reason
from tests.asks import models, past_question, reply
from tests.factories import Org, edit_page, make_member, make_org, make_page

pytestmark = pytest.mark.django_db
FEE = "The fee for a workshop is 20 euros."


@pytest.fixture
def org() -> Org:
    return make_org()


def ask_all(member: Membership, question: str, **more: Any) -> Record:
    return ask(AskRequest(member=member, question=question, **more))


def context_of(member: Membership, question: str) -> Context:
    return base_assembler.assemble(member, question, encode(question))


def rows(org: Org, model: Any, **fields: Any) -> int:
    with tenancy.scope(org.tenant.pk):
        return int(model.objects.filter(**fields).count())


def test_answer_cites_the_page_that_holds_it(org: Org) -> None:
    make_page(org, "Lunch is at noon.", title="Canteen")
    doc = make_page(org, FEE, title="Fees")
    record = ask_all(org.reader, "What is the fee for a workshop?")
    assert (record.kind, record.doc_id, record.doc_revision) == (AnswerKind.CONFIDENT, None, None)
    assert [one["doc_id"] for one in record.citations] == [str(doc.pk)]
    assert record.citations[0]["quote"] == FEE


def test_question_that_no_page_answers_is_declined(org: Org) -> None:
    make_page(org, FEE, title="Fees")
    record = ask_all(org.reader, "Who painted the ceiling of the chapel?")
    assert (record.kind, record.reason) == (AnswerKind.DECLINE_NO_EVIDENCE, Reason.NOT_COVERED)
    assert "pages that you can read" in record.answer_text


def test_knowledge_base_without_a_page_declines(org: Org) -> None:
    record = ask_all(org.reader, "What is the fee?")
    assert (record.kind, record.reason) == (AnswerKind.DECLINE_NO_EVIDENCE, Reason.NOT_COVERED)


def test_page_endpoint_never_widens(org: Org) -> None:
    make_page(org, FEE, title="Fees")
    other = make_page(org, "Lunch is at noon.", title="Canteen")
    record = ask_all(org.reader, "What is the fee for a workshop?", doc_id=other.pk)
    assert record.kind.is_decline
    assert record.doc_id == other.pk


def test_fc_14_the_right_one_of_two_pages_with_one_title(org: Org) -> None:
    pages = {
        year: make_page(
            org,
            f"# Invoice {year}\n\nThe total in {year} was {total} euros.",
            title="Invoice",
            slug=f"finance/{year}/invoice",
        )
        for year, total in ((2024, 410), (2025, 530))
    }
    record = ask_all(org.reader, "What was the total in 2025?")
    assert "530" in record.answer_text
    assert [one["doc_id"] for one in record.citations] == [str(pages[2025].pk)]
    context = context_of(org.reader, "What was the total in 2025?")
    assert {passage.doc_id for passage in context.passages} == {one.pk for one in pages.values()}


# -- rights ---------------------------------------------------------------------------------------


def test_fc_32_restricted_page_answers_its_group_alone(org: Org) -> None:
    doc = make_page(
        org,
        "The bonus pool is 90000 euros.",
        title="Bonus",
        visibility=Visibility.ROLE_RESTRICTED,
        allowed_groups=["board"],
    )
    question = "How big is the bonus pool?"
    assert ask_all(org.reader, question).kind.is_decline
    assert context_of(org.reader, question).passages == ()
    record = ask_all(make_member(org, Role.READER, "board"), question)
    assert [one["doc_id"] for one in record.citations] == [str(doc.pk)]


def test_fc_33_hidden_pages_change_nothing_of_what_is_offered(org: Org) -> None:
    make_page(org, "The bonus of the team is small.", title="Team")
    before = context_of(org.reader, "bonus pool")
    for number in range(12):
        make_page(
            org,
            f"The bonus pool number {number} is 90000. " * 5,
            title=f"Board {number}",
            visibility=Visibility.ROLE_RESTRICTED,
            allowed_groups=["board"],
        )
    assert context_of(org.reader, "bonus pool") == before


def test_fc_34_history_hides_an_answer_whose_page_was_closed(org: Org) -> None:
    doc = make_page(org, FEE, title="Fees")
    ask_all(org.reader, "What is the fee for a workshop?")
    edit_page(org, doc, visibility=Visibility.ROLE_RESTRICTED, allowed_groups=["board"])
    with tenancy.scope(org.tenant.pk):
        [shown] = history.present(org.reader, list(history.questions_for(org.reader)))
    assert (shown["doc_id"], shown["doc_title"]) == (None, None)
    assert "20 euros" not in str(shown)
    assert shown["citations"] == [{"n": 1, "state": "removed"}]
    assert ask_all(org.reader, "What is the fee for a workshop?").kind.is_decline


@pytest.mark.parametrize("status", [Status.DRAFT, Status.ARCHIVED])
def test_page_that_is_not_live_answers_nobody(org: Org, status: str) -> None:
    make_page(org, FEE, title="Fees", status=status)
    for member in (org.reader, org.editor):
        assert ask_all(member, "What is the fee for a workshop?").kind.is_decline


def test_fc_29_deleted_page_answers_no_more(org: Org) -> None:
    doc = make_page(org, FEE, title="Fees")
    with tenancy.scope(org.tenant.pk):
        intake.delete_page(org.editor, doc)
    assert ask_all(org.reader, "What is the fee for a workshop?").kind.is_decline


# -- context --------------------------------------------------------------------------------------


def test_best_page_comes_first_and_its_passages_in_order(org: Org) -> None:
    parts = [f"## Part {n}\n\n" + f"The turbine has part number {n}. " * 50 for n in range(6)]
    long = make_page(org, "\n\n".join(parts), title="Turbine")
    make_page(org, "A turbine is loud.", title="Noise")
    context = context_of(org.reader, "Which part has the turbine?")
    assert [passage.number for passage in context.passages] == list(
        range(1, len(context.passages) + 1)
    )
    starts = [one.char_start for one in context.passages if one.doc_id == long.pk]
    assert len(starts) > 1
    assert starts == sorted(starts)
    groups = [one.doc_id for one in context.passages]
    assert len(set(groups)) == 1 + sum(a != b for a, b in pairwise(groups))


def test_context_stays_below_the_limit_of_tokens(org: Org) -> None:
    for number in range(6):
        make_page(org, f"The turbine number {number} is loud. " * 900, title=f"Page {number}")
    context = context_of(org.reader, "How loud is the turbine?")
    assert 0 < len(context.passages) <= base_assembler.PASSAGES
    assert sum(count_tokens(one.text) for one in context.passages) <= MAX_TOKENS
    assert context.left_out_home == 0


# -- one limit, one flow --------------------------------------------------------------------------


def test_asks_of_pages_and_of_everything_share_one_limit(org: Org, settings: Any) -> None:
    settings.FOOTNOTE = settings.FOOTNOTE | {"ASKS_PER_DAY": 3}
    doc = make_page(org, FEE, title="Fees")
    ask_all(org.reader, "What is the fee?", doc_id=doc.pk)
    ask_all(org.reader, "What is the fee?")
    assert ask_all(org.reader, "What is the price?").remaining == 0
    for doc_id in (None, doc.pk):
        with pytest.raises(LimitReached):
            ask_all(org.reader, "And now?", doc_id=doc_id)
    ask_all(org.editor, "What is the fee?")


def test_fc_71_last_ask_of_the_day_is_served_once(org: Org, settings: Any) -> None:
    """At the same moment: ``test_limits``."""
    settings.FOOTNOTE = settings.FOOTNOTE | {"ASKS_PER_DAY": 50}
    doc = make_page(org, FEE, title="Fees")
    with tenancy.scope(org.tenant.pk):
        for number in range(49):
            AskTicket.objects.create(
                tenant=org.tenant,
                user=org.reader.user,
                doc=doc if number % 2 else None,
                question_id=uuid.uuid4(),
                question_sha256="0" * 64,
                trace_id=uuid.uuid4().hex,
                asked_at=timezone.now() - timedelta(minutes=number),
                finished=True,
            )
    assert ask_all(org.reader, "What is the fee?").remaining == 0
    with pytest.raises(LimitReached):
        ask_all(org.reader, "What is the fee?", doc_id=doc.pk)
    with tenancy.scope(org.tenant.pk):
        assert limits.remaining(org.reader) == 0


def test_same_idempotency_key_asks_once_and_stands_for_one_target(org: Org) -> None:
    doc = make_page(org, FEE, title="Fees")
    first = ask_all(org.reader, "What is the fee for a workshop?", client_token="t")
    again = ask_all(org.reader, "What is the fee for a workshop?", client_token="t")
    assert (again.question_id, again.citations) == (first.question_id, first.citations)
    with pytest.raises(TokenReused):
        ask_all(org.reader, "What is the fee for a workshop?", client_token="t", doc_id=doc.pk)
    assert rows(org, BaseQuestion) == 1


def test_unverified_claim_declines_here_too(org: Org) -> None:
    make_page(org, FEE, title="Fees")
    wrong = "The fee for a workshop is 90 euros."
    with models(lambda passages: reply(passages, wrong, FEE)):
        record = ask_all(org.reader, "What is the fee for a workshop?")
    assert record.reason is Reason.UNVERIFIED


def test_model_that_fails_is_a_decline_and_a_failed_audit_row(org: Org) -> None:
    make_page(org, FEE, title="Fees")
    with models(RuntimeError("broken")):
        record = ask_all(org.reader, "What is the fee for a workshop?")
    assert record.reason is Reason.FAULT
    with tenancy.scope(org.tenant.pk):
        kinds = list(AuditEntry.objects.order_by("seq").values_list("kind", flat=True))
    assert kinds[-2:] == ["kb.qa_asked", "kb.qa_failed"]


# -- what is kept ---------------------------------------------------------------------------------


def test_question_goes_to_its_own_table_with_trace_and_audit(org: Org) -> None:
    make_page(org, FEE, title="Fees")
    record = ask_all(org.reader, "What is the fee for a workshop?")
    assert rows(org, QaQuestion) == 0
    assert rows(org, BaseQuestion, question_id=record.question_id) == 1
    assert rows(org, QaTrace, question_id=record.question_id) == 1
    with tenancy.scope(org.tenant.pk):
        entry = AuditEntry.objects.order_by("-seq").first()
    assert entry is not None
    assert (entry.kind, entry.body["doc_id"]) == ("kb.qa_answered", None)
    assert auditing.verify(org.tenant.pk).broken == ""


def test_audit_notices_a_question_that_was_slipped_in(org: Org) -> None:
    with tenancy.scope(org.tenant.pk):
        BaseQuestion.objects.create(
            tenant=org.tenant,
            question_text="What?",
            answer_kind="confident",
            asked_by=org.reader.user_id,
        )
    assert "has no audit entry" in auditing.verify(org.tenant.pk).broken


@pytest.mark.parametrize("statement", ["UPDATE {} SET answer_text = ''", "DELETE FROM {}"])
@pytest.mark.parametrize("table", ["kb_qa_base_questions", "kb_qa_questions"])
def test_stored_question_cannot_be_changed(org: Org, table: str, statement: str) -> None:
    make_page(org, FEE, title="Fees")
    ask_all(org.reader, "What is the fee for a workshop?")
    with (
        tenancy.scope(org.tenant.pk),
        pytest.raises(Exception, match="permission denied") as refused,
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement.format(table))
    assert isinstance(refused.value.__cause__, InsufficientPrivilege)


def test_view_of_both_tables_is_under_row_security(org: Org) -> None:
    make_page(org, FEE, title="Fees")
    ask_all(org.reader, "What is the fee for a workshop?")
    count = "SELECT count(*) FROM kb_qa_asked"
    for other in (org, make_org()):
        with tenancy.scope(other.tenant.pk), connection.cursor() as cursor:
            cursor.execute(count)
            assert cursor.fetchone() == (1 if other is org else 0,)


def test_history_lists_both_newest_first(org: Org) -> None:
    doc = make_page(org, FEE, title="Fees")
    past_question(org.reader, doc, "Of the page?", created_at=timezone.now() - timedelta(hours=1))
    ask_all(org.reader, "Of everything?")
    ask_all(org.editor, "Of the editor?")

    def asked(member: Membership, wanted: HistoryFilter = EVERYTHING) -> list[str]:
        with tenancy.scope(org.tenant.pk):
            found = history.questions_for(member, wanted)
            return [one["question_text"] for one in history.present(member, list(found))]

    assert asked(org.reader) == ["Of everything?", "Of the page?"]
    assert asked(org.admin) == ["Of the editor?", "Of everything?", "Of the page?"]
    assert asked(org.reader, HistoryFilter(doc_id=doc.pk)) == ["Of the page?"]
    assert asked(org.reader, HistoryFilter(query="everything")) == ["Of everything?"]


def test_editors_see_what_no_page_answers_without_a_name(org: Org) -> None:
    make_page(org, FEE, title="Fees")
    for asker in (org.reader, org.editor):
        ask_all(asker, "Who painted the ceiling?")
    with tenancy.scope(org.tenant.pk):
        [asked] = upkeep.unanswered(org.editor)
        [named] = upkeep.unanswered(org.admin)
        assert upkeep.unanswered(org.reader) == []
    assert (asked.doc, asked.question, asked.times) == (None, "Who painted the ceiling?", 2)
    assert asked.asked_by == ()
    assert len(named.asked_by) == 2


def test_question_of_signs_alone_is_declined(org: Org) -> None:
    make_page(org, FEE, title="Fees")
    assert ask_all(org.reader, "?!").reason is Reason.NOT_COVERED


def test_fresh_page_without_vectors_does_not_blind_the_others(org: Org) -> None:
    known = make_page(org, FEE, title="Fees")
    index.embed_page(org.tenant.pk, known.pk)
    make_page(org, "The fee for a locker is 5 euros.", title="Lockers")
    record = ask_all(org.reader, "What is the fee for a workshop?")
    assert record.degraded == ()
    assert record.citations[0]["doc_id"] == str(known.pk)


def test_export_holds_both(org: Org) -> None:
    doc = make_page(org, FEE, title="Fees")
    past_question(org.reader, doc, "Of the page?")
    ask_all(org.reader, "Of everything?")
    file = exporting.export(org.reader, EVERYTHING, exporting.ExportFormat.CSV)
    text = b"".join(file.content).decode()
    assert "Of the page?" in text
    assert "Of everything?" in text


def test_vote_on_an_answer_from_everything(org: Org) -> None:
    make_page(org, FEE, title="Fees")
    record = ask_all(org.reader, "What is the fee for a workshop?")
    with tenancy.scope(org.tenant.pk):
        given = feedback.give(org.reader, record.question_id, "up")
        assert feedback.last_votes(org.reader.user_id, [record.question_id]) == {
            record.question_id: given
        }


@pytest.mark.django_db(transaction=True, databases=["default", "owner"])
def test_person_is_forgotten_here_too() -> None:
    org = make_org()
    make_page(org, FEE, title="Fees")
    mine = ask_all(org.reader, "What is the fee for a workshop?")
    other = ask_all(org.editor, "What is the fee for a workshop?")
    call_command("erase", "--user", org.reader.user.username, "--yes", stdout=StringIO())
    assert rows(org, BaseQuestion) == rows(org, QaTrace) == 1
    assert rows(org, BaseQuestion, question_id=other.question_id) == 1
    report = auditing.verify(org.tenant.pk)
    assert (report.broken, report.erased) == ("", 1)
    assert rows(org, BaseQuestion, question_id=mine.question_id) == 0


# -- over HTTP ------------------------------------------------------------------------------------


def client_of(member: Membership, **key: Any) -> APIClient:
    with tenancy.scope(member.tenant_id):
        token = keys.create_key(member, **key)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return client


def test_reply_over_http_names_no_page_of_its_own(org: Org) -> None:
    doc = make_page(org, FEE, title="Fees", slug="hr/fees")
    client = client_of(org.reader)
    with models(lambda passages: reply(passages, FEE, FEE)):
        response = client.post("/v1/kb/ask", {"question": "What is the fee for a workshop?"})
    body = response.json()
    assert (response.status_code, body["doc_id"], body["doc_revision"]) == (200, None, None)
    assert (body["remaining"], body["offset_unit"]) == (49, "codepoint")
    [citation] = body["citations"]
    assert (citation["doc_id"], citation["quote"]) == (str(doc.pk), FEE)
    assert citation["url"] == f"/{org.tenant.slug}/p/hr/fees?cite=0-{len(FEE)}&rev=1#cite"
    [past] = client.get("/v1/kb/qa/history").json()["results"]
    assert (past["question_id"], past["doc_id"]) == (body["question_id"], None)
    assert past["citations"][0]["state"] == "current"


@pytest.mark.parametrize("question", ["", "   ", None, 5, ["x"], "x" * 1001])
def test_question_that_is_none_is_refused(org: Org, question: Any) -> None:
    response = client_of(org.reader).post("/v1/kb/ask", {"question": question}, format="json")
    assert response.status_code == 400
    assert rows(org, AskTicket) == 0


def test_key_needs_the_scope_to_ask(org: Org) -> None:
    question = {"question": "What is the fee?"}
    assert APIClient().post("/v1/kb/ask", question).status_code == 401
    reading = client_of(org.reader, scopes=["kb:read"])
    assert reading.post("/v1/kb/ask", question).status_code == 403


def test_answer_from_an_older_text_says_so_where_it_is_cited(org: Org) -> None:
    doc = make_page(org, FEE, title="Fees")
    make_page(org, "Lunch is at noon.", title="Canteen")
    with tenancy.scope(org.tenant.pk):
        newer = edit_page(org, doc, source="The fee for a workshop is 35 euros.")
        older = Revision.objects.get(doc=newer, number=1)
        locked = Doc.objects.get(pk=doc.pk)
        ingest.index_revision(locked, older)
        locked.save()
    record = ask_all(org.reader, "What is the fee for a workshop?")
    assert (record.stale, record.citations[0]["revision"]) == (True, 1)
    assert ask_all(org.reader, "When is lunch?").stale is False
