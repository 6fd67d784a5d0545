"""Links that let somebody without an account read one page."""

from __future__ import annotations

from django.db import models

from memory.models.base import TenantEntity, ref


class ShareLink(TenantEntity):
    """Who has the signed address may read the page's published revision, and never ask it.

    ``max_uses`` 0 means no limit. A use is an opening of the page, counted in one UPDATE.
    """

    doc = ref("kb.Doc")
    created_by = models.ForeignKey("memory.User", on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    max_uses = models.PositiveIntegerField(default=0)
    used_count = models.PositiveIntegerField(default=0)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at",)
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="sharelink_tenant_id"),
            models.CheckConstraint(
                condition=models.Q(max_uses=0) | models.Q(used_count__lte=models.F("max_uses")),
                name="sharelink_within_its_uses",
            ),
        ]
        indexes = [models.Index(fields=("tenant", "doc"), name="sharelink_doc")]

    def __str__(self) -> str:
        return str(self.id)
