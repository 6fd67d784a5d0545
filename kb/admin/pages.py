"""Pages: what state they and their index are in. They are written in the browser or the API, not here."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST
from kombu.exceptions import OperationalError as BrokerUnreachable
from unfold.contrib.filters.admin import AllValuesCheckboxFilter, ChoicesCheckboxFilter, RadioFilter
from unfold.decorators import action, display

from kb import access, addresses, intake, selectors, tasks
from kb.admin import badges
from kb.models import Chunk, Doc, IndexState, QaQuestion, Status
from memory.admin.base import TenantModelAdmin, actor, moment, tenant
from memory.admin_site import is_admin, site
from memory.models import Node, Vector

logger = logging.getLogger(__name__)

_REVISIONS_SHOWN = 30
_AT_ONCE = 20


class BinFilter(RadioFilter):
    """Pages in the bin are not listed unless asked for."""

    title = gettext_lazy("place")
    parameter_name = "place"
    all_option = None

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("", gettext_lazy("Pages")), ("bin", gettext_lazy("Bin"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        return queryset.filter(deleted_at__isnull=self.value() != "bin")


@admin.register(Doc, site=site)
class DocAdmin(TenantModelAdmin):
    page_heading = gettext_lazy("Page")
    change_form_template = "admin/page.html"
    list_display = (
        "heading",
        "status_badge",
        "visibility_badge",
        "index_badge",
        "language",
        "owner",
        "changed",
    )
    list_filter = (
        ("index_state", ChoicesCheckboxFilter),
        ("status", ChoicesCheckboxFilter),
        ("visibility", ChoicesCheckboxFilter),
        ("language", AllValuesCheckboxFilter),
        BinFilter,
    )
    list_select_related = ("owner",)
    list_fullwidth = True
    search_fields = ("title", "slug")
    search_help_text = gettext_lazy("Words of the title or the address")
    ordering = ("-updated_at",)
    actions = ("index_chosen_again",)
    fields = ("title",)
    readonly_fields = ("title",)

    def has_reindex_permission(self, request: HttpRequest) -> bool:
        return is_admin(request)

    @action(description=gettext_lazy("Index again"), permissions=("reindex",))
    def index_chosen_again(self, request: HttpRequest, queryset: QuerySet[Doc]) -> None:
        self._index_again(request, queryset)

    def get_urls(self) -> list[URLPattern]:
        failed = self.admin_site.admin_view(require_POST(self._retry_failed_view))
        return [
            self.posted("index", self._index_again_view),
            path("retry-failed/", failed, name="kb_doc_retry_failed"),
            *super().get_urls(),
        ]

    def _index_again_view(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        found = self.get_queryset(request).filter(pk=object_id)
        if not found.exists():
            raise Http404
        self._index_again(request, found)
        return self.to_row(object_id)

    def _retry_failed_view(self, request: HttpRequest) -> HttpResponse:
        self._index_again(request, Doc.objects.filter(index_state=IndexState.FAILED))
        return redirect(f"{self.admin_site.name}:index")

    @staticmethod
    def _index_again(request: HttpRequest, chosen: QuerySet[Doc]) -> None:
        """A few pages at once, many by a worker: they keep their state until it came to them."""
        wanted = chosen.filter(deleted_at=None).exclude(status=Status.ARCHIVED)
        doc_ids = list(wanted.order_by("pk").values_list("pk", flat=True))
        count = len(doc_ids)
        if count <= _AT_ONCE:
            for doc in wanted:
                intake.retry_index(doc)
        elif not _hand_to_worker(tenant(request).pk, doc_ids):
            messages.error(request, _("No worker can be reached. Please try again in a moment."))
            return
        said = ngettext(
            "%(count)s page is being indexed again.",
            "%(count)s pages are being indexed again.",
            count,
        )
        messages.success(request, said % {"count": count})
        if skipped := chosen.count() - count:
            said = ngettext(
                "%(count)s archived or deleted page has no index.",
                "%(count)s archived or deleted pages have no index.",
                skipped,
            )
            messages.info(request, said % {"count": skipped})

    def facts(self, request: HttpRequest, obj: Doc) -> dict[str, Any]:
        return _facts(request, obj)

    @display(description=gettext_lazy("Page"), ordering="title")
    def heading(self, doc: Doc) -> SafeString:
        return format_html(
            '<span class="fn-excerpt" dir="auto">{}</span><span class="fn-under">{}</span>',
            doc.title,
            doc.slug,
        )

    @display(description=gettext_lazy("Changed"), ordering="updated_at")
    def changed(self, doc: Doc) -> str:
        return moment(doc.updated_at)

    @display(description=gettext_lazy("Status"), label=badges.STATUS_COLOURS, ordering="status")
    def status_badge(self, doc: Doc) -> tuple[str, str]:
        return doc.status, doc.get_status_display()

    @display(
        description=gettext_lazy("Readers"), label=badges.VISIBILITY_COLOURS, ordering="visibility"
    )
    def visibility_badge(self, doc: Doc) -> tuple[str, str]:
        return doc.visibility, doc.get_visibility_display()

    @display(description=gettext_lazy("Index"), label=badges.INDEX_COLOURS, ordering="index_state")
    def index_badge(self, doc: Doc) -> tuple[str, str]:
        return doc.index_state, doc.get_index_state_display()


def _hand_to_worker(tenant_id: UUID, doc_ids: Iterable[UUID]) -> bool:
    """False where the broker cannot be reached: what it took before is done all the same."""
    try:
        for doc_id in doc_ids:
            tasks.rebuild_page.delay(str(tenant_id), str(doc_id))
    except BrokerUnreachable:
        logger.warning("broker_unreachable", extra={"tenant_id": str(tenant_id)})
        return False
    return True


def _facts(request: HttpRequest, doc: Doc) -> dict[str, Any]:
    """What the page of a page shows. Nine queries, however many revisions and links there are."""
    revisions = selectors.revisions(doc).only(
        "number", "title", "source_format", "sha256", "created_at", "created_by"
    )
    nodes = Node.objects.filter(document_id=doc.pk)
    member = actor(request)
    return {
        "doc": doc,
        "owner": doc.owner,
        "status_colour": badges.STATUS_COLOURS[doc.status],
        "visibility_colour": badges.VISIBILITY_COLOURS[doc.visibility],
        "index_colour": badges.INDEX_COLOURS[doc.index_state],
        "page_url": addresses.page_url(member.tenant.slug, doc.slug)
        if access.visible_docs(member).filter(pk=doc.pk).exists()
        else None,
        "may_index": doc.deleted_at is None and doc.status != Status.ARCHIVED,
        "revisions": list(revisions[:_REVISIONS_SHOWN]),
        "chunks": Chunk.objects.filter(doc=doc, revision=doc.indexed_revision_id).count(),
        "nodes": nodes.count(),
        "vectors": list(
            Vector.objects.filter(node__in=nodes)
            .values("recipe")
            .annotate(count=Count("node_id"))
            .order_by("recipe")
        ),
        "links_out": list(selectors.links_from(member, doc)),
        "links_in": list(selectors.links_to(member, doc)),
        "questions": QaQuestion.objects.filter(doc_id=doc.pk).count(),
    }
