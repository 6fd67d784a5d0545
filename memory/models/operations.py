"""Asynchronous work that a caller can watch, cancel and try again."""

from __future__ import annotations

from django.db import models

from memory.models.base import TenantEntity, ref


class OperationStatus(models.TextChoices):
    PENDING = "pending"
    PROCESSING = "processing"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class OperationType(models.TextChoices):
    RETAIN = "retain"
    CONSOLIDATION = "consolidation"
    REFRESH_MENTAL_MODEL = "refresh_mental_model"
    REPROCESS = "reprocess_document"


class Operation(TenantEntity):
    """What was accepted stands here before the caller is told so; a worker that dies loses nothing."""

    bank = ref("memory.Bank", db_index=False)
    type = models.CharField(max_length=30, choices=OperationType.choices)
    status = models.CharField(
        max_length=12, choices=OperationStatus.choices, default=OperationStatus.PENDING
    )
    payload = models.JSONField(default=dict)
    items_count = models.PositiveIntegerField(default=0)
    items_done = models.PositiveIntegerField(default=0)
    result = models.JSONField(default=dict)
    error = models.TextField(blank=True)  # a sentence for people
    attempts = models.PositiveIntegerField(default=0)
    parent = ref("memory.Operation", null=True, db_index=False)
    created_by = models.ForeignKey(
        "memory.User", on_delete=models.PROTECT, related_name="+", null=True
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="operation_tenant_id"),
            models.CheckConstraint(
                condition=models.Q(status__in=OperationStatus.values), name="operation_status"
            ),
        ]
        indexes = [
            models.Index(fields=("tenant", "bank", "-created_at"), name="operation_latest"),
            models.Index(
                fields=("tenant", "updated_at"),
                condition=models.Q(status__in=("pending", "processing")),
                name="operation_open",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.status}"
