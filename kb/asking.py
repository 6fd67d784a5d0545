"""Ask a page. The whole flow, top to bottom:

    admit ─▶ assemble ─▶ read ─▶ generate ─▶ verify ─▶ judge ─▶ gate ─▶ record

No transaction or pooled connection is held while a model thinks. A fault of ours is a decline too:
it is logged at severity 2, and never becomes a guess.
"""

from __future__ import annotations

import logging
import uuid
from dataclasses import dataclass, field, replace
from uuid import UUID

import numpy as np
from django.utils.translation import gettext as _

from kb import (
    answer_generator,
    citation_extractor,
    composing,
    context_assembler,
    limits,
    recording,
    selectors,
)
from kb.clock import Clock
from kb.context_assembler import Context
from kb.errors import BadQuestion
from kb.models import Doc
from kb.outcome import Outcome, Record
from memory import events, gate, judging, reading, tenancy
from memory.backends import registry
from memory.errors import GeneratorFailed, InvalidRange
from memory.events import EventName
from memory.gate import GateInput, Verdict
from memory.judging import Judged
from memory.language.text import clean_text, is_blank
from memory.models import Membership
from memory.reading import Reading
from memory.seams import Encoder
from memory.types import CheckedClaim, Draft, Reason
from memory.vector_cache import CachedVectors

logger = logging.getLogger(__name__)

MAX_QUESTION = 1000  # code points
_NO_DRAFT, _NOT_JUDGED = Draft(), Judged(None)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRequest:
    """``question`` is what the caller sent: anything. One ask per ``client_token`` and user."""

    member: Membership
    doc_id: UUID
    question: object
    client_token: str | None = None
    trace_id: str = field(default_factory=lambda: uuid.uuid4().hex)


def ask(request: AskRequest) -> Record:
    """Answer or decline, and record it.

    Raises ``BadQuestion``, ``PageNotFound``, ``LimitReached`` and ``TokenReused``; nothing was
    counted then.
    """
    question = checked_question(request.question)
    if request.client_token is None:  # a repeat is answered at the limit, too
        limits.refuse_early(request.member)
    with tenancy.scope(request.member.tenant_id):
        doc = selectors.get_askable_doc(request.member, request.doc_id)
        is_ready = doc.indexed_revision_id is not None
        admission = limits.admit(
            request.member,
            doc,
            question,
            trace_id=request.trace_id,
            client_token=request.client_token,
            counted=is_ready,
        )
        if admission.is_repeat:
            return recording.stored(admission.ticket, remaining=admission.remaining)
        recording.open_ask(admission.ticket)
    outcome = answer(request, doc, question)
    return recording.close_ask(
        admission.ticket, request.member, question, outcome, remaining=admission.remaining
    )


def checked_question(value: object) -> str:
    """The question as text of 1 to 1,000 code points. Raises ``BadQuestion``."""
    if not isinstance(value, str):
        raise BadQuestion(_("The question must be text."))
    question = clean_text(value).strip()
    if is_blank(question):
        raise BadQuestion(_("Please write a question."))
    if len(question) > MAX_QUESTION:
        raise BadQuestion(
            _("A question has at most {most} characters.").format(most=f"{MAX_QUESTION:,}")
        )
    return question


def answer(request: AskRequest, doc: Doc, question: str) -> Outcome:
    """How an ask would end, without counting or recording it (evaluation asks this way).

    Never raises: whatever breaks ends as a decline, logged at severity 2.
    """
    if doc.indexed_revision_id is None:
        return composing.declined(gate.decide(GateInput(is_index_ready=False)))
    try:
        return _answer(request, doc, question)
    except GeneratorFailed as failure:
        return _fault(request, EventName.GENERATOR_FAILED, failure.kind.value)
    except InvalidRange:
        return _fault(request, EventName.INVALID_RANGE, "invalid_range")
    except Exception as error:
        logger.exception("ask_fault", extra={"trace_id": request.trace_id})
        return _fault(request, EventName.ASK_FAULT, type(error).__name__)


def _answer(request: AskRequest, doc: Doc, question: str) -> Outcome:
    clock = Clock()
    with clock.measure("encode"):
        encoder, query_vector = _encode(question)
    with clock.measure("assemble"), tenancy.scope(request.member.tenant_id):
        context = context_assembler.assemble(request.member, doc, question, query_vector)
    with clock.measure("read"):
        read = reading.read(
            question,
            context.passages,
            None if context.vectors_missing else encoder,
            query_vector=query_vector,
            scope=str(request.member.tenant_id),
            cache=CachedVectors(),
        )
    draft, judged = _NO_DRAFT, _NOT_JUDGED
    claims: tuple[CheckedClaim, ...] = ()
    verdict = gate.before_generating(_gate_input(context), best=read.probability)
    if verdict is None:  # else too little evidence ended the matter before any model
        with clock.measure("generate"):
            draft = answer_generator.generate(context, question, read)
        with clock.measure("verify"):
            claims = citation_extractor.extract(draft, context)
        with clock.measure("judge"):
            judged = _judge(question, claims, read)
        verdict = gate.decide(_gate_input(context, draft, claims, judged))
    _report(request, context, verdict, claims, judged)
    if verdict.is_decline:
        outcome = composing.declined(verdict, composing.what_was_read(context, read))
    else:
        with tenancy.scope(request.member.tenant_id):
            places = selectors.places(citation for claim in claims for citation in claim.citations)
        outcome = composing.answered(
            verdict, context=context, draft=draft, claims=claims, places=places
        )
    return composing.with_context(
        outcome,
        context,
        reading=read,
        draft=draft,
        judged=judged,
        degraded=_degraded(context, judged),
        model=registry.generator().name,
        timings_ms=clock.timings_ms,
    )


def _encode(question: str) -> tuple[Encoder | None, np.ndarray | None]:
    """The encoder and the question's vector. An encoder that fails leaves the keywords."""
    try:
        encoder = registry.encoder()
        return encoder, encoder.encode_queries([question])[0]
    except Exception:
        logger.exception("encoder_failed")
        return None, None


def _judge(question: str, claims: tuple[CheckedClaim, ...], read: Reading) -> Judged:
    """Asked only about an answer that could be shown: every claim passed its own checks."""
    if not claims or not all(claim.supported for claim in claims):
        return _NOT_JUDGED
    quotes = [citation.quote for claim in claims for citation in claim.citations]
    return judging.answers(question, " ".join(claim.text for claim in claims), quotes, read)


def _gate_input(
    context: Context,
    draft: Draft = _NO_DRAFT,
    claims: tuple[CheckedClaim, ...] = (),
    judged: Judged = _NOT_JUDGED,
) -> GateInput:
    return GateInput(
        claims=claims,
        judge=judged.probability,
        model=draft.confidence,
        states_confidence=registry.generator().states_confidence,
        missing=draft.missing,
        is_page_empty=not context.revision.text.strip(),
        is_all_read=context.left_out_home == 0,
    )


def _degraded(context: Context, judged: Judged) -> list[str]:
    degraded = []
    if context.vectors_missing:
        degraded.append("vectors")
    if judged.declined:
        degraded.append("judge")
    return degraded


def _report(
    request: AskRequest,
    context: Context,
    verdict: Verdict,
    claims: tuple[CheckedClaim, ...],
    judged: Judged,
) -> None:
    """Severity 2: what should not happen. Severity 3: a limit that bit."""
    reports: list[tuple[EventName, dict[str, object]]] = []
    if context.left_out:
        reports.append((EventName.CONTEXT_TRUNCATED, {"left_out": context.left_out}))
    if verdict.reason is Reason.UNVERIFIED:
        failed = [claim for claim in claims if not claim.supported]
        reports.append((EventName.UNVERIFIED_CLAIM, {"claims": len(failed)}))
    if judged.declined:
        reports.append((EventName.JUDGE_FAILED, {"judges": list(judged.declined)}))
    if not reports:
        return
    with tenancy.scope(request.member.tenant_id):
        for name, data in reports:
            events.record(name, trace_id=request.trace_id, **data)


def _fault(request: AskRequest, name: EventName, failure: str) -> Outcome:
    with tenancy.scope(request.member.tenant_id):
        events.record(name, trace_id=request.trace_id, failure=failure)
    verdict = gate.decide(GateInput(has_fault=True))
    return replace(composing.declined(verdict), failure=failure)
