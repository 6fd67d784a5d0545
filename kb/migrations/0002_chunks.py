from __future__ import annotations

import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("kb", "0001_pages"), ("memory", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Chunk",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("chunker", models.CharField(max_length=20)),
                ("ordinal", models.PositiveIntegerField()),
                ("char_start", models.PositiveIntegerField()),
                ("char_end", models.PositiveIntegerField()),
                ("heading_path", django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None)),
                ("kind", models.CharField(choices=[("heading", "heading"), ("paragraph", "paragraph"), ("list_item", "list_item"), ("table_header", "table_header"), ("table_row", "table_row"), ("code", "code")], max_length=16)),
                ("token_count", models.PositiveIntegerField()),
                ("header_start", models.PositiveIntegerField(null=True)),
                ("header_end", models.PositiveIntegerField(null=True)),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
                ("doc", models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="kb.doc")),
                ("revision", models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="kb.revision")),
            ],
            options={
                "ordering": ("revision", "ordinal"),
            },
        ),
        migrations.AddIndex(
            model_name="chunk",
            index=models.Index(fields=["tenant", "doc"], name="chunk_doc"),
        ),
        migrations.AddConstraint(
            model_name="chunk",
            constraint=models.UniqueConstraint(fields=("tenant", "id"), name="chunk_tenant_id"),
        ),
        migrations.AddConstraint(
            model_name="chunk",
            constraint=models.UniqueConstraint(fields=("tenant", "revision", "chunker", "ordinal"), name="chunk_once"),
        ),
        migrations.AddConstraint(
            model_name="chunk",
            constraint=models.CheckConstraint(condition=models.Q(("char_end__gt", models.F("char_start"))), name="chunk_not_empty"),
        ),
    ]
