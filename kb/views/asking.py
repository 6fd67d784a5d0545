"""Asking without script, the page that asks the whole knowledge base, and one's own questions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe
from django_ratelimit.decorators import ratelimit

from kb import access, selectors
from kb.addresses import page_url
from kb.asking import MAX_QUESTION, AskRequest, ask
from kb.errors import AskGivenUp, BadQuestion, LimitReached, StillAnswering, TokenReused
from kb.models import AskedQuestion, Doc
from kb.views.access import hides_pages, member_of, page_of
from kb.views.pages import show_page
from kb.views.panel import NOT_FINISHED, looking_again, panel_of_base
from memory import tenancy
from memory.audit import text_hash
from memory.language.text import clean_text
from memory.middleware import TenantRequest, opens_own_scopes
from memory.models import Membership
from memory.rest.limits import BURST_SECONDS, burst, caller

PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in the list; ``doc`` is None where the page is gone or closed to the asker now."""

    question: AskedQuestion
    doc: Doc | None

    @property
    def of_base(self) -> bool:
        return self.question.doc_id is None


@opens_own_scopes
@require_POST
@ratelimit(key=caller, rate=burst, block=False)
@hides_pages
def ask_page(request: TenantRequest, tenant_slug: str, slug: str) -> HttpResponse:
    """Ask, then go to the page, which shows the answer: a reload asks nothing again."""
    member = member_of(request)
    with tenancy.scope(member.tenant_id):
        doc = page_of(request, slug)

    def again(question: str, error: str, code: int) -> HttpResponse:
        return show_page(request, doc, question=question, error=error, code=code)

    return _ask(request, member, doc, back=page_url(tenant_slug, doc.slug), again=again)


@opens_own_scopes
@require_POST
@ratelimit(key=caller, rate=burst, block=False)
@hides_pages
def ask_base(request: TenantRequest, tenant_slug: str) -> HttpResponse:
    """The same for the whole knowledge base."""
    member = member_of(request)

    def again(question: str, error: str, code: int) -> HttpResponse:
        return _show_base(request, member, question=question, error=error, code=code)

    return _ask(request, member, None, back=reverse("ask", args=[tenant_slug]), again=again)


def _ask(
    request: TenantRequest,
    member: Membership,
    doc: Doc | None,
    *,
    back: str,
    again: Callable[[str, str, int], HttpResponse],
) -> HttpResponse:
    """``back`` shows the answer; ``again`` shows the form with what is wrong, in a scope."""
    question = request.POST.get("question", "")
    if getattr(request, "limited", False):
        return _too_many(request, back, question, retry_after=BURST_SECONDS)
    try:
        record = ask(
            AskRequest(
                member=member,
                doc_id=doc.pk if doc is not None else None,
                question=question,
                client_token=_client_token(request, question),
            )
        )
    except BadQuestion as error:
        with tenancy.scope(member.tenant_id):
            return again(question, str(error), 400)
    except StillAnswering as error:
        return _to_answer(back, error.question_id)
    except (TokenReused, AskGivenUp):
        with tenancy.scope(member.tenant_id):
            return again(question, str(NOT_FINISHED), 409)
    except LimitReached as error:
        return _too_many(
            request, back, question, retry_after=error.retry_after, retry_at=error.retry_at
        )
    return _to_answer(back, record.question_id)


def _client_token(request: TenantRequest, question: str) -> str | None:
    """One for each form and question. The form sent twice asks once; with another question in it, as
    after going back, it asks that.
    """
    key = request.POST.get("ask_key")
    return text_hash(f"{key}\n{question}") if key else None


def _to_answer(back: str, question_id: UUID) -> HttpResponse:
    return redirect(f"{back}?{urlencode({'asked': str(question_id)})}#answer")


def _too_many(
    request: TenantRequest,
    back: str,
    question: str,
    *,
    retry_after: int,
    retry_at: datetime | None = None,
) -> HttpResponse:
    """Leads back to where it was asked, with the question in its box."""
    asked = urlencode({"question": question[:MAX_QUESTION]}) if question else ""
    context = {"back": f"{back}?{asked}" if asked else back, "retry_at": retry_at}
    response = render(request, "429.html", context, status=429)
    response["Retry-After"] = str(retry_after)
    return response


@require_safe
@hides_pages
def base(request: TenantRequest, tenant_slug: str) -> HttpResponse:
    """Where the whole knowledge base is asked. ``?question=`` puts a question into the box."""
    question = clean_text(request.GET.get("question", ""))[:MAX_QUESTION]
    return _show_base(request, member_of(request), question=question)


def _show_base(
    request: TenantRequest,
    member: Membership,
    *,
    question: str = "",
    error: str = "",
    code: int = 200,
) -> HttpResponse:
    panel = panel_of_base(request, member, question=question, error=error)
    return looking_again(render(request, "kb/ask.html", {"panel": panel}, status=code), panel)


@require_safe
@hides_pages
def questions(request: TenantRequest, tenant_slug: str) -> HttpResponse:
    member = member_of(request)
    page = Paginator(selectors.questions_of(member), PER_PAGE).get_page(request.GET.get("page"))
    doc_ids = {question.doc_id for question in page.object_list if question.doc_id}
    docs = access.visible_docs(member).in_bulk(doc_ids)
    asked = [
        Asked(question, docs.get(question.doc_id) if question.doc_id else None)
        for question in page.object_list
    ]
    return render(request, "kb/questions.html", {"page": page, "asked": asked})
