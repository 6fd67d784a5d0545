"""Admin classes of what carries a secret: made here, shown once, read-only from then on, revocable."""

from __future__ import annotations

from typing import Any, ClassVar
from uuid import UUID

from django.db.models import Model
from django.forms import ModelForm
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern
from django.utils.functional import Promise

from memory.admin.base import TenantModelAdmin, actor
from memory.admin_site import is_admin


class ShownOnceAdmin(TenantModelAdmin):
    """A subclass names its ``add_form``, the fields of both pages, and the action ``revoke_chosen``.

    The list is where one lands after adding: its message shows the secret.
    """

    can_add = True
    actions = ("revoke_chosen",)
    ordering = ("-created_at",)
    add_title: str | Promise | None = None
    add_form: ClassVar[type[ModelForm]]
    add_fields: tuple[str, ...] = ()
    shown_fields: tuple[str, ...] = ()
    revoke_chosen: Any

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        return self.add_fields if obj is None else self.shown_fields

    def get_readonly_fields(
        self, request: HttpRequest, obj: Model | None = None
    ) -> tuple[str, ...]:
        return () if obj is None else self.shown_fields

    def get_form(
        self, request: HttpRequest, obj: Model | None = None, change: bool = False, **kwargs: Any
    ) -> type[ModelForm]:
        if obj is None:
            kwargs |= {"form": self.add_form, "fields": None}
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        form.actor = actor(request)
        return form

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        context: dict[str, Any] = {
            "show_save_and_add_another": False,
            "show_save_and_continue": False,
        }
        if self.add_title:
            context["title"] = self.add_title
        response: HttpResponse = super().add_view(
            request, form_url, context | (extra_context or {})
        )
        return response

    def response_add(
        self, request: HttpRequest, obj: Model, post_url_continue: str | None = None
    ) -> HttpResponse:
        return self.to_list()

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        return is_admin(request)

    def get_urls(self) -> list[URLPattern]:
        return [self.posted("revoke", self._revoke_view), *super().get_urls()]

    def _revoke_view(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        found = self.get_queryset(request).filter(pk=object_id)
        if not found.exists():
            raise Http404
        self.revoke_chosen(request, found)
        return self.to_row(object_id)
