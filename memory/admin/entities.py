"""Who and what memories mention."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy
from unfold.decorators import display

from memory.admin import badges
from memory.admin.base import moment
from memory.admin.filters import DaysFilter
from memory.admin.reach import BankContentAdmin, BankFilter, CountedAdmin
from memory.admin_site import site
from memory.language.text import clean_text
from memory.levels import MEMORIES
from memory.models import Entity, Node, NodeEntity

_SHOWN = 25
_BESIDE = 15


@admin.register(Entity, site=site)
class EntityAdmin(CountedAdmin, BankContentAdmin):
    page_heading = gettext_lazy("Entity")
    change_form_template = "admin/memory/entity.html"
    list_display = ("label", "bank", "mention_count", "seen_first", "seen_last")
    list_filter = (BankFilter, ("last_seen", DaysFilter))
    search_fields = ("name",)
    search_help_text = gettext_lazy("A part of the name")
    ordering = ("-last_seen", "name", "pk")

    def count(self, rows: list[Any]) -> None:
        """One query. What lost to a newer memory does not count."""
        mentions = NodeEntity.objects.filter(
            entity_id__in=[entity.pk for entity in rows],
            node__superseded_at=None,
            node__level__in=MEMORIES,
        )
        found: dict[Any, int] = dict(
            mentions.order_by().values_list("entity_id").annotate(n=Count("node_id"))
        )
        for entity in rows:
            entity.mentions = found.get(entity.pk, 0)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        return super().get_search_results(request, queryset, clean_text(search_term))

    def facts(self, request: HttpRequest, obj: Any) -> dict[str, Any]:
        """Three queries."""
        self.count([obj])
        mentioned = NodeEntity.objects.filter(entity_id=obj.pk).values("node_id")
        nodes = Node.objects.filter(pk__in=mentioned, superseded_at=None, level__in=MEMORIES)
        beside = (
            NodeEntity.objects.filter(node_id__in=nodes.values("pk"))
            .exclude(entity_id=obj.pk)
            .order_by()
            .values("entity_id", "entity__name")
            .annotate(together=Count("node_id"))
            .order_by("-together", "entity__name")
        )
        return {
            "entity": obj,
            "memories": [
                {"node": node, "level_name": badges.LEVEL_NAMES[node.level]}
                for node in nodes.order_by("-mentioned_at", "-created_at", "pk")[:_SHOWN]
            ],
            "beside": list(beside[:_BESIDE]),
        }

    @display(description=gettext_lazy("Name"), ordering="name")
    def label(self, entity: Entity) -> SafeString:
        return format_html('<span class="fn-excerpt" dir="auto">{}</span>', entity.name)

    @display(description=gettext_lazy("Memories that mention it"))
    def mention_count(self, entity: Any) -> int:
        return entity.mentions

    @display(description=gettext_lazy("First seen"), ordering="first_seen")
    def seen_first(self, entity: Entity) -> str:
        return moment(entity.first_seen)

    @display(description=gettext_lazy("Last seen"), ordering="last_seen")
    def seen_last(self, entity: Entity) -> str:
        return moment(entity.last_seen)
