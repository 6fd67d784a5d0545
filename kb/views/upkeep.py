"""What editors look after: links that lead nowhere, unanswered questions, and the bin."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from kb import intake, upkeep
from kb.errors import PageNotFound
from kb.views.access import as_uuid, hides_pages, member_of
from memory.middleware import TenantRequest
from memory.models import Membership

PER_PAGE = 50


def _editor(request: TenantRequest) -> Membership:
    """Whoever has something to look after. Raises ``PageNotFound`` for the others."""
    member = member_of(request)
    if not member.can_write and not upkeep.editable_docs(member).exists():
        raise PageNotFound("Only editors look after pages.")
    return member


@require_safe
@hides_pages
def links(request: TenantRequest, tenant_slug: str) -> HttpResponse:
    member = _editor(request)
    page = Paginator(upkeep.orphans(member), PER_PAGE).get_page(request.GET.get("page"))
    context = {"dead": upkeep.dead_links(member), "page": page, "here": "links"}
    return render(request, "kb/links.html", context)


@require_safe
@hides_pages
def unanswered(request: TenantRequest, tenant_slug: str) -> HttpResponse:
    asked = upkeep.unanswered(_editor(request))
    page = Paginator(asked, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "kb/unanswered.html", {"page": page, "here": "unanswered"})


@require_http_methods(["GET", "HEAD", "POST"])
@hides_pages
def bin_of_pages(request: TenantRequest, tenant_slug: str) -> HttpResponse:
    """The pages in the bin; a POST restores one of them."""
    member = member_of(request)
    deleted = upkeep.deleted_docs(member)
    if request.method == "POST":
        doc_id = as_uuid(request.POST.get("doc", ""))
        doc = deleted.filter(pk=doc_id).first() if doc_id else None
        if doc is None:
            raise PageNotFound("There is no such page in the bin.")
        restored = intake.restore_page(member, doc)
        messages.success(request, _("“%(title)s” is back.") % {"title": restored.title})
        return redirect("page", tenant_slug=tenant_slug, slug=restored.slug)
    if not member.can_write and not deleted.exists():
        raise PageNotFound("Only editors have a bin.")
    page = Paginator(deleted, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "kb/bin.html", {"page": page, "here": "bin"})
