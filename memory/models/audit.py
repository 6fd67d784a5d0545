"""What happened. Both tables are append-only; the entries form one hash chain per tenant."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from memory.models.base import TenantEntity, TenantModel


class AuditEntry(TenantEntity):
    """A link of a tenant's chain. ``body`` holds ids and hashes, never a question or an answer."""

    append_only = True

    seq = models.PositiveBigIntegerField()
    kind = models.CharField(max_length=60)
    trace_id = models.CharField(max_length=32, blank=True)
    body = models.JSONField()
    created_at = models.DateTimeField()
    prev_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit entries")
        ordering = ("-seq",)
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="auditentry_tenant_id"),
            models.UniqueConstraint(fields=("tenant", "seq"), name="auditentry_seq_once"),
        ]
        indexes = [models.Index(fields=("tenant", "trace_id"), name="auditentry_trace")]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"


class AuditHead(TenantModel):
    """The end of a tenant's chain: the one row that is updated, and what writers queue on."""

    tenant = models.OneToOneField(
        "memory.Tenant", on_delete=models.PROTECT, related_name="+", primary_key=True
    )
    seq = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64)


class Severity(models.IntegerChoices):
    SEV_2 = 2, "2"
    SEV_3 = 3, "3"


class Event(TenantEntity):
    """A fault (severity 2) or a limit that bit (severity 3), for operators. Ids and counts, no text."""

    append_only = True

    severity = models.SmallIntegerField(choices=Severity.choices)
    name = models.CharField(max_length=60)
    trace_id = models.CharField(max_length=32, blank=True)
    data = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ("-created_at",)
        constraints = [models.UniqueConstraint(fields=("tenant", "id"), name="event_tenant_id")]
        indexes = [models.Index(fields=("tenant", "-created_at"), name="event_recent")]

    def __str__(self) -> str:
        return f"sev-{self.severity} {self.name}"
