"""What the panel shows that asks: beside a page, or alone for the whole knowledge base."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy

from kb import history, limits, selectors
from kb.asking import MAX_QUESTION
from kb.errors import PageNotFound
from kb.history import CitationState
from kb.limits import Allowance
from kb.marking import MarkedSpan
from kb.models import AskedQuestion, AskTicket, Doc, Revision
from kb.views.access import as_uuid
from memory.middleware import TenantRequest
from memory.models import Membership

PAST_SHOWN = 10
SCARCE = 10  # so many asks left, or fewer, are said beside the box
LOOK_AGAIN = 2  # seconds
NOT_FINISHED = gettext_lazy("That question could not be answered to the end. Ask it again.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """``reply`` is an answer given before, as it may be shown today; see ``kb.history``.

    ``action`` is where the form goes without script, ``ask_api`` where it goes with one. ``ask_key``
    makes what the form sends one ask, however often it is sent.
    """

    action: str
    ask_api: str
    can_ask: bool = True
    of_base: bool = False  # the whole knowledge base is asked
    linked_count: int = 0
    past: Sequence[AskedQuestion] = ()
    reply: Mapping[str, Any] | None = None
    asked_id: UUID | None = None
    is_waiting: bool = False  # the answer to ``asked_id`` is still being made
    question: str = ""  # in the box
    error: str = ""
    ask_key: str = field(default_factory=partial(secrets.token_urlsafe, 16))
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
    return _with_the_past(panel, request, member, doc.pk)


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
    return _with_the_past(panel, request, member, None)


def _with_the_past(
    panel: Panel, request: TenantRequest, member: Membership, doc_id: UUID | None
) -> Panel:
    """``doc_id`` None: of the whole knowledge base."""
    mine = selectors.questions_of(member).filter(doc_id=doc_id)
    panel = replace(panel, past=list(mine[:PAST_SHOWN]), allowance=limits.allowance(member))
    asked_id = as_uuid(request.GET.get("asked", ""))
    if asked_id is None:
        return panel
    if shown := history.present(member, list(mine.filter(question_id=asked_id))):
        return replace(panel, reply=shown[0], asked_id=asked_id)
    asks = AskTicket.objects.filter(user_id=member.user_id, question_id=asked_id)
    ticket = asks.filter(doc=doc_id).first()
    if ticket is None:
        raise PageNotFound("There is no such question.")
    if ticket.finished:  # given up: it was never answered
        return replace(panel, error=panel.error or str(NOT_FINISHED))
    return replace(panel, asked_id=asked_id, is_waiting=True)


def looking_again(response: HttpResponse, panel: Panel) -> HttpResponse:
    """A page that waits for an answer looks again by itself, without script."""
    if panel.is_waiting:
        response["Refresh"] = str(LOOK_AGAIN)
    return response


def spans_on(revision: Revision, reply: Mapping[str, Any] | None) -> Iterator[MarkedSpan]:
    """The citations whose words stand on the shown revision, at their place."""
    for cited in reply["citations"] if reply else ():
        if cited.get("state") == CitationState.REMOVED or cited["doc_id"] != str(revision.doc_id):
            continue
        start, end = cited["char_start"], cited["char_end"]
        if revision.text[start:end] == cited["quote"]:
            yield MarkedSpan(start, end, cited["n"])
