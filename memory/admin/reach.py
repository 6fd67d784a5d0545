"""How far an admin sees into memory banks, and what their classes here have in common.

Every bank of the organisation is listed with its numbers. What a private bank says is its owner's
alone, here as in the API. The bank of the pages is none of them.
"""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy
from unfold.views import ChangeList

from memory import banks
from memory.admin.base import TenantModelAdmin, actor, tenant
from memory.admin.filters import TypedFilter, as_uuid
from memory.models import Bank, BankKind


def all_banks(request: HttpRequest) -> QuerySet[Bank]:
    return Bank.objects.filter(tenant=tenant(request), kind=BankKind.MEMORY)


def readable_banks(request: HttpRequest) -> QuerySet[Bank]:
    return banks.visible_banks(actor(request))


class BankFilter(TypedFilter):
    """A bank's id, or a part of its name."""

    title = gettext_lazy("bank")
    parameter_name = "bank"

    def found(self, request: HttpRequest, queryset: QuerySet, typed: str) -> QuerySet:
        if bank_id := as_uuid(typed):
            return queryset.filter(bank_id=bank_id)
        return queryset.filter(bank__in=all_banks(request).filter(name__icontains=typed))


class DetailedAdmin(TenantModelAdmin):
    """Read-only, with a page of its own for each row."""

    list_fullwidth = True
    fields: tuple[str, ...] = ("id",)
    readonly_fields: tuple[str, ...] = ("id",)


class BankContentAdmin(DetailedAdmin):
    """What a bank holds."""

    list_select_related: tuple[str, ...] = ("bank",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        # Unordered: a list may be ordered by what a subclass adds to its rows.
        found: QuerySet[Any] = self.model._default_manager.all()
        return found.filter(bank__in=readable_banks(request)).select_related("bank")


class CountedList(ChangeList):
    """A page of a list whose rows get numbers: a few queries for the page, however long it is."""

    result_list: Any
    model_admin: Any

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.result_list = list(self.result_list)
        self.model_admin.count(self.result_list)


class CountedAdmin(DetailedAdmin):
    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[CountedList]:
        return CountedList

    def count(self, rows: list[Any]) -> None:
        """Give each of the rows its numbers. Without any, a list like any other."""
