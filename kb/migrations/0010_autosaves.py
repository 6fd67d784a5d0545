"""One mutable row for what somebody is writing."""

from __future__ import annotations

import uuid

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from memory.schema import row_security, tenant_foreign_key


class Migration(migrations.Migration):

    dependencies = [
        ("kb", "0009_importing"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Autosave",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("title", models.CharField(blank=True, max_length=300)),
                ("source", models.TextField(blank=True)),
                ("source_format", models.CharField(choices=[("markdown", "Markdown"), ("html", "HTML")], max_length=10)),
                ("base_revision", models.PositiveIntegerField(null=True)),
                ("saved_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("doc", models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="kb.doc")),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
                ("user", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "id"), name="autosave_tenant_id"),
                    models.UniqueConstraint(fields=("tenant", "user", "doc"), name="autosave_once", nulls_distinct=False),
                ],
            },
        ),
        tenant_foreign_key("kb_autosave", "doc_id", "kb_doc", on_delete="CASCADE"),
        row_security("kb_autosave"),
    ]
