"""Writing: a new page, a change to one, the preview, and what happens when two save at once."""

from __future__ import annotations

from typing import Any

from csp.decorators import csp_replace
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_http_methods, require_POST

from kb import access, addresses, autosaving, intake, selectors
from kb.errors import EditConflict, InvalidPage, PageNotFound
from kb.forms import PageForm, choices_for
from kb.intake import MAX_SOURCE, MAX_TITLE
from kb.models import Autosave, Doc, Revision, Status, Visibility
from kb.reader_html import html_with_images
from kb.rendering import SourceFormat
from kb.rendering import render as render_source
from kb.views import conflicts
from kb.views.access import editable_page_of, hides_pages, member_of
from kb.views.typed import Typed, typed_in
from memory.middleware import TenantRequest
from memory.models import Membership

_SELF = "'self'"
_NEW = {"status": Status.DRAFT, "visibility": Visibility.ORG_ONLY}


@require_http_methods(["GET", "POST"])
@csp_replace({"frame-src": [_SELF]})
@hides_pages
def create(request: TenantRequest, tenant_slug: str) -> HttpResponse:
    """``?title=`` and ``?slug=`` begin the page that a link wanted."""
    member = member_of(request)
    if not member.can_write:
        raise PageNotFound("Only editors can write pages.")
    initial: dict[str, Any] = _NEW | {
        "title": request.GET.get("title", "")[:MAX_TITLE],
        "slug": request.GET.get("slug", "")[:180],
        "owner": member.user.username,
    }
    if request.method == "GET":
        return _form(request, None, initial)
    typed = typed_in(request, member)
    form = _posted_form(member, None, typed)
    if typed.stays or not form.is_valid():
        return _stay(request, None, form, typed)
    try:
        doc = intake.create_page(member, form.page_fields())
    except InvalidPage as error:
        form.add_error(_field(form, error), str(error))
        return _stay(request, None, form, typed)
    autosaving.forget(member, None)
    return _saved(request, doc)


@require_http_methods(["GET", "POST"])
@csp_replace({"frame-src": [_SELF]})
@hides_pages
def edit(request: TenantRequest, tenant_slug: str, slug: str) -> HttpResponse:
    member = member_of(request)
    try:
        doc = editable_page_of(request, slug)
    except PageNotFound:
        if request.method == "POST" and member.can_write and not addresses.moved_to(member, slug):
            return _homeless(request, member)
        raise
    if request.method == "GET":
        head = selectors.shown_revision(member, doc)
        return _form(request, doc, PageForm.initial_of(doc, head), head=head)
    typed = typed_in(request, member)
    form = _posted_form(member, doc, typed)
    if typed.stays or not form.is_valid():
        return _stay(request, doc, form, typed)
    try:
        saved = intake.update_page(
            member,
            doc,
            form.page_fields(),
            base_revision=form.cleaned_data["base_revision"],
            base=form.base(),
        )
    except EditConflict:
        return conflicts.show(request, doc, form)
    except InvalidPage as error:
        form.add_error(_field(form, error), str(error))
        return _stay(request, doc, form, typed)
    autosaving.forget(member, doc)
    return _saved(request, saved)


@require_POST
@hides_pages
def delete(request: TenantRequest, tenant_slug: str, slug: str) -> HttpResponse:
    doc = editable_page_of(request, slug)
    intake.delete_page(member_of(request), doc)
    messages.success(request, _("“%(title)s” is in the bin.") % {"title": doc.title})
    return redirect("bin", tenant_slug=tenant_slug)


@require_POST
@xframe_options_sameorigin
@csp_replace({"frame-ancestors": [_SELF]})
@hides_pages
def preview(request: TenantRequest, tenant_slug: str) -> HttpResponse:
    """The text as a page would show it, in a frame of the editor. Saves nothing."""
    member = member_of(request)
    if not member.can_write:
        raise PageNotFound("Only editors can write pages.")
    source = request.POST.get("source", "")[:MAX_SOURCE]
    source_format = request.POST.get("source_format", "")
    rendered = render_source(
        source, SourceFormat.HTML if source_format == SourceFormat.HTML else SourceFormat.MARKDOWN
    )
    context = {
        "html": html_with_images(member, tenant_slug, rendered.html),
        "language": request.POST.get("language", "")[:12],
    }
    return render(request, "kb/preview.html", context)


def _form(
    request: TenantRequest,
    doc: Doc | None,
    initial: dict[str, Any],
    *,
    head: Revision | None = None,
) -> HttpResponse:
    """The empty form, or the page as it is; with ``?kept`` the words that were left unsaved."""
    member = member_of(request)
    kept = autosaving.kept_words(member, doc, head)
    is_resumed = kept is not None and "kept" in request.GET
    if kept is not None and is_resumed:
        initial |= _kept_fields(kept)
    form = PageForm(initial=initial, **choices_for(member, doc))
    context = {"form": form, "doc": doc, "kept": kept, "is_resumed": is_resumed}
    return render(request, "kb/page_form.html", context | {"is_unsaved": is_resumed})


def _kept_fields(kept: Autosave) -> dict[str, Any]:
    # With the revision that they began from: if the page has moved on, saving them is a conflict.
    return {
        "title": kept.title,
        "source": kept.source,
        "source_format": kept.source_format,
        "base_revision": kept.base_revision,
    }


def _homeless(request: TenantRequest, member: Membership) -> HttpResponse:
    """What was typed for a page that was deleted or closed meanwhile (or never was: nobody can tell),
    as the beginning of a new one.
    """
    typed = request.POST.dict()
    form = PageForm(initial=_NEW | typed | {"owner": ""}, **choices_for(member, None))
    context = {"form": form, "doc": None, "is_homeless": True, "is_unsaved": True}
    return render(request, "kb/page_form.html", context, status=404)


def _posted_form(member: Membership, doc: Doc | None, typed: Typed) -> PageForm:
    return PageForm(typed.fields, initial=_NEW, **choices_for(member, doc))


def _stay(request: TenantRequest, doc: Doc | None, form: PageForm, typed: Typed) -> HttpResponse:
    """The form as it was typed, with what is wrong with it. Nothing of the page was saved."""
    if typed.adds_images and not typed.errors:
        # Not the moment to complain about what is still to be written.
        form = PageForm(initial=typed.fields.dict(), **choices_for(member_of(request), doc))
    for error in typed.errors:
        form.add_error(None, error)
    code = 400 if form.is_bound and form.errors else 200
    context = {"form": form, "doc": doc, "is_unsaved": True}
    return render(request, "kb/page_form.html", context, status=code)


def _saved(request: TenantRequest, doc: Doc) -> HttpResponse:
    messages.success(request, _("Saved."))
    if access.visible_docs(request.member).filter(pk=doc.pk).exists():
        return redirect("page", tenant_slug=doc.tenant.slug, slug=doc.slug)
    messages.info(request, _("You can no longer see “%(title)s”.") % {"title": doc.title})
    return redirect("pages", tenant_slug=doc.tenant.slug)


def _field(form: PageForm, error: InvalidPage) -> str | None:
    return error.field if error.field in form.fields else None
