"""Keeping what somebody writes before they save it. The editor's script calls this every few seconds."""

from __future__ import annotations

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from kb import autosaving
from kb.errors import PageNotFound
from kb.forms import AutosaveForm
from kb.models import Doc
from kb.views.access import editable_page_of, hides_pages, member_of
from memory.middleware import TenantRequest


@require_POST
@hides_pages
def autosave(request: TenantRequest, tenant_slug: str, slug: str = "") -> HttpResponse:
    """Without ``slug`` for a new page. ``discard`` throws away what was kept."""
    member = member_of(request)
    doc: Doc | None = editable_page_of(request, slug) if slug else None
    if doc is None and not member.can_write:
        raise PageNotFound("Only editors can write pages.")
    if "discard" in request.POST:
        autosaving.forget(member, doc)
        if doc is None:
            return redirect("page-new", tenant_slug=tenant_slug)
        return redirect("page-edit", tenant_slug=tenant_slug, slug=slug)
    form = AutosaveForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"detail": form.errors}, status=400)
    kept = autosaving.keep(member, doc, **form.cleaned_data)
    return JsonResponse({"saved_at": kept.saved_at.isoformat()})
