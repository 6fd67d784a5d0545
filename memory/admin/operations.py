"""Work that banks wait for: how far it is, what went wrong, calling it off and trying it again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from unfold.decorators import action, display

from memory import operations
from memory.admin import badges
from memory.admin.base import moment, pretty
from memory.admin.filters import DaysFilter, ValuesFilter, as_uuid
from memory.admin.reach import BankFilter, DetailedAdmin, all_banks, readable_banks
from memory.admin_site import is_admin, site
from memory.drawing.numbers import text
from memory.models import Operation, OperationStatus

_OPEN = (OperationStatus.PENDING, OperationStatus.PROCESSING)
_ENDED = (OperationStatus.FAILED, OperationStatus.CANCELLED)


class StatusFilter(ValuesFilter):
    title = gettext_lazy("status")
    parameter_name = "status"
    names = badges.STATUS_NAMES


class KindFilter(ValuesFilter):
    title = gettext_lazy("operation")
    parameter_name = "type"
    names = badges.OPERATION_NAMES


@admin.register(Operation, site=site)
class OperationAdmin(DetailedAdmin):
    """Of every bank: whether work goes on is the organisation's concern. What was handed over for it
    is not shown, and its result only where the bank may be read."""

    page_heading = gettext_lazy("Operation")
    change_form_template = "admin/memory/operation.html"
    list_display = (
        "kind",
        "bank",
        "status_badge",
        "progress",
        "attempts",
        "made",
        "ended",
        "fault",
    )
    list_display_links = ("kind",)
    list_filter = (
        StatusFilter,
        KindFilter,
        BankFilter,
        ("created_at", DaysFilter),
    )
    search_fields = ("error",)
    search_help_text = gettext_lazy("Words of the error, or an operation's id")
    ordering = ("-created_at", "pk")
    actions = ("cancel_chosen", "retry_chosen")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Operation]:
        found: QuerySet[Operation] = super().get_queryset(request)
        return found.filter(bank__in=all_banks(request)).select_related("bank").defer("payload")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        if found := as_uuid(search_term.strip()):
            return queryset.filter(pk=found), False
        return super().get_search_results(request, queryset, search_term)

    def has_steer_permission(self, request: HttpRequest) -> bool:
        return is_admin(request)

    @action(description=gettext_lazy("Call off the chosen operations"), permissions=("steer",))
    def cancel_chosen(self, request: HttpRequest, queryset: QuerySet[Operation]) -> None:
        _cancel(request, queryset)

    @action(description=gettext_lazy("Try the chosen operations again"), permissions=("steer",))
    def retry_chosen(self, request: HttpRequest, queryset: QuerySet[Operation]) -> None:
        _retry(request, queryset)

    def get_urls(self) -> list[URLPattern]:
        return [
            self.posted("cancel", self._cancel_view),
            self.posted("retry", self._retry_view),
            *super().get_urls(),
        ]

    def _cancel_view(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        return self._steered(request, object_id, _cancel)

    def _retry_view(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        return self._steered(request, object_id, _retry)

    def _steered(
        self,
        request: HttpRequest,
        object_id: UUID,
        steer: Callable[[HttpRequest, QuerySet[Operation]], None],
    ) -> HttpResponse:
        found = self.get_queryset(request).filter(pk=object_id)
        get_object_or_404(found)
        steer(request, found)
        return self.to_row(object_id)

    def facts(self, request: HttpRequest, obj: Operation) -> dict[str, Any]:
        is_readable = readable_banks(request).filter(pk=obj.bank_id).exists()
        children = Operation.objects.filter(parent_id=obj.pk).defer("payload", "result")
        return {
            "operation": obj,
            "name": badges.OPERATION_NAMES.get(obj.type, obj.type),
            "status": badges.STATUS_NAMES[obj.status],
            "colour": badges.STATUS_COLOURS[obj.status],
            "is_open": obj.status in _OPEN,
            "may_retry": obj.status in _ENDED,
            "done": text(100 * obj.items_done / obj.items_count) if obj.items_count else "",
            "result": pretty(obj.result) if obj.result and is_readable else "",
            "is_readable": is_readable,
            "children": [
                {
                    "operation": one,
                    "name": badges.OPERATION_NAMES.get(one.type, one.type),
                    "status": badges.STATUS_NAMES[one.status],
                    "colour": badges.STATUS_COLOURS[one.status],
                }
                for one in children.order_by("created_at", "pk")[:50]
            ],
        }

    @display(description=gettext_lazy("Operation"), ordering="type")
    def kind(self, operation: Operation) -> str:
        return str(badges.OPERATION_NAMES.get(operation.type, operation.type))

    @display(description=gettext_lazy("Status"), label=badges.STATUS_COLOURS, ordering="status")
    def status_badge(self, operation: Operation) -> tuple[str, str]:
        return operation.status, str(badges.STATUS_NAMES[operation.status])

    @display(description=gettext_lazy("Progress"))
    def progress(self, operation: Operation) -> str | None:
        if not operation.items_count:
            return None
        return f"{operation.items_done} / {operation.items_count}"

    @display(description=gettext_lazy("Submitted"), ordering="created_at")
    def made(self, operation: Operation) -> str:
        return moment(operation.created_at)

    @display(description=gettext_lazy("Ended"), ordering="finished_at")
    def ended(self, operation: Operation) -> str:
        return moment(operation.finished_at)

    @display(description=gettext_lazy("Error"))
    def fault(self, operation: Operation) -> str:
        return operation.error[:80]


def _cancel(request: HttpRequest, chosen: QuerySet[Operation]) -> None:
    count = sum(map(operations.cancel, chosen))
    said = ngettext("%(count)s operation called off.", "%(count)s operations called off.", count)
    _tell(request, said % {"count": count}, count, _("What has ended cannot be called off."))


def _retry(request: HttpRequest, chosen: QuerySet[Operation]) -> None:
    count = sum(map(operations.retry, chosen))
    said = ngettext(
        "%(count)s operation is being tried again.",
        "%(count)s operations are being tried again.",
        count,
    )
    refused = _("Only what failed or was called off can be tried again.")
    _tell(request, said % {"count": count}, count, refused)


def _tell(request: HttpRequest, said: str, count: int, refused: str) -> None:
    if count:
        messages.success(request, said)
    else:
        messages.info(request, refused)
