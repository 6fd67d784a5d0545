"""The administration: who may enter, and what it leaves out of Django's own.

Whoever enters is the admin of one tenant, the session's, and sees that tenant alone. Rights come from
the active membership: ``is_staff`` and ``is_superuser`` open nothing. Left out are the views that
reach across tenants: the lookup of any object by content type, the search that caches by user alone,
and Django's own log, whose titles cross tenants.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from django.contrib.auth.views import LogoutView, redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import URLPattern, URLResolver
from django.utils.translation import gettext_lazy as _
from unfold.sites import UnfoldAdminSite

from memory.middleware import TenantRequest

SIGN_IN = "login"
_ACROSS_TENANTS = frozenset({"view_on_site", "login"})


class TenantAdminSite(UnfoldAdminSite):
    index_title = _("Overview")
    index_template = "admin/overview.html"
    empty_value_display = "–"

    def has_permission(self, request: HttpRequest) -> bool:
        return is_admin(request)

    def admin_view(
        self, view: Callable[..., Any], cacheable: bool = False
    ) -> Callable[..., HttpResponseBase]:
        """Sign in first; then the administration is there for admins, and for nobody else."""
        guarded = super().admin_view(view, cacheable)

        def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path(), SIGN_IN)
            if not self.has_permission(request):
                raise Http404
            response: HttpResponseBase = guarded(request, *args, **kwargs)
            return response

        return update_wrapper(inner, guarded)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        return [
            pattern
            for pattern in super().get_urls()
            if getattr(pattern, "name", "") not in _ACROSS_TENANTS
        ]

    def search(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        raise Http404

    def logout(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponseBase:
        return LogoutView.as_view(next_page=SIGN_IN)(request)


def is_admin(request: HttpRequest) -> bool:
    """Whether the session's user administers the session's tenant. API keys never open this door."""
    member = getattr(request, "member", None)
    return (
        member is not None
        and getattr(request, "key", None) is None
        and member.is_admin
        and request.user.is_authenticated
        and member.user_id == request.user.pk
    )


def organisation(request: TenantRequest) -> str:
    """The line under the name of the site: whose administration this is."""
    return request.tenant.name if request.tenant else ""


site = TenantAdminSite()
