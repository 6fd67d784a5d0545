"""The revisions of a page, for those who may edit it."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from kb import selectors
from kb.diffing import changed_lines
from kb.views.access import editable_page_of, hides_pages
from kb.views.linked import linked_html
from memory.middleware import TenantRequest

PER_PAGE = 50


@require_safe
@hides_pages
def revision_list(request: TenantRequest, tenant_slug: str, slug: str) -> HttpResponse:
    doc = editable_page_of(request, slug)
    revisions = selectors.revisions(doc).defer("source", "html", "text")
    page = Paginator(revisions, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "kb/page_history.html", {"doc": doc, "page": page})


@require_safe
@hides_pages
def revision(request: TenantRequest, tenant_slug: str, number: int, slug: str) -> HttpResponse:
    doc = editable_page_of(request, slug)
    shown = selectors.revisions(doc).filter(number=number).first()
    if shown is None:
        raise Http404
    previous = selectors.revisions(doc).filter(number__lt=number).first()
    return render(
        request,
        "kb/page_revision.html",
        {
            "doc": doc,
            "revision": shown,
            "previous": previous,
            "changes": changed_lines(previous.source, shown.source) if previous else (),
            "html": linked_html(request.member, doc, shown),
        },
    )
