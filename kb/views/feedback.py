"""A vote on a reply, from the panel's form: what a browser without script does."""

from __future__ import annotations

from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from kb import access, feedback, selectors
from kb.addresses import page_url
from kb.errors import InvalidFeedback, QuestionNotFound
from kb.views.access import hides_pages, member_of
from memory.middleware import TenantRequest


@require_POST
@hides_pages
def vote(request: TenantRequest, tenant_slug: str, question_id: UUID) -> HttpResponse:
    """Keep it, and go back to the answer on its page, or to the questions where the page is gone."""
    member = member_of(request)
    given = request.POST.get("vote", ""), request.POST.get("comment", "")
    try:
        feedback.give(member, question_id, *given)
    except QuestionNotFound as error:
        raise Http404 from error
    except InvalidFeedback as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("Thank you. Your last vote counts."))
    asked = urlencode({"asked": str(question_id)})
    question = selectors.questions_of(member).filter(question_id=question_id).first()
    if question is None:
        return redirect("questions", tenant_slug)
    if question.doc_id is None:
        return redirect(f"{reverse('ask', args=[tenant_slug])}?{asked}#answer")
    doc = access.visible_docs(member).filter(pk=question.doc_id).first()
    if doc is None:
        return redirect("questions", tenant_slug)
    return redirect(f"{page_url(tenant_slug, doc.slug)}?{asked}#answer")
