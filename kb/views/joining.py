"""Accepting an invitation: with one's own account, or with a new one."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import BaseUserCreationForm
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from django_ratelimit.decorators import ratelimit

from memory.middleware import SESSION_TENANT, TenantRequest, opens_own_scopes
from memory.models import Invitation, Membership, User
from memory.people import invitations
from memory.people.invitations import InvitationEnded, InvitationNotFound, MemberAlready

TRIES = "30/h"  # with one invitation: a taken user name is told to whoever holds one
_BACKEND = "django.contrib.auth.backends.ModelBackend"


class NewAccountForm(BaseUserCreationForm):
    username = forms.CharField(
        label=gettext_lazy("User name"),
        max_length=150,
        validators=[User.username_validator],
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )

    class Meta:
        model = User
        fields = ("username", "first_name", "last_name")

    def clean_username(self) -> str:
        username = User.normalize_username(self.cleaned_data["username"])
        if User.objects.filter(username__iexact=username).exists():
            raise self.taken()
        return username

    @staticmethod
    def taken() -> forms.ValidationError:
        return forms.ValidationError(_("This name is taken. Please choose another."))


def invitation_in_address(group: str, request: HttpRequest) -> str:
    assert request.resolver_match is not None
    return str(request.resolver_match.kwargs["invitation"])


@opens_own_scopes
@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "POST"])
@ratelimit(key=invitation_in_address, rate=TRIES, method="POST", block=False)
def join(request: TenantRequest, invitation: str) -> HttpResponse:
    """Read as nobody of any organisation: only the account that is signed in counts."""
    is_signed_in = request.user.is_authenticated
    request.tenant = request.member = None
    if getattr(request, "limited", False):
        return _private(render(request, "429.html", {"retry_at": None}, status=429))
    try:
        offered = invitations.read(invitation)
        form = None if is_signed_in else _form(request, offered)
        if request.method == "POST" and (form is None or form.is_valid()):
            user = cast(User, request.user) if form is None else _new_user(form, offered)
            return _welcome(request, invitations.accept(invitation, user))
    except InvitationNotFound as error:
        raise Http404 from error
    except InvitationEnded as error:
        return _private(render(request, "kb/join_ended.html", {"error": error}, status=410))
    except MemberAlready:
        messages.info(request, _("You belong to this organisation already."))
        return redirect("home")
    except IntegrityError:  # the name was free a moment ago
        assert form is not None
        form.add_error("username", form.taken())
    context = {"offered": offered, "form": form, "here": request.path}
    status = 400 if form is not None and form.errors else 200
    return _private(render(request, "kb/join.html", context, status=status))


def _form(request: HttpRequest, offered: Invitation) -> NewAccountForm:
    return NewAccountForm(request.POST or None, initial={"username": offered.username})


def _new_user(form: NewAccountForm, offered: Invitation) -> User:
    user: User = form.save(commit=False)
    user.email = offered.email
    return user


def _welcome(request: TenantRequest, member: Membership) -> HttpResponse:
    user: Any = member.user
    if request.user != user:
        login(request, user, backend=_BACKEND)
    request.session[SESSION_TENANT] = str(member.tenant_id)
    messages.success(request, _("Welcome to %(name)s.") % {"name": member.tenant.name})
    return redirect("pages", tenant_slug=member.tenant.slug)


def _private(response: HttpResponse) -> HttpResponse:
    """The address is a key: it goes into no index and no cache. That it goes to no other site, the
    referrer policy of every page sees to; a stricter one would make browsers hide the form's origin.
    """
    response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    response["Cache-Control"] = "private, no-store"
    return response
