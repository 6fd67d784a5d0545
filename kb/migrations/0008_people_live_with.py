"""Images, feedback, share links, former addresses, categories."""

from __future__ import annotations

import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models

from memory.schema import row_security, tenant_foreign_key


class Migration(migrations.Migration):

    dependencies = [
        ("kb", "0007_qa_questions"),
        ("memory", "0002_row_security"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="doc",
            name="category",
            field=models.CharField(blank=True, choices=[("how_to", "How-to"), ("reference", "Reference"), ("decision_log", "Decision log"), ("policy", "Policy"), ("runbook", "Runbook")], max_length=16),
        ),
        migrations.CreateModel(
            name="Attachment",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=200)),
                ("media_type", models.CharField(max_length=40)),
                ("sha256", models.CharField(max_length=64)),
                ("width", models.PositiveIntegerField()),
                ("height", models.PositiveIntegerField()),
                ("content", models.BinaryField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("created_by", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("doc", models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="kb.doc")),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
            ],
            options={
                "ordering": ("-created_at",),
                "indexes": [models.Index(fields=["tenant", "doc"], name="attachment_doc")],
                "constraints": [models.UniqueConstraint(fields=("tenant", "id"), name="attachment_tenant_id")],
            },
        ),
        migrations.CreateModel(
            name="Feedback",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("question_id", models.UUIDField()),
                ("vote", models.CharField(choices=[("up", "Up"), ("down", "Down")], max_length=4)),
                ("comment", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
                ("user", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
            ],
            options={
                "ordering": ("-created_at",),
                "indexes": [models.Index(fields=["tenant", "question_id", "user", "-created_at"], name="feedback_last")],
                "constraints": [models.UniqueConstraint(fields=("tenant", "id"), name="feedback_tenant_id")],
            },
        ),
        migrations.CreateModel(
            name="ShareLink",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField()),
                ("max_uses", models.PositiveIntegerField(default=0)),
                ("used_count", models.PositiveIntegerField(default=0)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("created_by", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("doc", models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="kb.doc")),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
            ],
            options={
                "ordering": ("-created_at",),
                "indexes": [models.Index(fields=["tenant", "doc"], name="sharelink_doc")],
                "constraints": [models.UniqueConstraint(fields=("tenant", "id"), name="sharelink_tenant_id"), models.CheckConstraint(condition=models.Q(("max_uses", 0), ("used_count__lte", models.F("max_uses")), _connector="OR"), name="sharelink_within_its_uses")],
            },
        ),
        migrations.CreateModel(
            name="SlugRedirect",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("slug", models.CharField(max_length=200)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("doc", models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="kb.doc")),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("tenant", "id"), name="slugredirect_tenant_id"), models.UniqueConstraint(fields=("tenant", "slug"), name="slugredirect_once")],
            },
        ),
        tenant_foreign_key("kb_attachment", "doc_id", "kb_doc"),
        tenant_foreign_key("kb_feedback", "question_id", "kb_qa_questions", to_column="question_id"),
        tenant_foreign_key("kb_sharelink", "doc_id", "kb_doc"),
        tenant_foreign_key("kb_slugredirect", "doc_id", "kb_doc"),
        row_security("kb_attachment"),
        row_security("kb_feedback"),
        row_security("kb_sharelink"),
        row_security("kb_slugredirect"),
    ]
