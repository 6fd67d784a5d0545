"""What was retained as one piece, and the files of corpora."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy
from unfold.contrib.filters.admin import RadioFilter
from unfold.decorators import display

from memory.admin import badges
from memory.admin.base import moment, pretty
from memory.admin.filters import DaysFilter
from memory.admin.reach import BankContentAdmin, BankFilter, CountedAdmin
from memory.admin_site import site
from memory.language.text import clean_text
from memory.levels import Level
from memory.models import Document, Node

_SHOWN = 60
_EXCERPT = 6_000  # code points of its text


class OriginFilter(RadioFilter):
    title = gettext_lazy("origin")
    parameter_name = "origin"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("retained", gettext_lazy("Retained")), ("corpus", gettext_lazy("Of a corpus"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        match self.value():
            case "retained":
                return queryset.filter(corpus=None)
            case "corpus":
                return queryset.exclude(corpus=None)
        return queryset


@admin.register(Document, site=site)
class DocumentAdmin(CountedAdmin, BankContentAdmin):
    page_heading = gettext_lazy("Document")
    change_form_template = "admin/memory/document.html"
    list_display = (
        "label",
        "bank",
        "corpus_name",
        "facts_count",
        "passages",
        "tag_names",
        "changed",
    )
    list_filter = (BankFilter, OriginFilter, ("updated_at", DaysFilter))
    search_fields = ("name",)
    search_help_text = gettext_lazy("A part of the name")
    ordering = ("-updated_at", "pk")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Document]:
        return super().get_queryset(request).select_related("bank", "corpus").defer("text")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        return super().get_search_results(request, queryset, clean_text(search_term))

    def count(self, rows: list[Any]) -> None:
        """One query."""
        found: dict[Any, dict[str, int]] = {document.pk: {} for document in rows}
        nodes = Node.objects.filter(document_id__in=list(found)).order_by()
        for document_id, level, number in nodes.values_list("document_id", "level").annotate(
            n=Count("pk")
        ):
            found[document_id][level] = number
        for document in rows:
            document.by_level = found[document.pk]

    def facts(self, request: HttpRequest, obj: Document) -> dict[str, Any]:
        """Three queries."""
        nodes = Node.objects.filter(document_id=obj.pk)
        text = obj.text
        return {
            "document": obj,
            "text": text[:_EXCERPT],
            "more": max(len(text) - _EXCERPT, 0),
            "metadata": pretty(obj.metadata) if obj.metadata else "",
            "nodes": [
                {
                    "node": node,
                    "level_name": badges.LEVEL_NAMES[node.level],
                    "level_colour": badges.LEVEL_COLOURS[node.level],
                }
                for node in nodes.order_by("-level", "ordinal", "pk")[:_SHOWN]
            ],
            "node_count": nodes.count(),
        }

    @display(description=gettext_lazy("Document"), ordering="name")
    def label(self, document: Document) -> SafeString:
        return format_html('<span class="fn-excerpt" dir="auto">{}</span>', document.name[:120])

    @display(description=gettext_lazy("Corpus"), ordering="corpus__name")
    def corpus_name(self, document: Document) -> str | None:
        return document.corpus.name if document.corpus else None

    @display(description=gettext_lazy("Facts"))
    def facts_count(self, document: Any) -> int:
        return document.by_level.get(Level.L1, 0)

    @display(description=gettext_lazy("Passages"))
    def passages(self, document: Any) -> int:
        return document.by_level.get(Level.L0, 0) + document.by_level.get(Level.R, 0)

    @display(description=gettext_lazy("Tags"))
    def tag_names(self, document: Document) -> str:
        return ", ".join(map(str, document.tags[:6]))

    @display(description=gettext_lazy("Changed"), ordering="updated_at")
    def changed(self, document: Document) -> str:
        return moment(document.updated_at)
