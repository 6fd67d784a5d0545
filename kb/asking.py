"""Ask a page. The whole flow, top to bottom:

    admit ─▶ assemble ─▶ read ─▶ generate ─▶ verify ─▶ judge ─▶ gate ─▶ record

No transaction or pooled connection is held while a model thinks. A fault of ours is a decline too:
it is logged at severity 2, and never becomes a guess.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from uuid import UUID

from kb import limits, recording, selectors
from kb.errors import BadQuestion
from kb.models import Doc
from kb.recording import Outcome, Record
from memory import tenancy
from memory.errors import GeneratorFailed, InvalidRange
from memory.events import EventName
from memory.models import Membership
from memory.text import clean_text, is_blank
from memory.types import Reason

MAX_QUESTION = 1000  # code points


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRequest:
    """``question`` as the caller sent it: anything. ``client_token``: one ask per token and user."""

    member: Membership
    doc_id: UUID
    question: object
    client_token: str | None = None
    trace_id: str = field(default_factory=lambda: uuid.uuid4().hex)


def ask(request: AskRequest) -> Record:
    """Answer or decline, and record it.

    Raises ``BadQuestion``, ``PageNotFound``, ``LimitReached``, ``TokenReused``; nothing was counted then.
    """
    question = checked_question(request.question)
    limits.refuse_early(request.member)
    with tenancy.scope(request.member.tenant_id):
        doc = selectors.get_askable_doc(request.member, request.doc_id)
        ready = doc.indexed_revision_id is not None
        admission = limits.admit(
            request.member,
            doc,
            question,
            trace_id=request.trace_id,
            client_token=request.client_token,
            counted=ready,
        )
        if admission.is_repeat:
            return recording.stored(admission.ticket, remaining=admission.remaining)
        recording.open_ask(admission.ticket, request.member, question)
    outcome = (
        _outcome(request, doc, question) if ready else Outcome.declined(Reason.INDEX_NOT_READY)
    )
    return recording.close_ask(
        admission.ticket, request.member, question, outcome, remaining=admission.remaining
    )


def checked_question(value: object) -> str:
    """The question as text of 1 to 1,000 code points. Raises ``BadQuestion``."""
    if not isinstance(value, str):
        raise BadQuestion("The question must be text.")
    question = clean_text(value).strip()
    if is_blank(question):
        raise BadQuestion("Please write a question.")
    if len(question) > MAX_QUESTION:
        raise BadQuestion(f"A question has at most {MAX_QUESTION:,} characters.")
    return question


def _outcome(request: AskRequest, doc: Doc, question: str) -> Outcome:
    """Never raises: whatever breaks ends as a recorded decline."""
    try:
        return _answer(request, doc, question)
    except GeneratorFailed as failure:
        return _fault(request, EventName.GENERATOR_FAILED, kind=failure.kind.value)
    except InvalidRange:
        return _fault(request, EventName.INVALID_RANGE)
    except Exception as error:
        return _fault(request, EventName.ASK_FAULT, error=type(error).__name__)
