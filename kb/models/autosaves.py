"""What somebody is writing right now."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now

from kb.models.docs import SourceFormat
from memory.models.base import TenantEntity, ref


class Autosave(TenantEntity):
    """The unsaved words of one person on one page (null: on a new one). Never a revision.

    One row, written over every few seconds; only its writer ever sees it.
    """

    user = models.ForeignKey("memory.User", on_delete=models.CASCADE, related_name="+")
    doc = ref("kb.Doc", null=True)
    title = models.CharField(max_length=300, blank=True)
    source = models.TextField(blank=True)
    source_format = models.CharField(max_length=10, choices=SourceFormat.choices)
    base_revision = models.PositiveIntegerField(null=True)  # the revision that it started from
    saved_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="autosave_tenant_id"),
            models.UniqueConstraint(
                fields=("tenant", "user", "doc"), name="autosave_once", nulls_distinct=False
            ),
        ]

    def __str__(self) -> str:
        return self.title
