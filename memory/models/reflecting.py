"""What shapes an answer from a bank: standing questions with their answers, and rules."""

from __future__ import annotations

from typing import Any

from django.db import models

from memory.models.base import TenantEntity, ref


def default_trigger() -> dict[str, Any]:
    return {"mode": "full", "refresh_after_consolidation": False}


class MentalModel(TenantEntity):
    """A stored question with the answer that the bank gave to it last.

    ``name`` is the caller's id, ``title`` what people read. ``seen_at``: memories of its scope that
    changed later have not been looked at. ``based_on`` is what the answer cites.
    """

    bank = ref("memory.Bank")
    name = models.CharField(max_length=200)
    title = models.CharField(max_length=300)
    query = models.TextField()
    content = models.TextField(blank=True)
    tags = models.JSONField(default=list)
    max_tokens = models.PositiveIntegerField(default=2048)
    trigger = models.JSONField(default=default_trigger)
    based_on = models.JSONField(default=dict)  # ids of memories and documents, names of models
    history = models.JSONField(default=list)  # what it said before and rested on, newest first
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    refreshed_at = models.DateTimeField(null=True)
    failed_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="mentalmodel_tenant_id"),
            models.UniqueConstraint(fields=("tenant", "bank", "name"), name="mentalmodel_once"),
        ]

    def __str__(self) -> str:
        return self.title


class Directive(TenantEntity):
    """A rule that every answer from its bank must keep. Higher priorities come first."""

    bank = ref("memory.Bank")
    name = models.CharField(max_length=200)
    content = models.TextField()
    priority = models.IntegerField(default=0)
    is_active = models.BooleanField(default=True)
    tags = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="directive_tenant_id"),
        ]

    def __str__(self) -> str:
        return self.name


class ChangeKind(models.TextChoices):
    EDITED = "edited"
    INVALIDATED = "invalidated"
    RESTORED = "restored"
    REWRITTEN = "rewritten"  # an observation, by consolidation


class MemoryChange(TenantEntity):
    """What was changed in a memory, and what it said before. It goes with its memory."""

    bank = ref("memory.Bank", db_index=False)
    node = ref("memory.Node", db_index=False)
    kind = models.CharField(max_length=12, choices=ChangeKind.choices)
    before = models.JSONField(default=dict)
    reason = models.TextField(blank=True)
    changed_by = models.ForeignKey(
        "memory.User", on_delete=models.PROTECT, related_name="+", null=True
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="memorychange_tenant_id"),
            models.CheckConstraint(
                condition=models.Q(kind__in=ChangeKind.values), name="memorychange_kind"
            ),
        ]
        indexes = [
            models.Index(fields=("tenant", "node", "-created_at"), name="memorychange_latest")
        ]

    def __str__(self) -> str:
        return f"{self.node_id} {self.kind}"
