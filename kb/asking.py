"""Ask a page, or the whole knowledge base. The whole flow, top to bottom:

    admit ─▶ assemble ─▶ read ─▶ generate ─▶ verify ─▶ judge ─▶ gate ─▶ record

The two differ in what they assemble: a page with those it links to, or the best passages of every
readable page. No transaction or pooled connection is held while a model thinks. A fault of ours is a
decline too: it is logged at severity 2, and never becomes a guess.
"""

from __future__ import annotations

import logging
import uuid
from dataclasses import dataclass, field, replace
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from kb import (
    answer_generator,
    base_assembler,
    citation_extractor,
    composing,
    context_assembler,
    limits,
    recording,
    selectors,
)
from kb.clock import Clock
from kb.context import Context
from kb.errors import BadQuestion
from kb.models import Doc
from kb.outcome import Outcome, Record
from memory import events, gate, judging, tenancy
from memory.backends import registry
from memory.errors import GeneratorFailed, InvalidRange
from memory.events import EventName
from memory.gate import GateInput, Verdict
from memory.judging import Judged
from memory.language.text import clean_text, is_blank
from memory.models import Membership
from memory.reading import reader
from memory.reading.records import Reading
from memory.recall.encoding import Encoded, encode
from memory.types import CheckedClaim, Draft, Reason
from memory.vector_cache import CachedVectors

logger = logging.getLogger(__name__)

MAX_QUESTION = 1000  # code points
_NO_DRAFT, _NOT_JUDGED = Draft(), Judged(None)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRequest:
    """``question`` is what the caller sent: anything. One ask per ``client_token`` and user.

    ``doc_id`` None asks the whole knowledge base.
    """

    member: Membership
    question: object
    doc_id: UUID | None = None
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
        doc = None
        if request.doc_id is not None:
            doc = selectors.get_askable_doc(request.member, request.doc_id)
        admission = limits.admit(
            request.member,
            doc,
            question,
            trace_id=request.trace_id,
            client_token=request.client_token,
            counted=_is_ready(doc),
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


def answer(request: AskRequest, doc: Doc | None, question: str) -> Outcome:
    """How an ask would end, without counting or recording it (evaluation asks this way).

    Never raises: whatever breaks ends as a decline, logged at severity 2.
    """
    if not _is_ready(doc):
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


def _is_ready(doc: Doc | None) -> bool:
    """The whole knowledge base is: a page that is still being prepared is none of it yet."""
    return doc is None or doc.indexed_revision_id is not None


def _answer(request: AskRequest, doc: Doc | None, question: str) -> Outcome:
    clock = Clock()
    with clock.measure("encode"):
        encoded = encode(question)
    with clock.measure("assemble"):
        context = _assemble(request.member, doc, question, encoded)
    with clock.measure("read"):
        read = reader.read(
            question,
            context.passages,
            None if context.vectors_missing else registry.encoder(),
            query_vector=encoded.vector,
            scope=str(request.member.tenant_id),
            cache=CachedVectors(),
            today=timezone.localdate(),
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


def _assemble(member: Membership, doc: Doc | None, question: str, encoded: Encoded) -> Context:
    if doc is None:
        return base_assembler.assemble(member, question, encoded)
    with tenancy.scope(member.tenant_id):
        return context_assembler.assemble(member, doc, question, encoded.vector)


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
        is_page_empty=context.is_page_empty,
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
