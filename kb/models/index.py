"""What a page was cut into."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from memory.models.base import TenantEntity, ref
from memory.types import BlockKind


class IndexState(models.TextChoices):
    PENDING = "pending", _("Being prepared")
    READY = "ready", _("Ready")
    FAILED = "failed", _("Failed")


class Chunk(TenantEntity):
    """A span of a revision, kept for citations and replay as long as the revision is.

    Its text is ``revision.text[char_start:char_end]`` and is stored nowhere else.
    """

    doc = ref("kb.Doc")
    revision = ref("kb.Revision")
    chunker = models.CharField(max_length=20)  # version of the rules that cut it
    ordinal = models.PositiveIntegerField()
    char_start = models.PositiveIntegerField()
    char_end = models.PositiveIntegerField()
    heading_path = ArrayField(models.TextField(), default=list)
    kind = models.CharField(max_length=16, choices=[(kind.value, kind.value) for kind in BlockKind])
    token_count = models.PositiveIntegerField()
    header_start = models.PositiveIntegerField(null=True)  # a table's column names, for a model
    header_end = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ("revision", "ordinal")
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="chunk_tenant_id"),
            models.UniqueConstraint(
                fields=("tenant", "revision", "chunker", "ordinal"), name="chunk_once"
            ),
            models.CheckConstraint(
                condition=models.Q(char_end__gt=models.F("char_start")), name="chunk_not_empty"
            ),
        ]
        indexes = [models.Index(fields=("tenant", "doc"), name="chunk_doc")]

    def __str__(self) -> str:
        return f"{self.ordinal}: {self.char_start}-{self.char_end}"
