"""Writes down an ask in two transactions: that it was asked, and how it ended.

    open_ask    ticket, kb.qa_asked               before assembly
    close_ask   question, trace, kb.qa_answered | kb.qa_declined | kb.qa_failed

A process that dies between the two leaves an open ticket; ``close_orphans`` ends it as failed.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext

from kb import audit_kinds
from kb.errors import AskGivenUp, TokenReused
from kb.models import AskedQuestion, AskTicket, BaseQuestion, QaQuestion, QaTrace
from kb.outcome import Outcome, Record, claim_as_dict
from memory import audit, events, tenancy
from memory.events import EventName
from memory.models import Membership
from memory.types import AnswerKind, Reason

_ORPHANED = timedelta(minutes=5)  # longer than a model's time limit with its retry


def open_ask(ticket: AskTicket) -> None:
    """The last step of the transaction that admits an ask."""
    audit.append(audit_kinds.QA_ASKED, _asked_body(ticket), trace_id=ticket.trace_id)


def close_ask(
    ticket: AskTicket, member: Membership, question: str, outcome: Outcome, *, remaining: int
) -> Record:
    """Store question, trace and audit row in one transaction."""
    with tenancy.scope(member.tenant_id):
        stored = _row_for(ticket)(
            question_id=ticket.question_id,
            tenant_id=member.tenant_id,
            question_text=question,
            answer_kind=outcome.kind,
            answer_text=outcome.answer_text,
            confidence_score=_two_digits(outcome.confidence),
            citations=[citation.as_dict() for citation in outcome.citations],
            asked_by=member.user_id,
            trace_id=ticket.trace_id,
            created_at=ticket.asked_at,
        )
        stored.save(force_insert=True)
        trace = QaTrace.objects.create(
            tenant_id=member.tenant_id,
            question_id=ticket.question_id,
            doc_revision=outcome.doc_revision,
            reason=outcome.reason or "",
            claims=[claim_as_dict(claim) for claim in outcome.claims],
            missing=list(outcome.missing),
            unseen=list(outcome.unseen),
            degraded=list(outcome.degraded),
            stale=outcome.stale,
            model=outcome.model,
            context=dict(outcome.context),
            usage={
                "prompt_tokens": outcome.usage.prompt_tokens,
                "completion_tokens": outcome.usage.completion_tokens,
                "cost_usd": outcome.usage.cost_usd,
                "calls": outcome.usage.calls,
            },
            timings_ms=dict(outcome.timings_ms),
        )
        # The reconciler may have given this ask up; one ask has one outcome.
        if not AskTicket.objects.filter(pk=ticket.pk, finished=False).update(finished=True):
            raise AskGivenUp(str(ticket.question_id))
        audit.append(
            _kind(outcome), _outcome_body(ticket, stored, outcome), trace_id=ticket.trace_id
        )
    return record_of(stored, trace, remaining=remaining)


def _row_for(ticket: AskTicket) -> Callable[..., QaQuestion | BaseQuestion]:
    """Of the table that the question goes to: a page's own, or that of the whole knowledge base."""
    if ticket.doc_id is None:
        return BaseQuestion
    return partial(QaQuestion, doc_id=ticket.doc_id)


def stored(ticket: AskTicket, *, remaining: int) -> Record:
    """The record of an ask that was finished before. Raises ``TokenReused`` where it died half way."""
    question = AskedQuestion.objects.filter(question_id=ticket.question_id).first()
    if question is None:
        raise TokenReused(gettext("The ask with this Idempotency-Key failed. Use a new key."))
    trace = QaTrace.objects.get(question_id=ticket.question_id)
    return record_of(question, trace, remaining=remaining)


def record_of(
    question: QaQuestion | BaseQuestion | AskedQuestion,
    trace: QaTrace,
    *,
    remaining: int | None = None,
) -> Record:
    score = question.confidence_score
    return Record(
        question_id=question.question_id,
        trace_id=question.trace_id or "",
        doc_id=question.doc_id,
        question_text=question.question_text,
        asked_by=question.asked_by,
        created_at=question.created_at,
        kind=AnswerKind(question.answer_kind),
        answer_text=question.answer_text or "",
        confidence=None if score is None else float(score),
        reason=Reason(trace.reason) if trace.reason else None,
        citations=tuple(question.citations),
        claims=tuple(trace.claims),
        missing=tuple(trace.missing),
        unseen=tuple(trace.unseen),
        stale=trace.stale,
        degraded=tuple(trace.degraded),
        doc_revision=trace.doc_revision,
        model=trace.model,
        remaining=remaining,
    )


def close_orphans(tenant_id: UUID) -> int:
    """End asks whose process died as ``kb.qa_failed``. Returns how many."""
    with tenancy.scope(tenant_id):
        tickets = list(
            AskTicket.objects.select_for_update(skip_locked=True).filter(
                finished=False, asked_at__lt=timezone.now() - _ORPHANED
            )[:200]
        )
        for ticket in tickets:
            AskTicket.objects.filter(pk=ticket.pk).update(finished=True)
            events.record(
                EventName.ASK_ORPHANED,
                trace_id=ticket.trace_id,
                question_id=str(ticket.question_id),
            )
        for ticket in tickets:
            audit.append(
                audit_kinds.QA_FAILED,
                {**_asked_body(ticket), "failure": "orphaned"},
                trace_id=ticket.trace_id,
            )
    return len(tickets)


def _kind(outcome: Outcome) -> str:
    if outcome.failure:
        return audit_kinds.QA_FAILED
    return audit_kinds.QA_DECLINED if outcome.kind.is_decline else audit_kinds.QA_ANSWERED


def _asked_body(ticket: AskTicket) -> dict[str, Any]:
    return {
        "question_id": ticket.question_id,
        "doc_id": ticket.doc_id,
        "asked_by": ticket.user_id,
        "question_sha256": ticket.question_sha256,
    }


def _outcome_body(
    ticket: AskTicket, stored: QaQuestion | BaseQuestion, outcome: Outcome
) -> dict[str, Any]:
    body = _asked_body(ticket) | {
        "answer_kind": outcome.kind.value,
        "confidence": None if stored.confidence_score is None else str(stored.confidence_score),
        "answer_sha256": audit.text_hash(outcome.answer_text),
        "citations": [
            {
                "doc_id": shown.citation.doc_id,
                "revision": shown.citation.revision,
                "chunk_id": shown.citation.chunk_id,
                "char_start": shown.citation.char_start,
                "char_end": shown.citation.char_end,
            }
            for shown in outcome.citations
        ],
    }
    return body | {"failure": outcome.failure} if outcome.failure else body


def _two_digits(confidence: float | None) -> Decimal | None:
    # The gate rounded down already; this only spells it.
    return None if confidence is None else Decimal(f"{confidence:.2f}")
