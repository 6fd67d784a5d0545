"""Who is asking, and for which tenant.

``request.member`` is the active membership, or None for an anonymous reader; ``request.tenant`` the
tenant of the page being read. Every ordinary view runs inside the tenant's scope, admin included.
A view marked with ``opens_own_scopes`` (ask, streams) opens short ones itself, since no transaction
may be held while a model thinks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from memory import tenancy
from memory.models import Membership, Tenant, User
from memory.people import keys

SESSION_TENANT = "tenant"
KEYS_ARE_FOR = "/v1/"  # elsewhere no view looks at a key's scopes, so a key is nobody there
_View = TypeVar("_View", bound=Callable[..., Any])


def opens_own_scopes(view: _View) -> _View:
    view.opens_own_scopes = True  # type: ignore[attr-defined]
    return view


class TenantRequest(HttpRequest):
    """A request after this middleware. ``key`` is False for a bearer key that does not hold."""

    member: Membership | None
    tenant: Tenant | None
    key: keys.Authenticated | Literal[False] | None


class TenancyMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: TenantRequest) -> HttpResponseBase:
        request.member = None
        request.tenant = None
        request.key = None
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            if request.path_info.startswith(KEYS_ARE_FOR):
                self._by_key(request, token.strip())
            else:
                request.user = AnonymousUser()
        elif request.user.is_authenticated:
            self._by_session(request, request.user)
        return self.get_response(request)

    def process_view(
        self, request: TenantRequest, view: Callable[..., Any], args: Any, kwargs: dict[str, Any]
    ) -> HttpResponseBase | None:
        if slug := kwargs.get("tenant_slug"):
            self._enter_tenant(request, slug)
        tenant = request.tenant
        if tenant is None or getattr(view, "opens_own_scopes", False):
            return None
        with tenancy.scope(tenant.id):
            response: HttpResponse = view(request, *args, **kwargs)
            if hasattr(response, "render") and not getattr(response, "is_rendered", True):
                response = response.render()
        return response

    @staticmethod
    def _by_key(request: TenantRequest, token: str) -> None:
        # A bearer key is the whole identity: a session cookie beside it counts for nothing.
        authenticated = keys.authenticate(token)
        request.key = authenticated or False
        if authenticated:
            request.member = authenticated.member
            request.tenant = authenticated.member.tenant

    @staticmethod
    def _by_session(request: TenantRequest, user: User) -> None:
        members = Membership.objects.select_related("tenant", "user").filter(
            user_id=user.pk, is_active=True
        )
        chosen = request.session.get(SESSION_TENANT)
        member = members.filter(tenant_id=UUID(chosen)).first() if chosen else None
        member = member or members.order_by("created_at").first()
        if member is not None:
            request.member = member
            request.tenant = member.tenant

    @staticmethod
    def _enter_tenant(request: TenantRequest, slug: str) -> None:
        """A URL that names a tenant is read in that tenant, as its member or anonymously."""
        tenant = request.tenant
        if tenant is not None and tenant.slug == slug:
            return
        request.tenant = Tenant.objects.filter(slug=slug).first()
        request.member = None
        if request.tenant is not None and request.user.is_authenticated:
            request.member = (
                Membership.objects.select_related("tenant", "user")
                .filter(user_id=request.user.pk, tenant=request.tenant, is_active=True)
                .first()
            )
