"""What was asked and how it ended. The history is append-only in the database."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from memory.models.base import TenantEntity, TenantModel, ref
from memory.types import AnswerKind


class _Asked(models.Model):
    """What is kept of every question, whatever it was put to."""

    question_id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    question_text = models.TextField()
    answer_kind = models.TextField(choices=[(kind.value, kind.value) for kind in AnswerKind])
    answer_text = models.TextField(null=True)  # noqa: DJ001  (the specification's column)
    confidence_score = models.DecimalField(max_digits=3, decimal_places=2, null=True)
    citations = models.JSONField(default=list)
    asked_by = models.UUIDField()
    trace_id = models.CharField(max_length=32, null=True)  # noqa: DJ001
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        abstract = True
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return str(self.question_id)


class QaQuestion(_Asked, TenantModel):
    """The specification's table, column by column (migration 0007). Never updated, never deleted."""

    append_only = True

    tenant = models.ForeignKey(
        "memory.Tenant",
        on_delete=models.DO_NOTHING,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )
    doc_id = models.UUIDField()

    class Meta(_Asked.Meta):
        db_table = "kb_qa_questions"
        verbose_name = _("question")
        verbose_name_plural = _("questions")
        # Besides the specification's own index: what everybody asked, newest first.
        indexes = [models.Index(fields=("tenant", "-created_at"), name="question_recent")]


class BaseQuestion(_Asked, TenantModel):
    """A question to the whole knowledge base. It has no page, which the other table demands."""

    append_only = True
    doc_id: ClassVar[None] = None

    class Meta(_Asked.Meta):
        db_table = "kb_qa_base_questions"
        verbose_name = _("question to the whole knowledge base")
        verbose_name_plural = _("questions to the whole knowledge base")
        constraints = [
            models.UniqueConstraint(fields=("tenant", "question_id"), name="basequestion_once"),
            models.CheckConstraint(
                condition=models.Q(answer_kind__in=[kind.value for kind in AnswerKind]),
                name="basequestion_kind",
            ),
        ]
        indexes = [
            models.Index(
                fields=("tenant", "asked_by", "-created_at"), name="basequestion_user_day"
            ),
            models.Index(fields=("tenant", "-created_at"), name="basequestion_recent"),
        ]


class AskedQuestion(_Asked):
    """Both tables as one, for reading: a view that is under the row security of what it reads.

    ``doc_id`` is None for a question to the whole knowledge base.
    """

    tenant = models.ForeignKey(
        "memory.Tenant", on_delete=models.DO_NOTHING, related_name="+", db_constraint=False
    )
    doc_id = models.UUIDField(null=True)

    class Meta(_Asked.Meta):
        db_table = "kb_qa_asked"
        managed = False


class QaTrace(TenantEntity):
    """What a replay of a question needs and the specification's table has no column for."""

    append_only = True

    question_id = models.UUIDField()
    doc_revision = models.PositiveIntegerField(null=True)
    reason = models.CharField(max_length=20, blank=True)
    claims = models.JSONField(default=list)
    missing = models.JSONField(default=list)
    unseen = models.JSONField(default=list)
    degraded = models.JSONField(default=list)
    stale = models.BooleanField(default=False)
    model = models.CharField(max_length=200, blank=True)
    context = models.JSONField(default=dict)  # chunks offered and left out, prompt and recipe names
    usage = models.JSONField(default=dict)
    timings_ms = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="qatrace_tenant_id"),
            models.UniqueConstraint(fields=("tenant", "question_id"), name="qatrace_once"),
        ]

    def __str__(self) -> str:
        return str(self.question_id)


class AskTicket(TenantEntity):
    """One admitted ask: the truth of the daily limit, and the home of an idempotency key."""

    user = models.ForeignKey("memory.User", on_delete=models.PROTECT, related_name="+")
    doc = ref("kb.Doc", null=True)
    question_id = models.UUIDField()
    question_sha256 = models.CharField(max_length=64)
    trace_id = models.CharField(max_length=32)
    asked_at = models.DateTimeField()
    counted = models.BooleanField(default=True)
    finished = models.BooleanField(default=False)
    client_token = models.CharField(max_length=200, null=True)  # noqa: DJ001  (null: no token, not unique)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("tenant", "id"), name="askticket_tenant_id"),
            models.UniqueConstraint(
                fields=("tenant", "user", "client_token"), name="askticket_token_once"
            ),
            models.UniqueConstraint(
                fields=("tenant", "question_id"), name="askticket_question_once"
            ),
        ]
        indexes = [
            models.Index(fields=("tenant", "user", "-asked_at"), name="askticket_window"),
            models.Index(
                fields=("tenant", "asked_at"),
                condition=models.Q(finished=False),
                name="askticket_open",
            ),
        ]

    def __str__(self) -> str:
        return str(self.question_id)


class Vote(models.TextChoices):
    UP = "up"
    DOWN = "down"


class Feedback(TenantEntity):
    """A reader's opinion of a reply. The last of each user counts; earlier ones are kept."""

    append_only = True

    question_id = models.UUIDField()
    user = models.ForeignKey("memory.User", on_delete=models.PROTECT, related_name="+")
    vote = models.CharField(max_length=4, choices=Vote.choices)
    comment = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-created_at",)
        constraints = [models.UniqueConstraint(fields=("tenant", "id"), name="feedback_tenant_id")]
        indexes = [
            models.Index(
                fields=("tenant", "question_id", "user", "-created_at"), name="feedback_last"
            )
        ]

    def __str__(self) -> str:
        return self.vote
