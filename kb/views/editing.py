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

from kb import access, autosaving, intake, selectors
from kb.diffing import changed_lines
from kb.errors import EditConflict, InvalidPage, PageNotFound
from kb.forms import PageForm
from kb.intake import MAX_SOURCE, MAX_TITLE
from kb.merging import merge
from kb.models import Autosave, Doc, Revision, Status, Visibility
from kb.rendering import SourceFormat
from kb.rendering import render as render_source
from kb.views.access import editable_page_of, hides_pages, member_of
from kb.views.linked import html_with_images
from kb.views.typed import Typed, typed_in
from memory import members
from memory.language.text import normalise_source
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
    doc = editable_page_of(request, slug)
    if request.method == "GET":
        head = selectors.shown_revision(member, doc)
        return _form(request, doc, PageForm.initial_of(doc, head), head=head)
    typed = typed_in(request, member)
    form = _posted_form(member, doc, typed)
    if typed.stays or not form.is_valid():
        return _stay(request, doc, form, typed)
    base_revision = form.cleaned_data["base_revision"]
    try:
        saved = intake.update_page(member, doc, form.page_fields(), base_revision=base_revision)
    except EditConflict:
        return _conflict(request, doc, form)
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
    form = PageForm(initial=initial, **_choices(member, doc))
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


def _posted_form(member: Membership, doc: Doc | None, typed: Typed) -> PageForm:
    return PageForm(typed.fields, initial=_NEW, **_choices(member, doc))


def _stay(request: TenantRequest, doc: Doc | None, form: PageForm, typed: Typed) -> HttpResponse:
    """The form as it was typed, with what is wrong with it. Nothing of the page was saved."""
    if typed.adds_images and not typed.errors:
        # Not the moment to complain about what is still to be written.
        form = PageForm(initial=typed.fields.dict(), **_choices(member_of(request), doc))
    for error in typed.errors:
        form.add_error(None, error)
    code = 400 if form.is_bound and form.errors else 200
    context = {"form": form, "doc": doc, "is_unsaved": True}
    return render(request, "kb/page_form.html", context, status=code)


def _choices(member: Membership, doc: Doc | None) -> dict[str, Any]:
    return {"owners": _owners(member, doc), "groups": members.known_groups(member.tenant_id)}


def _owners(member: Membership, doc: Doc | None) -> list[tuple[str, str]]:
    """Whom the page can be handed to; empty where this member may not."""
    if doc is None or not (member.is_admin or doc.owner_id == member.user_id):
        return []
    return selectors.possible_owners(doc)


def _conflict(request: TenantRequest, doc: Doc, form: PageForm) -> HttpResponse:
    """Both texts, what one's own would change, and both changes together where they do not meet.

    Nothing was saved.
    """
    current = selectors.shown_revision(request.member, selectors.get_doc(request.member, doc.pk))
    mine, title = form.cleaned_data["source"], form.cleaned_data["title"]
    base = selectors.revisions(doc).filter(number=form.cleaned_data["base_revision"]).first()
    merged = merge(base.source, normalise_source(mine), current.source) if base else None
    if base and title == base.title:
        title = current.title  # only they gave it another one
    kept = [field for field in form if field.name not in ("title", "source", "base_revision")]
    return render(
        request,
        "kb/page_conflict.html",
        {
            "doc": doc,
            "current": current,
            "mine": mine,
            "title": title,
            "merged": merged,
            "kept": kept,
            "changes": changed_lines(current.source, mine),
        },
        status=409,
    )


def _saved(request: TenantRequest, doc: Doc) -> HttpResponse:
    messages.success(request, _("Saved."))
    if access.visible_docs(request.member).filter(pk=doc.pk).exists():
        return redirect("page", tenant_slug=doc.tenant.slug, slug=doc.slug)
    messages.info(request, _("You can no longer see “%(title)s”.") % {"title": doc.title})
    return redirect("pages", tenant_slug=doc.tenant.slug)


def _field(form: PageForm, error: InvalidPage) -> str | None:
    return error.field if error.field in form.fields else None
