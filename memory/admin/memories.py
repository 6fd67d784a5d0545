"""Memories: passages, facts, observations and references of banks, each with what it rests on."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator, format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.contrib.filters.admin import RadioFilter
from unfold.decorators import display

from memory.admin import badges, kinship
from memory.admin.base import code, moment, pretty
from memory.admin.filters import DaysFilter, TypedFilter, ValuesFilter, as_uuid
from memory.admin.reach import BankContentAdmin, BankFilter
from memory.admin_site import site
from memory.browsing import memories as browsing
from memory.language.text import clean_text
from memory.models import Document, Node, NodeEntity, NodeTag, Vector

_EXCERPT = 150
_PATH = 80
_SHA = 6  # hex digits that make a word of the search a sha


class LevelFilter(ValuesFilter):
    title = gettext_lazy("level")
    parameter_name = "level"
    names = {
        level: format_lazy("{} · {}", level, name) for level, name in badges.LEVEL_NAMES.items()
    }


class TypeFilter(ValuesFilter):
    title = gettext_lazy("type")
    parameter_name = "fact_type"
    names = badges.TYPE_NAMES


class StateFilter(RadioFilter):
    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("current", gettext_lazy("Current")), ("superseded", gettext_lazy("Superseded"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if self.value() not in ("current", "superseded"):
            return queryset
        return queryset.filter(superseded_at__isnull=self.value() == "current")


class TagFilter(TypedFilter):
    """A whole tag."""

    title = gettext_lazy("tag")
    parameter_name = "tag"

    def found(self, request: HttpRequest, queryset: QuerySet, typed: str) -> QuerySet:
        tagged = NodeTag.objects.filter(
            bank_id=OuterRef("bank_id"), node_id=OuterRef("pk"), tag=typed
        )
        return queryset.filter(Exists(tagged))


class EntityFilter(TypedFilter):
    """An entity's id, or a part of its name."""

    title = gettext_lazy("entity")
    parameter_name = "entity"

    def found(self, request: HttpRequest, queryset: QuerySet, typed: str) -> QuerySet:
        mentions = NodeEntity.objects.filter(node_id=OuterRef("pk"))
        if entity_id := as_uuid(typed):
            return queryset.filter(Exists(mentions.filter(entity_id=entity_id)))
        return queryset.filter(Exists(mentions.filter(entity__name__icontains=typed)))


@admin.register(Node, site=site)
class NodeAdmin(BankContentAdmin):
    page_heading = gettext_lazy("Memory")
    change_form_template = "admin/memory/memory.html"
    list_before_template = "admin/memory/memories_lead.html"
    list_display = ("excerpt", "level_badge", "kind", "bank", "state", "sources", "said")
    list_display_links = ("excerpt",)
    list_filter = (
        BankFilter,
        LevelFilter,
        TypeFilter,
        StateFilter,
        TagFilter,
        EntityFilter,
        ("mentioned_at", DaysFilter),
        ("created_at", DaysFilter),
    )
    search_fields = ("text",)
    search_help_text = gettext_lazy("Words of the text, a sha or its beginning, or an id")
    ordering = ("-created_at", "pk")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        term = clean_text(search_term).strip()
        if found := as_uuid(term):
            return queryset.filter(Q(pk=found) | Q(document_id=found)), False
        if len(term) >= _SHA and not set(term.lower()) - set("0123456789abcdef"):
            return queryset.filter(sha__startswith=term.lower()), False
        for word in term.split():
            queryset = queryset.filter(text__icontains=word)
        return queryset, False

    def facts(self, request: HttpRequest, obj: Node) -> dict[str, Any]:
        """Sixteen queries at most, however many memories it hangs together with."""
        document = chunk = None
        if obj.document_id is not None:
            document = Document.objects.filter(pk=obj.document_id).defer("text").first()
        if obj.chunk_id is not None:
            chunk = Node.objects.filter(pk=obj.chunk_id).only("pk", "ordinal").first()
        return {
            "node": obj,
            "level_name": badges.LEVEL_NAMES[obj.level],
            "level_colour": badges.LEVEL_COLOURS[obj.level],
            "type_name": badges.TYPE_NAMES.get(obj.fact_type, ""),
            "document": document,
            "chunk": chunk,
            "metadata": pretty(obj.metadata) if obj.metadata else "",
            "vectors": list(
                Vector.objects.filter(node_id=obj.pk)
                .values_list("recipe", flat=True)
                .order_by("recipe")
            ),
            "history": [
                {
                    "change": change,
                    "name": badges.CHANGE_NAMES[change.kind],
                    "before": pretty(change.before) if change.before else "",
                }
                for change in browsing.history(obj)
            ],
            **kinship.pictures(obj),
        }

    @display(description=gettext_lazy("Memory"))
    def excerpt(self, node: Node) -> SafeString:
        return format_html(
            '<span class="fn-excerpt" dir="auto">{}</span><span class="fn-under">{}{}</span>',
            Truncator(node.said).chars(_EXCERPT),
            _place(node),
            code(node.sha, shown=12),
        )

    @display(description=gettext_lazy("Level"), label=badges.LEVEL_COLOURS, ordering="level")
    def level_badge(self, node: Node) -> tuple[str, str]:
        return node.level, f"{node.level} · {badges.LEVEL_NAMES[node.level]}"

    @display(description=gettext_lazy("Type"), ordering="fact_type")
    def kind(self, node: Node) -> str:
        return str(badges.TYPE_NAMES.get(node.fact_type, ""))

    @display(description=gettext_lazy("State"), ordering="superseded_at")
    def state(self, node: Node) -> SafeString | str:
        """Only what is out of the ordinary is said."""
        if node.superseded_at is None:
            return ""
        return format_html('<span class="fn-warn">{}</span>', _("superseded"))

    @display(description=gettext_lazy("Sources"), ordering="proof_count")
    def sources(self, node: Node) -> int:
        return node.proof_count

    @display(description=gettext_lazy("Said"), ordering="mentioned_at")
    def said(self, node: Node) -> str:
        return moment(node.mentioned_at)


def _place(node: Node) -> SafeString:
    """The headings that it stands below."""
    path = " › ".join(node.heading_path)
    return format_html("<bdi>{}</bdi> · ", Truncator(path).chars(_PATH)) if path else SafeString()
