"""What was recorded: the audit chain and the events. Read-only; the database refuses anything else."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.decorators import display

from memory import audit
from memory.admin.base import TenantModelAdmin, code, moment, pretty
from memory.admin.filters import DaysFilter, ValuesFilter
from memory.admin_site import site
from memory.events import EventName
from memory.models import AuditEntry, Event
from memory.models.audit import Severity

SEVERITY_COLOURS = {Severity.SEV_2: "danger", Severity.SEV_3: "warning"}


class KindFilter(ValuesFilter):
    title = gettext_lazy("kind")
    parameter_name = "kind"

    def values(self) -> dict[str, str]:
        return {kind: kind for kind in sorted(audit.kinds())}


class EventNameFilter(ValuesFilter):
    title = gettext_lazy("event")
    parameter_name = "name"
    names = {name.value: name.value for name in EventName}


class SeverityFilter(ValuesFilter):
    title = gettext_lazy("severity")
    parameter_name = "severity"
    names = {str(value): str(value) for value in Severity.values}


class _RecordAdmin(TenantModelAdmin):
    search_fields = ("trace_id",)
    search_help_text = gettext_lazy("A trace id, or its beginning")
    list_fullwidth = True

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        term = search_term.strip().lower().replace("-", "")
        return (queryset.filter(trace_id__startswith=term) if term else queryset), False

    @display(description=gettext_lazy("Time"), ordering="created_at")
    def at(self, row: AuditEntry | Event) -> str:
        return moment(row.created_at)

    @display(description=gettext_lazy("Trace"))
    def trace(self, row: AuditEntry | Event) -> SafeString:
        return code(row.trace_id)


@admin.register(AuditEntry, site=site)
class AuditEntryAdmin(_RecordAdmin):
    list_display = ("seq", "kind", "at", "trace", "short_hash")
    list_filter = (KindFilter, ("created_at", DaysFilter))
    ordering = ("-seq",)
    fields = ("seq", "kind", "created_at", "trace", "contents", "previous", "own", "holds")
    readonly_fields = fields

    @display(description=gettext_lazy("Hash"))
    def short_hash(self, entry: AuditEntry) -> SafeString:
        return code(entry.hash, shown=16)

    @display(description=gettext_lazy("Body"))
    def contents(self, entry: AuditEntry) -> SafeString:
        return pretty(entry.body)

    @display(description=gettext_lazy("Hash of the entry before"))
    def previous(self, entry: AuditEntry) -> SafeString:
        return code(entry.prev_hash)

    @display(description=gettext_lazy("Hash"))
    def own(self, entry: AuditEntry) -> SafeString:
        return code(entry.hash)

    @display(description=gettext_lazy("Its content"))
    def holds(self, entry: AuditEntry) -> str:
        if audit.entry_hash(entry) == entry.hash:
            return _("is what was hashed")
        return _("is NOT what was hashed: run manage.py audit verify")


@admin.register(Event, site=site)
class EventAdmin(_RecordAdmin):
    list_display = ("at", "badge", "name", "trace", "summary")
    list_display_links = ("at", "name")
    list_filter = (SeverityFilter, EventNameFilter, ("created_at", DaysFilter))
    ordering = ("-created_at",)
    fields = ("created_at", "severity", "name", "trace", "contents")
    readonly_fields = fields

    @display(description=gettext_lazy("Severity"), label=SEVERITY_COLOURS, ordering="severity")
    def badge(self, event: Event) -> tuple[int, str]:
        return event.severity, f"sev-{event.severity}"

    @display(description=gettext_lazy("Data"))
    def summary(self, event: Event) -> str:
        return ", ".join(f"{name} {value}" for name, value in sorted(event.data.items()))

    @display(description=gettext_lazy("Data"))
    def contents(self, event: Event) -> SafeString:
        return pretty(event.data)
