"""API keys: who holds one, what it may do, and taking it back. The key itself is shown once."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.db.models import Model, Q, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from unfold.decorators import action, display

from memory.admin.base import actor, moment
from memory.admin.filters import StateFilter
from memory.admin.forms import NewKeyForm
from memory.admin.shown_once import ShownOnceAdmin
from memory.admin_site import site
from memory.models import ApiKey
from memory.people import keys

_STATES: dict[str, Promise] = {
    "active": gettext_lazy("Active"),
    "expired": gettext_lazy("Expired"),
    "revoked": gettext_lazy("Revoked"),
}
_COLOURS = {"active": "success", "expired": "warning", "revoked": "danger"}


class KeyStateFilter(StateFilter):
    names = _STATES

    def conditions(self, now: datetime) -> dict[str, Q]:
        return {
            "active": Q(revoked_at=None) & (Q(expires_at=None) | Q(expires_at__gt=now)),
            "expired": Q(revoked_at=None, expires_at__lte=now),
            "revoked": Q(revoked_at__isnull=False),
        }


@admin.register(ApiKey, site=site)
class ApiKeyAdmin(ShownOnceAdmin):
    change_form_template = "admin/api_key.html"
    list_display = ("label", "user", "state", "scopes_held", "last_used", "expires", "made")
    list_filter = (KeyStateFilter,)
    list_select_related = ("user",)
    search_fields = ("name", "user__username")
    autocomplete_fields = ("user",)
    add_form = NewKeyForm
    add_fields = ("user", "name", "scopes", "lifetime")
    shown_fields = (
        "label",
        "user",
        "state_name",
        "scopes_held",
        "created_at",
        "last_used_at",
        "expires_at",
        "revoked_at",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApiKey]:
        return super().get_queryset(request).select_related("user").defer("digest")

    def get_form(
        self, request: HttpRequest, obj: Model | None = None, change: bool = False, **kwargs: Any
    ) -> type[ModelForm]:
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        if obj is None:
            form.base_fields["user"].widget.can_change_related = False
        return form

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        chosen = form.cleaned_data
        key = keys.create_key(
            form.member,
            name=chosen["name"],
            scopes=chosen["scopes"] or None,
            expires_at=form.expires_at(),
            actor=actor(request),
        )
        messages.warning(request, _("The new key is shown only now: %(key)s") % {"key": key})

    @action(description=gettext_lazy("Revoke the chosen keys"), permissions=("revoke",))
    def revoke_chosen(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
        count = keys.revoke(queryset, actor=actor(request))
        said = ngettext("%(count)s key revoked.", "%(count)s keys revoked.", count)
        messages.success(request, said % {"count": count})

    @display(description=gettext_lazy("Key"), ordering="name")
    def label(self, key: ApiKey) -> str:
        return str(key)

    @display(description=gettext_lazy("State"), label=_COLOURS)
    def state(self, key: ApiKey) -> tuple[str, str]:
        state = _state(key)
        return state, str(_STATES[state])

    @display(description=gettext_lazy("State"))
    def state_name(self, key: ApiKey) -> str:
        return str(_STATES[_state(key)])

    @display(description=gettext_lazy("Last used"), ordering="last_used_at")
    def last_used(self, key: ApiKey) -> str:
        return moment(key.last_used_at)

    @display(description=gettext_lazy("Expires"), ordering="expires_at")
    def expires(self, key: ApiKey) -> str:
        return moment(key.expires_at)

    @display(description=gettext_lazy("Made"), ordering="created_at")
    def made(self, key: ApiKey) -> str:
        return moment(key.created_at)

    @display(description=gettext_lazy("Scopes"))
    def scopes_held(self, key: ApiKey) -> str:
        return ", ".join(key.scopes)


def _state(key: ApiKey) -> str:
    if key.revoked_at is not None:
        return "revoked"
    is_over = key.expires_at is not None and key.expires_at <= timezone.now()
    return "expired" if is_over else "active"
