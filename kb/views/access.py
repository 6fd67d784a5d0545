"""Finding what a URL names, as the reader who asks for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponseBase, HttpResponsePermanentRedirect
from django.urls import reverse

from kb import access, addresses, selectors
from kb.errors import PageNotFound
from kb.models import Doc
from memory import tenancy
from memory.middleware import TenantRequest
from memory.models import Membership

View = Callable[..., HttpResponseBase]


def hides_pages(view: View) -> View:
    """What a reader may not see is not there: 404, or for an unknown visitor the way to sign in.

    A visitor gets the same answer for a page that exists, one that does not, and an organisation
    that does not.
    """

    @wraps(view)
    def wrapped(request: TenantRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except (PageNotFound, Http404) as error:
            if moved := _moved(request, kwargs):
                return moved
            if not request.user.is_authenticated and request.method in ("GET", "HEAD"):
                return redirect_to_login(request.get_full_path())
            if request.member is None:
                request.tenant = None  # the page that says so would name the organisation
            raise Http404 from error

    return wrapped


def _moved(request: TenantRequest, kwargs: dict[str, Any]) -> HttpResponseBase | None:
    """To where the page is now that had this address before, for those who may see it.

    A form that was opened at the old address is sent on with all that was typed into it.
    """
    if "slug" not in kwargs or request.tenant is None:
        return None
    with tenancy.scope(request.tenant.pk):
        slug = addresses.moved_to(request.member, kwargs["slug"])
    match = request.resolver_match
    if slug is None or match is None:
        return None
    query = request.META.get("QUERY_STRING", "")
    address = reverse(match.view_name, kwargs=match.kwargs | {"slug": slug})
    response = HttpResponsePermanentRedirect(
        f"{address}?{query}" if query else address,
        preserve_request=request.method not in ("GET", "HEAD"),
    )
    # Another page may take the address tomorrow, and who may see this one can change.
    response["Cache-Control"] = "private, no-cache"
    return response


def as_uuid(value: str) -> UUID | None:
    """An id from an address or a form; None where it is none."""
    try:
        return UUID(value)
    except ValueError:
        return None


def member_of(request: TenantRequest) -> Membership:
    """The reader as a member of the organisation in the URL. Raises ``PageNotFound`` otherwise."""
    if request.member is None:
        raise PageNotFound("You are not a member here.")
    return request.member


def page_of(request: TenantRequest, slug: str) -> Doc:
    """Raises ``PageNotFound``."""
    if request.tenant is None:
        raise PageNotFound("There is no such page.")
    return selectors.get_doc_by_slug(request.member, slug)


def editable_page_of(request: TenantRequest, slug: str) -> Doc:
    """A page and the right to change it. Raises ``PageNotFound``."""
    doc = page_of(request, slug)
    if not access.can_edit(request.member, doc):
        raise PageNotFound("There is no such page.")
    return doc
