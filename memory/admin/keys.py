"""API keys: who holds one, what it may do, and taking it back. The key itself is shown once."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.db.models import Model, Q, QuerySet
from django.forms import ModelForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST
from unfold.decorators import action, display

from memory import keys
from memory.admin.base import TenantModelAdmin, actor, moment
from memory.admin.filters import ValuesFilter
from memory.admin.forms import NewKeyForm
from memory.admin_site import is_admin, site
from memory.models import ApiKey

_STATES = {
    "active": gettext_lazy("Active"),
    "expired": gettext_lazy("Expired"),
    "revoked": gettext_lazy("Revoked"),
}
_COLOURS = {"active": "success", "expired": "warning", "revoked": "danger"}


class StateFilter(ValuesFilter):
    title = gettext_lazy("state")
    parameter_name = "state"

    def values(self) -> list[tuple[str, str]]:
        return [(state, str(name)) for state, name in _STATES.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        now = timezone.now()
        wanted = {
            "active": Q(revoked_at=None) & (Q(expires_at=None) | Q(expires_at__gt=now)),
            "expired": Q(revoked_at=None, expires_at__lte=now),
            "revoked": Q(revoked_at__isnull=False),
        }
        chosen = Q()
        for state in self.value() or ():
            chosen |= wanted.get(state, Q())
        return queryset.filter(chosen)


@admin.register(ApiKey, site=site)
class ApiKeyAdmin(TenantModelAdmin):
    can_add = True
    change_form_template = "admin/api_key.html"
    list_display = ("label", "user", "state", "scopes_held", "last_used", "expires", "made")
    list_filter = (StateFilter,)
    list_select_related = ("user",)
    search_fields = ("name", "user__username")
    ordering = ("-created_at",)
    autocomplete_fields = ("user",)
    actions = ("revoke_chosen",)
    _SHOWN = (
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

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        return ("user", "name", "scopes", "lifetime") if obj is None else self._SHOWN

    def get_readonly_fields(
        self, request: HttpRequest, obj: Model | None = None
    ) -> tuple[str, ...]:
        return () if obj is None else self._SHOWN

    def get_form(
        self, request: HttpRequest, obj: Model | None = None, change: bool = False, **kwargs: Any
    ) -> type[ModelForm]:
        if obj is None:
            kwargs |= {"form": NewKeyForm, "fields": None}
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        form.actor = actor(request)
        if obj is None:
            form.base_fields["user"].widget.can_change_related = False
        return form

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        # There is one way on from here: the list, where the key is shown.
        only_save = {"show_save_and_add_another": False, "show_save_and_continue": False}
        response: HttpResponse = super().add_view(
            request, form_url, only_save | (extra_context or {})
        )
        return response

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

    def response_add(
        self, request: HttpRequest, obj: Model, post_url_continue: str | None = None
    ) -> HttpResponse:
        return redirect(f"{self.admin_site.name}:memory_apikey_changelist")

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        return is_admin(request)

    @action(description=gettext_lazy("Revoke the chosen keys"), permissions=("revoke",))
    def revoke_chosen(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
        self._revoke(request, queryset)

    def get_urls(self) -> list[URLPattern]:
        revoke = self.admin_site.admin_view(require_POST(self._revoke_view))
        name = "memory_apikey_revoke"
        return [path("<uuid:object_id>/revoke/", revoke, name=name), *super().get_urls()]

    def _revoke_view(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        found = self.get_queryset(request).filter(pk=object_id)
        if not found.exists():
            raise Http404
        self._revoke(request, found)
        return redirect(f"{self.admin_site.name}:memory_apikey_change", object_id)

    @staticmethod
    def _revoke(request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
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
