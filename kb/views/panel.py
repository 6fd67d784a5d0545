"""What the "Ask this page" panel shows beside a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.urls import reverse

from kb import history, limits, selectors
from kb.asking import MAX_QUESTION
from kb.errors import PageNotFound
from kb.history import CitationState
from kb.limits import Allowance
from kb.marking import MarkedSpan
from kb.models import Doc, QaQuestion, Revision
from kb.views.access import as_uuid
from memory.middleware import TenantRequest

PAST_SHOWN = 10
SCARCE = 10  # so many asks left, or fewer, are said beside the box


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """``reply`` is an answer given before, as it may be shown today; see ``kb.history``."""

    can_ask: bool
    ask_api: str
    linked_count: int
    past: Sequence[QaQuestion] = ()
    reply: Mapping[str, Any] | None = None
    asked_id: UUID | None = None
    question: str = ""  # in the box
    error: str = ""
    question_limit: int = MAX_QUESTION
    allowance: Allowance | None = None
    scarce_from: int = SCARCE

    @property
    def is_scarce(self) -> bool:
        """Whether the questions left are few enough to be counted aloud."""
        return self.allowance is not None and self.allowance.left <= self.scarce_from

    @property
    def question_text(self) -> str:
        return self.reply["question_text"] if self.reply else ""


def panel_for(request: TenantRequest, doc: Doc, *, question: str = "", error: str = "") -> Panel:
    """Raises ``PageNotFound`` where ``?asked=`` names a question that is not this reader's own."""
    member = request.member
    ask_api = reverse("api-ask", args=[doc.pk])
    linked_count = selectors.linked_docs(member, doc).count()
    if member is None:
        return Panel(can_ask=False, ask_api=ask_api, linked_count=linked_count)
    mine = selectors.questions_of(member, doc=doc)
    asked_id = as_uuid(request.GET.get("asked", ""))
    reply = None
    if asked_id is not None:
        shown = history.present(member, list(mine.filter(question_id=asked_id)))
        if not shown:
            raise PageNotFound("There is no such question.")
        reply = shown[0]
    return Panel(
        can_ask=True,
        ask_api=ask_api,
        linked_count=linked_count,
        past=list(mine[:PAST_SHOWN]),
        reply=reply,
        asked_id=asked_id,
        question=question,
        error=error,
        allowance=limits.allowance(member),
    )


def spans_on(revision: Revision, reply: Mapping[str, Any] | None) -> Iterator[MarkedSpan]:
    """The citations whose words stand on the shown revision, at their place."""
    for cited in reply["citations"] if reply else ():
        if cited.get("state") == CitationState.REMOVED or cited["doc_id"] != str(revision.doc_id):
            continue
        start, end = cited["char_start"], cited["char_end"]
        if revision.text[start:end] == cited["quote"]:
            yield MarkedSpan(start, end, cited["n"])
