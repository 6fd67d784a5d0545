"""Writing: a new page, a change to one, the preview, and what happens when two save at once."""

from __future__ import annotations

from csp.decorators import csp_replace
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_http_methods, require_POST

from kb import intake, selectors
from kb.diffing import changed_lines
from kb.errors import EditConflict, InvalidPage, PageNotFound
from kb.forms import PageForm
from kb.intake import MAX_SOURCE
from kb.models import Doc
from kb.rendering import SourceFormat
from kb.rendering import render as render_source
from kb.views.access import editable_page_of, hides_pages, member_of
from memory.middleware import TenantRequest

_SELF = "'self'"


@require_http_methods(["GET", "POST"])
@csp_replace({"frame-src": [_SELF]})
@hides_pages
def create(request: TenantRequest, tenant_slug: str) -> HttpResponse:
    member = member_of(request)
    if not member.can_write:
        raise PageNotFound("Only editors can write pages.")
    form = PageForm(request.POST or None, initial={"status": "draft", "visibility": "org_only"})
    if request.method == "POST" and form.is_valid():
        try:
            doc = intake.create_page(member, form.page_fields())
        except InvalidPage as error:
            form.add_error(_field(form, error), str(error))
        else:
            return _saved(request, doc)
    return render(request, "kb/page_form.html", {"form": form}, status=_status(form))


@require_http_methods(["GET", "POST"])
@csp_replace({"frame-src": [_SELF]})
@hides_pages
def edit(request: TenantRequest, tenant_slug: str, slug: str) -> HttpResponse:
    member = member_of(request)
    doc = editable_page_of(request, slug)
    head = selectors.shown_revision(member, doc)
    form = PageForm(request.POST or None, initial=PageForm.initial_of(doc, head))
    if request.method == "POST" and form.is_valid():
        base_revision = form.cleaned_data["base_revision"]
        try:
            doc = intake.update_page(member, doc, form.page_fields(), base_revision=base_revision)
        except EditConflict:
            return _conflict(request, doc, form)
        except InvalidPage as error:
            form.add_error(_field(form, error), str(error))
        else:
            return _saved(request, doc)
    return render(request, "kb/page_form.html", {"form": form, "doc": doc}, status=_status(form))


@require_POST
@xframe_options_sameorigin
@csp_replace({"frame-ancestors": [_SELF]})
@hides_pages
def preview(request: TenantRequest, tenant_slug: str) -> HttpResponse:
    """The text as a page would show it, in a frame of the editor. Saves nothing."""
    if not member_of(request).can_write:
        raise PageNotFound("Only editors can write pages.")
    source = request.POST.get("source", "")[:MAX_SOURCE]
    source_format = request.POST.get("source_format", "")
    rendered = render_source(
        source, SourceFormat.HTML if source_format == SourceFormat.HTML else SourceFormat.MARKDOWN
    )
    language = request.POST.get("language", "")[:12]
    return render(request, "kb/preview.html", {"html": rendered.html, "language": language})


def _conflict(request: TenantRequest, doc: Doc, form: PageForm) -> HttpResponse:
    """Both texts, and what one's own would change. Nothing was saved."""
    current = selectors.shown_revision(request.member, selectors.get_doc(request.member, doc.pk))
    mine = form.cleaned_data["source"]
    kept = [field for field in form if field.name not in ("source", "base_revision")]
    return render(
        request,
        "kb/page_conflict.html",
        {
            "doc": doc,
            "current": current,
            "mine": mine,
            "kept": kept,
            "changes": changed_lines(current.source, mine),
        },
        status=409,
    )


def _saved(request: TenantRequest, doc: Doc) -> HttpResponse:
    messages.success(request, _("Saved."))
    return redirect("page", tenant_slug=doc.tenant.slug, slug=doc.slug)


def _field(form: PageForm, error: InvalidPage) -> str | None:
    return error.field if error.field in form.fields else None


def _status(form: PageForm) -> int:
    return 400 if form.is_bound and form.errors else 200
