"""Images of pages. They lie in the database, under the same row security as the page."""

from __future__ import annotations

from django.db import models

from memory.models.base import TenantEntity, ref


class Attachment(TenantEntity):
    """An image. Who may see its page may see it; before it has a page, only who uploaded it."""

    doc = ref("kb.Doc", null=True)
    name = models.CharField(max_length=200)
    media_type = models.CharField(max_length=40)
    sha256 = models.CharField(max_length=64)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    content = models.BinaryField()
    created_by = models.ForeignKey("memory.User", on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-created_at",)
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="attachment_tenant_id")
        ]
        indexes = [models.Index(fields=("tenant", "doc"), name="attachment_doc")]

    def __str__(self) -> str:
        return self.name
