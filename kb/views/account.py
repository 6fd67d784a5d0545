"""Signing in and out, and which organisation one is in."""

from __future__ import annotations

from typing import cast

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView, LogoutView
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from kb.forms import SignInForm
from kb.views.access import as_uuid
from memory.middleware import SESSION_TENANT, TenantRequest
from memory.models import Membership, User


class SignInView(LoginView):
    template_name = "kb/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True


class SignOutView(LogoutView):
    http_method_names = ["post", "options"]


@require_GET
def home(request: TenantRequest) -> HttpResponse:
    """To the pages of the active organisation, or to sign in."""
    if request.member is not None:
        return redirect("pages", tenant_slug=request.member.tenant.slug)
    return redirect("switch" if request.user.is_authenticated else "login")


@login_required
@require_http_methods(["GET", "POST"])
def switch(request: HttpRequest) -> HttpResponse:
    memberships = Membership.objects.select_related("tenant").filter(
        user=cast(User, request.user), is_active=True
    )
    if request.method == "POST":
        tenant_id = as_uuid(request.POST.get("tenant", ""))
        chosen = memberships.filter(tenant_id=tenant_id).first() if tenant_id else None
        if chosen is None:
            raise Http404
        request.session[SESSION_TENANT] = str(chosen.tenant_id)
        if request.POST.get("to") == "admin" and chosen.is_admin:
            return redirect("admin:index")
        return redirect("pages", tenant_slug=chosen.tenant.slug)
    context = {"memberships": memberships.order_by("tenant__name"), "to": request.GET.get("to", "")}
    return render(request, "kb/switch.html", context)
