"""Asking without script, and the list of one's own questions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe
from django_ratelimit.decorators import ratelimit

from kb import access, selectors
from kb.api.qa import BURST_SECONDS, burst, caller
from kb.asking import AskRequest, ask
from kb.errors import BadQuestion, LimitReached
from kb.models import Doc, QaQuestion
from kb.presenting import page_url
from kb.views.access import hides_pages, member_of, page_of
from kb.views.pages import show_page
from memory import tenancy
from memory.middleware import TenantRequest, opens_own_scopes

PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in the list; ``doc`` is None where the page is gone or closed to the asker now."""

    question: QaQuestion
    doc: Doc | None


@opens_own_scopes
@require_POST
@ratelimit(key=caller, rate=burst, block=False)
@hides_pages
def ask_page(request: TenantRequest, tenant_slug: str, slug: str) -> HttpResponse:
    """Ask, then go to the page, which shows the answer: a reload asks nothing again."""
    member = member_of(request)
    question = request.POST.get("question", "")
    with tenancy.scope(member.tenant_id):
        doc = page_of(request, slug)
    if getattr(request, "limited", False):
        return _too_many(request, doc, question, retry_after=BURST_SECONDS)
    try:
        record = ask(AskRequest(member=member, doc_id=doc.pk, question=question))
    except BadQuestion as error:
        with tenancy.scope(member.tenant_id):
            return show_page(request, doc, question=question, error=str(error), code=400)
    except LimitReached as error:
        return _too_many(
            request, doc, question, retry_after=error.retry_after, retry_at=error.retry_at
        )
    query = urlencode({"asked": str(record.question_id)})
    return redirect(f"{page_url(tenant_slug, doc.slug)}?{query}#answer")


def _too_many(
    request: TenantRequest,
    doc: Doc,
    question: str,
    *,
    retry_after: int,
    retry_at: datetime | None = None,
) -> HttpResponse:
    """Leads back to the page, with the question in its box."""
    context = {"doc": doc, "question": question, "retry_at": retry_at}
    response = render(request, "429.html", context, status=429)
    response["Retry-After"] = str(retry_after)
    return response


@require_safe
@hides_pages
def questions(request: TenantRequest, tenant_slug: str) -> HttpResponse:
    member = member_of(request)
    page = Paginator(selectors.questions_of(member), PER_PAGE).get_page(request.GET.get("page"))
    docs = access.visible_docs(member).in_bulk({question.doc_id for question in page.object_list})
    asked = [Asked(question, docs.get(question.doc_id)) for question in page.object_list]
    return render(request, "kb/questions.html", {"page": page, "asked": asked})
