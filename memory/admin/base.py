"""What every admin class here has in common: rights from the membership, and no way across tenants."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.admin import ShowFacets
from django.db.models import Field, Model, QuerySet
from django.forms import ModelChoiceField
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST
from unfold.admin import ModelAdmin

from memory.admin_site import is_admin
from memory.models import Membership, Tenant

_LOOKUPS = frozenset({"exact", "in", "isnull"})


class TenantModelAdmin(ModelAdmin):
    """Readable by admins; what may be done beyond that, a subclass says.

    Tables under row security need no filter. A class for an exempt table narrows ``get_queryset``
    to the request's tenant, and foreign keys offer what that query finds.
    """

    page_heading: str | Promise = ""  # of a row's page; without one Django's own
    can_add = False
    can_change = False
    list_per_page = 50
    list_filter_submit = True
    show_facets = ShowFacets.NEVER

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_admin(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return is_admin(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.can_add and is_admin(request)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.can_change and is_admin(request)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Only declared filters. Any other column could be guessed letter by letter in the address."""
        field, _, operator = lookup.partition("__")
        declared = self._filter_names(request)
        if not operator:
            return field in declared or field.removesuffix("_from").removesuffix("_to") in declared
        return field in declared and operator in _LOOKUPS

    def facts(self, request: HttpRequest, obj: Any) -> dict[str, Any]:
        """What the template of a row's page is given beside the form."""
        return {}

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Model | None = None,
    ) -> HttpResponse:
        if obj is not None:
            context |= self.facts(request, obj)
        if self.page_heading:
            context["title"] = self.page_heading
        response: HttpResponse = super().render_change_form(
            request, context, add, change, form_url, obj
        )
        return response

    def _filter_names(self, request: HttpRequest | None) -> set[str]:
        return {
            one[0] if isinstance(one, tuple) else getattr(one, "parameter_name", one)
            for one in self.get_list_filter(request)
        }

    def formfield_for_foreignkey(
        self, db_field: Field, request: HttpRequest, **kwargs: Any
    ) -> ModelChoiceField | None:
        related = self.admin_site._registry.get(db_field.related_model)
        if related is None:
            raise LookupError(f"{db_field.name} points to a model that this site does not filter")
        kwargs.setdefault("queryset", related.get_queryset(request))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def posted(self, verb: str, view: Callable[..., HttpResponse]) -> URLPattern:
        """The address of an action on one row, ``<id>/<verb>/``, which only a POST reaches."""
        guarded = self.admin_site.admin_view(require_POST(view))
        name = f"{self.opts.app_label}_{self.opts.model_name}_{verb}"
        return path(f"<uuid:object_id>/{verb}/", guarded, name=name)

    def to_row(self, object_id: UUID) -> HttpResponse:
        return redirect(self._url_name("change"), object_id)

    def to_list(self) -> HttpResponse:
        return redirect(self._url_name("changelist"))

    def _url_name(self, page: str) -> str:
        return f"{self.admin_site.name}:{self.opts.app_label}_{self.opts.model_name}_{page}"

    # Django's log of the administration is not kept: its titles cross tenants.
    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> None:
        return None

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> None:
        return None

    def log_deletion(self, request: HttpRequest, obj: Model, object_repr: str) -> None:
        return None

    def log_deletions(self, request: HttpRequest, queryset: QuerySet) -> None:
        return None

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        raise Http404


def actor(request: HttpRequest) -> Membership:
    """The admin who acts. Raises ``Http404`` where there is none."""
    member: Membership | None = getattr(request, "member", None)
    if member is None:
        raise Http404
    return member


def tenant(request: HttpRequest) -> Tenant:
    return actor(request).tenant


def moment(when: datetime | None) -> SafeString | str:
    """A time in a list, short enough for one line; an empty string for none."""
    if when is None:
        return ""
    shown = date_format(timezone.localtime(when), "j M Y, H:i")
    return format_html('<time class="fn-time" datetime="{}">{}</time>', when.isoformat(), shown)


def code(text: str, *, shown: int = 0) -> SafeString:
    """An id or a hash in fixed width; of a long one the first ``shown`` characters, whole on hover."""
    if not text:
        return format_html("{}", "–")
    if not shown or len(text) <= shown:
        return format_html("<code>{}</code>", text)
    return format_html('<code title="{}">{}…</code>', text, text[:shown])


def pretty(data: Any) -> SafeString:
    """Stored JSON, as text."""
    written = json.dumps(data, indent=2, ensure_ascii=False, sort_keys=True)
    return format_html('<pre class="fn-json">{}</pre>', written)
