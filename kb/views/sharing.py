"""Sharing a page with people who have no account: its links for those who edit, the page for a guest."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_ratelimit.decorators import ratelimit

from kb import sharing
from kb.errors import InvalidLink, LinkEnded, PageNotFound
from kb.forms import ShareForm
from kb.models import Doc, ShareLink
from kb.reader_html import linked_html
from kb.sharing import LinkState
from kb.views import files
from kb.views.access import editable_page_of, hides_pages, member_of
from kb.views.pages import opens_with_title
from memory import tenancy
from memory.middleware import TenantRequest, opens_own_scopes
from memory.rest.limits import BURST_SECONDS

LINKS_SHOWN = 100
OPENINGS = "120/m"  # of one link: each writes an audit entry


@dataclass(frozen=True, slots=True)
class ShownLink:
    link: ShareLink
    state: LinkState
    url: str

    @property
    def is_open(self) -> bool:
        return self.state is LinkState.OPEN


@require_http_methods(["GET", "POST"])
@hides_pages
def share(request: TenantRequest, tenant_slug: str, slug: str) -> HttpResponse:
    """A page's links, and the form for a new one."""
    doc = editable_page_of(request, slug)
    form = ShareForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            sharing.create_link(
                member_of(request),
                doc,
                expires_at=timezone.now() + timedelta(hours=form.cleaned_data["hours"]),
                max_uses=form.cleaned_data["max_uses"] or 0,
            )
        except InvalidLink as error:
            form.add_error(error.field if error.field in form.fields else None, str(error))
        else:
            messages.success(request, _("The link is ready."))
            return redirect("page-share", tenant_slug=tenant_slug, slug=slug)
    context = {"doc": doc, "form": form, "links": _shown(request, doc)}
    return render(request, "kb/page_share.html", context, status=400 if form.errors else 200)


@require_POST
@hides_pages
def revoke(request: TenantRequest, tenant_slug: str, link_id: UUID) -> HttpResponse:
    actor = member_of(request)
    link = sharing.get_link(actor, link_id)
    sharing.revoke_link(actor, link)
    messages.success(request, _("The link is revoked. Nobody can open it any more."))
    return redirect("page-share", tenant_slug=tenant_slug, slug=link.doc.slug)


def link_token(group: str, request: HttpRequest) -> str:
    assert request.resolver_match is not None
    return str(request.resolver_match.kwargs["token"])


def openings(group: str, request: HttpRequest) -> str:
    return OPENINGS


@opens_own_scopes
@require_GET  # asking with HEAD would tell something without counting
@ratelimit(key=link_token, rate=openings, block=False)
def shared_page(request: TenantRequest, token: str) -> HttpResponse:
    """The page for whoever has the link, read as nobody: a session counts for nothing here."""
    request.tenant = request.member = None
    if getattr(request, "limited", False):
        response = render(request, "429.html", {"retry_at": None}, status=429)
        response["Retry-After"] = str(BURST_SECONDS)
        return _private(response)
    try:
        shared = sharing.open_link(token)
    except PageNotFound as error:
        raise Http404 from error
    except LinkEnded as error:
        return _private(render(request, "kb/shared_ended.html", {"error": error}, status=410))
    with tenancy.scope(shared.doc.tenant_id):
        html = linked_html(
            None, shared.doc, shared.revision, own_file=partial(files.shared_url, token)
        )
    context = {
        "user": AnonymousUser(),  # no form of the session's: under this referrer policy it has no origin
        "doc": shared.doc,
        "revision": shared.revision,
        "html": html,
        "opens_with_title": opens_with_title(shared.revision),
    }
    return _private(render(request, "kb/shared_page.html", context))


def _private(response: HttpResponse) -> HttpResponse:
    """The address is the key: it goes into no index, no cache, and to no other site."""
    response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    response["Referrer-Policy"] = "no-referrer"
    response["Cache-Control"] = "private, no-store"
    return response


def _shown(request: TenantRequest, doc: Doc) -> list[ShownLink]:
    now = timezone.now()
    return [
        ShownLink(
            link,
            sharing.state(link, now),
            request.build_absolute_uri(reverse("shared-page", args=[sharing.token_of(link)])),
        )
        for link in sharing.links_of(member_of(request), doc)[:LINKS_SHOWN]
    ]
