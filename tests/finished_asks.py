"""Asks that are over, written as the engine writes them, without running it."""

from __future__ import annotations

import uuid
from typing import Any

from kb import recording
from kb.models import AskTicket, Chunk, Doc, QaQuestion, Revision
from kb.outcome import Outcome, ShownCitation
from memory import audit, tenancy
from memory.types import AnswerKind, Check, CheckedClaim, Citation, ClaimChecks, Reason
from memory.verification.footnotes import NotedClaim
from tests.factories import Org

QUOTE = "The fee is 20 euros."


def make_question(
    org: Org, doc: Doc, text: str = "What is the fee?", *, quote: str = QUOTE, **outcome: Any
) -> QaQuestion:
    """A finished ask of the reader: question, trace and audit rows. Without a quote a decline."""
    with tenancy.scope(org.tenant.pk):
        ticket = AskTicket.objects.create(
            tenant=org.tenant,
            user=org.reader.user,
            doc=doc,
            question_id=uuid.uuid4(),
            question_sha256=audit.text_hash(text),
            trace_id=uuid.uuid4().hex,
            asked_at=doc.updated_at,
        )
        recording.open_ask(ticket)
        made = _answer(doc, quote, **outcome) if quote else _decline()
        recording.close_ask(ticket, org.reader, text, made, remaining=49)
        return QaQuestion.objects.get(question_id=ticket.question_id)


def _answer(doc: Doc, quote: str, **outcome: Any) -> Outcome:
    revision = Revision.objects.get(pk=doc.head_revision_id)
    start = revision.text.index(quote)
    citation = Citation(
        doc_id=doc.pk,
        revision=revision.number,
        chunk_id=Chunk.objects.filter(doc=doc).first().pk,
        char_start=start,
        char_end=start + len(quote),
        quote=quote,
    )
    checks = ClaimChecks(quote=Check.OK, figures=Check.OK, judge=Check.OK)
    return Outcome(
        kind=AnswerKind.CONFIDENT,
        answer_text=f"{quote} [1]",
        confidence=outcome.pop("confidence", 0.91),
        claims=(NotedClaim(CheckedClaim(quote, (citation,), checks), (1,)),),
        citations=(
            ShownCitation(
                1, citation, doc.title, ("Fees",), before="Just before. ", after=" Just after."
            ),
        ),
        doc_revision=revision.number,
        model="extractive",
        timings_ms={"assemble": 12.5},
        **outcome,
    )


def _decline() -> Outcome:
    return Outcome(
        kind=AnswerKind.DECLINE_NO_EVIDENCE,
        answer_text="These pages do not cover this.",
        reason=Reason.NOT_COVERED,
    )
