"""The revisions of a page, for those who may edit it: read, compared, brought back."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from kb import intake, selectors
from kb.diffing import changed_lines
from kb.errors import EditConflict
from kb.models import Doc, Revision
from kb.reader_html import linked_html
from kb.views.access import editable_page_of, hides_pages, member_of
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
    shown = _revision(doc, number)
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


@require_safe
@hides_pages
def compare(request: TenantRequest, tenant_slug: str, slug: str) -> HttpResponse:
    """``?from=1&to=3``, in either order: what the later has that the earlier had not."""
    doc = editable_page_of(request, slug)
    numbers = sorted(_number(request.GET.get(name, "")) for name in ("from", "to"))
    old, new = (_revision(doc, number) for number in numbers)
    context = {
        "doc": doc,
        "old": old,
        "new": new,
        "changes": changed_lines(old.source, new.source),
    }
    return render(request, "kb/page_compare.html", context)


@require_POST
@hides_pages
def restore(request: TenantRequest, tenant_slug: str, number: int, slug: str) -> HttpResponse:
    """The text of an earlier revision becomes the newest one; nothing in between is lost."""
    doc = editable_page_of(request, slug)
    base_revision = _number(request.POST.get("base_revision", ""))
    try:
        intake.restore_revision(member_of(request), doc, number, base_revision=base_revision)
    except EditConflict as conflict:
        told = _("Somebody saved revision %(number)s meanwhile. Look at it before you restore.")
        messages.warning(request, told % {"number": conflict.current_revision})
        return redirect("page-history", tenant_slug=tenant_slug, slug=slug)
    messages.success(request, _("Revision %(number)s is back, as the newest.") % {"number": number})
    return redirect("page", tenant_slug=tenant_slug, slug=slug)


def _revision(doc: Doc, number: int) -> Revision:
    found = selectors.revisions(doc).filter(number=number).first()
    if found is None:
        raise Http404
    return found


def _number(value: str) -> int:
    if not (value.isascii() and value.isdecimal() and len(value) < 10):
        raise Http404
    return int(value)
