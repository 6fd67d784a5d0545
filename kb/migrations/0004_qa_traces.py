from __future__ import annotations

import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("kb", "0003_ask_tickets"), ("memory", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="QaTrace",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("question_id", models.UUIDField()),
                ("doc_revision", models.PositiveIntegerField(null=True)),
                ("reason", models.CharField(blank=True, max_length=20)),
                ("claims", models.JSONField(default=list)),
                ("missing", models.JSONField(default=list)),
                ("unseen", models.JSONField(default=list)),
                ("degraded", models.JSONField(default=list)),
                ("stale", models.BooleanField(default=False)),
                ("model", models.CharField(blank=True, max_length=200)),
                ("context", models.JSONField(default=dict)),
                ("usage", models.JSONField(default=dict)),
                ("timings_ms", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("tenant", "id"), name="qatrace_tenant_id"), models.UniqueConstraint(fields=("tenant", "question_id"), name="qatrace_once")],
            },
        ),
    ]
