"""What the panel shows that asks: beside a page, or alone for the whole knowledge base."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse

from kb import history, limits, selectors
from kb.asking import MAX_QUESTION
from kb.errors import PageNotFound
from kb.history import CitationState
from kb.limits import Allowance
from kb.marking import MarkedSpan
from kb.models import AskedQuestion, Doc, Revision
from kb.views.access import as_uuid
from memory.middleware import TenantRequest
from memory.models import Membership

PAST_SHOWN = 10
SCARCE = 10  # so many asks left, or fewer, are said beside the box


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """``reply`` is an answer given before, as it may be shown today; see ``kb.history``.

    ``action`` is where the form goes without script, ``ask_api`` where it goes with one.
    """

    action: str
    ask_api: str
    can_ask: bool = True
    of_base: bool = False  # the whole knowledge base is asked
    linked_count: int = 0
    past: Sequence[AskedQuestion] = ()
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
    panel = Panel(
        action=reverse("page-ask", args=[request.tenant.slug if request.tenant else "", doc.slug]),
        ask_api=reverse("api-ask", args=[doc.pk]),
        linked_count=selectors.linked_docs(member, doc).count(),
        question=question,
        error=error,
    )
    if member is None:
        return replace(panel, can_ask=False)
    mine = selectors.questions_of(member).filter(doc_id=doc.pk)
    return _with_the_past(panel, request, member, mine)


def panel_of_base(
    request: TenantRequest, member: Membership, *, question: str = "", error: str = ""
) -> Panel:
    """The same for the whole knowledge base."""
    panel = Panel(
        action=reverse("base-ask", args=[member.tenant.slug]),
        ask_api=reverse("api-base-ask"),
        of_base=True,
        question=question,
        error=error,
    )
    mine = selectors.questions_of(member).filter(doc_id=None)
    return _with_the_past(panel, request, member, mine)


def _with_the_past(
    panel: Panel, request: TenantRequest, member: Membership, mine: QuerySet[AskedQuestion]
) -> Panel:
    asked_id = as_uuid(request.GET.get("asked", ""))
    reply = None
    if asked_id is not None:
        shown = history.present(member, list(mine.filter(question_id=asked_id)))
        if not shown:
            raise PageNotFound("There is no such question.")
        reply = shown[0]
    return replace(
        panel,
        past=list(mine[:PAST_SHOWN]),
        reply=reply,
        asked_id=asked_id,
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
