"""Choosing a new password: signed in, or with a link from one's mail or from an admin.

Asking for a link tells nobody whether an account exists: the answer is the same, and so is the work
before it, since the mail is sent by a worker.
"""

from __future__ import annotations

import logging
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.views import PasswordChangeView, PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django_ratelimit.core import is_ratelimited
from kombu.exceptions import OperationalError as BrokerUnreachable

from memory import tasks
from memory.people import mailing, passwords

logger = logging.getLogger(__name__)

PER_ACCOUNT, PER_ADDRESS = "5/h", "60/h"  # more are not refused, and nothing is sent
_WHO, _TOKEN = "WHO", "TOKEN"


class LostPasswordForm(forms.Form):
    account = forms.CharField(
        label=gettext_lazy("User name or e-mail address"),
        max_length=254,
        widget=forms.TextInput(
            attrs={"autocomplete": "username", "autocapitalize": "none", "autofocus": True}
        ),
    )


@never_cache
@require_http_methods(["GET", "POST"])
def reset(request: HttpRequest) -> HttpResponse:
    can_mail = mailing.is_configured()
    form = LostPasswordForm(request.POST or None)
    if request.method == "POST" and can_mail and form.is_valid():
        if not _is_too_much(request, form.cleaned_data["account"]):
            _mail(request, form.cleaned_data["account"])
        return redirect("password-reset-sent")
    return render(request, "kb/password_reset.html", {"form": form, "can_mail": can_mail})


@require_safe
def reset_sent(request: HttpRequest) -> HttpResponse:
    return render(request, "kb/password_reset_sent.html")


class NewPasswordView(PasswordResetConfirmView):
    """Django's own keeps the token in the session and out of the address that the form has."""

    template_name = "kb/password_new.html"
    token_generator = passwords.tokens
    success_url = reverse_lazy("login")

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, _("Your new password holds. Please sign in with it."))
        return super().form_valid(form)


class ChangePasswordView(PasswordChangeView):
    template_name = "kb/password_change.html"
    success_url = reverse_lazy("home")

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, _("Your password is changed. Other devices are signed out."))
        return super().form_valid(form)


def _mail(request: HttpRequest, account: str) -> None:
    found = [str(user_id) for user_id in passwords.find_accounts(account)]
    path = reverse("password-new", args=[_WHO, _TOKEN])
    pattern = path.replace(_WHO, "{who}").replace(_TOKEN, "{token}")
    link_of = request.build_absolute_uri("/").removesuffix("/") + pattern
    try:
        tasks.mail_password_links.delay(found, link_of)
    except BrokerUnreachable:
        logger.warning("broker_unreachable", extra={"task": "mail_password_links"})


def _is_too_much(request: HttpRequest, account: str) -> bool:
    def by_account(group: str, request: HttpRequest) -> str:
        return account.strip().lower()

    return any(
        [
            is_ratelimited(request, "password-reset", key=key, rate=rate, increment=True)
            for key, rate in (("ip", PER_ADDRESS), (by_account, PER_ACCOUNT))
        ]
    )
