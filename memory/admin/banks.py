"""Memory banks: whose they are, what they hold, and what is under way in them."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy
from unfold.decorators import display

from memory import bank_statistics
from memory.admin import badges, playground
from memory.admin.base import moment
from memory.admin.filters import ValuesFilter
from memory.admin.reach import CountedAdmin, all_banks, readable_banks
from memory.admin_site import site
from memory.drawing import shares
from memory.levels import MEMORIES, Level
from memory.models import Bank, Corpus, Directive, Document, MentalModel, Node, Operation

logger = logging.getLogger(__name__)

_LATEST = 6


class AccessFilter(ValuesFilter):
    title = gettext_lazy("access")
    parameter_name = "access"
    names = badges.ACCESS_NAMES


@admin.register(Bank, site=site)
class BankAdmin(CountedAdmin):
    page_heading = gettext_lazy("Memory bank")
    change_form_template = "admin/memory/bank.html"
    list_before_template = "admin/memory/banks_lead.html"
    list_display = (
        "label",
        "owner_name",
        "access_badge",
        "memories",
        "passages",
        "references",
        "documents",
        "consolidated",
    )
    list_filter = (AccessFilter,)
    list_select_related = ("owner",)
    search_fields = ("name", "title", "owner__username")
    search_help_text = gettext_lazy("A part of the name, the title, or its owner's name")
    ordering = ("name", "pk")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Bank]:
        return all_banks(request).select_related("owner")

    def get_urls(self) -> list[URLPattern]:
        recall = self.admin_site.admin_view(playground.show)
        return [path("recall/", recall, name="memory_bank_recall"), *super().get_urls()]

    def count(self, rows: list[Any]) -> None:
        """Two queries."""
        ids = [bank.pk for bank in rows]
        by_level: dict[Any, dict[str, int]] = defaultdict(dict)
        nodes = Node.objects.filter(bank_id__in=ids).order_by()
        for bank_id, level, number in nodes.values_list("bank_id", "level").annotate(n=Count("pk")):
            by_level[bank_id][level] = number
        documents = Document.objects.filter(Q(corpus=None), bank_id__in=ids).order_by()
        retained = dict(documents.values_list("bank_id").annotate(n=Count("pk")))
        for bank in rows:
            bank.by_level = by_level[bank.pk]
            bank.retained = retained.get(bank.pk, 0)

    def facts(self, request: HttpRequest, obj: Bank) -> dict[str, Any]:
        """At most sixteen queries, however much the bank holds."""
        numbers = _numbers(obj)
        is_readable = readable_banks(request).filter(pk=obj.pk).exists()
        return {
            "bank": obj,
            "access_name": badges.ACCESS_NAMES[obj.access],
            "access_colour": badges.ACCESS_COLOURS[obj.access],
            "is_readable": is_readable,
            "numbers": numbers,
            "memory_count": _memories(numbers.nodes_by_level) if numbers else 0,
            "levels": [
                {"level": level, "name": name, "count": numbers.nodes_by_level[level]}
                for level, name in badges.LEVEL_PLURALS.items()
                if numbers is not None and level in numbers.nodes_by_level
            ],
            "level_shares": shares.shares(
                [
                    (level, (numbers.nodes_by_level if numbers else {}).get(level, 0))
                    for level in Level
                ]
            ),
            "types": _named(badges.TYPE_NAMES, numbers.facts_by_type if numbers else {}),
            "edges": _named(badges.EDGE_NAMES, numbers.edges_by_type if numbers else {}),
            "statuses": _named(
                badges.STATUS_NAMES, numbers.operations_by_status if numbers else {}
            ),
            "operations": [
                {
                    "operation": one,
                    "name": badges.OPERATION_NAMES.get(one.type, one.type),
                    "status": badges.STATUS_NAMES[one.status],
                    "colour": badges.STATUS_COLOURS[one.status],
                }
                for one in _latest(Operation, obj, "-created_at").defer("payload", "result")[
                    :_LATEST
                ]
            ],
            **(_contents(obj) if is_readable else {}),
        }

    @display(description=gettext_lazy("Bank"), ordering="name")
    def label(self, bank: Bank) -> SafeString:
        return format_html(
            '<span class="fn-excerpt" dir="auto">{}</span><span class="fn-under">{}</span>',
            bank.name,
            bank.title if bank.title != bank.name else "",
        )

    @display(description=gettext_lazy("Owner"), ordering="owner__username")
    def owner_name(self, bank: Bank) -> str | None:
        return str(bank.owner) if bank.owner else None

    @display(description=gettext_lazy("Access"), label=badges.ACCESS_COLOURS, ordering="access")
    def access_badge(self, bank: Bank) -> tuple[str, str]:
        return bank.access, str(badges.ACCESS_NAMES[bank.access])

    @display(description=gettext_lazy("Memories"))
    def memories(self, bank: Any) -> int:
        return _memories(bank.by_level)

    @display(description=gettext_lazy("Passages"))
    def passages(self, bank: Any) -> int:
        return bank.by_level.get(Level.L0, 0)

    @display(description=gettext_lazy("References"))
    def references(self, bank: Any) -> int:
        return bank.by_level.get(Level.R, 0)

    @display(description=gettext_lazy("Documents"))
    def documents(self, bank: Any) -> int:
        return bank.retained

    @display(description=gettext_lazy("Last consolidated"), ordering="consolidated_at")
    def consolidated(self, bank: Bank) -> str:
        return moment(bank.consolidated_at)


def _memories(by_level: Mapping[str, int]) -> int:
    """Facts and observations, as everywhere that memories are counted."""
    return sum(by_level.get(level, 0) for level in MEMORIES)


def _numbers(bank: Bank) -> bank_statistics.BankStatistics | None:
    """None where the encoder, whose recipe says which vectors count, cannot be loaded."""
    try:
        return bank_statistics.statistics(bank)
    except Exception:
        logger.exception("statistics_failed")
        return None


def _contents(bank: Bank) -> dict[str, Any]:
    return {
        "documents": _latest(Document, bank, "-updated_at")
        .filter(corpus=None)
        .defer("text")[:_LATEST],
        "corpora": _latest(Corpus, bank, "name"),
        "mental_models": _latest(MentalModel, bank, "name")[:_LATEST],
        "directives": _latest(Directive, bank, "name")[:_LATEST],
    }


def _latest(model: Any, bank: Bank, order: str) -> QuerySet[Any]:
    found: QuerySet[Any] = model.objects.filter(bank_id=bank.pk)
    return found.order_by(order, "pk")


def _named(names: Any, counts: Any) -> list[dict[str, Any]]:
    return [
        {"key": key, "name": name, "count": counts[key]}
        for key, name in names.items()
        if key in counts
    ]
