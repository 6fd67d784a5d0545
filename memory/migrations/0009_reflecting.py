"""Mental models, directives and the changes of memories."""

from __future__ import annotations

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import memory.models.reflecting
from memory.schema import row_security, tenant_foreign_key


def own_id() -> models.UUIDField:
    return models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)


def ref(to: str, *, db_index: bool = True) -> models.ForeignKey:
    return models.ForeignKey(
        db_constraint=False,
        db_index=db_index,
        on_delete=django.db.models.deletion.DO_NOTHING,
        related_name="+",
        to=to,
    )


def tenant() -> models.ForeignKey:
    return models.ForeignKey(
        db_index=False,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        to="memory.tenant",
    )


CHANGES = [
    ("edited", "Edited"),
    ("invalidated", "Invalidated"),
    ("restored", "Restored"),
    ("rewritten", "Rewritten"),
]


class Migration(migrations.Migration):
    dependencies = [("memory", "0008_term_postings")]

    operations = [
        migrations.CreateModel(
            name="Directive",
            fields=[
                ("id", own_id()),
                ("name", models.CharField(max_length=200)),
                ("content", models.TextField()),
                ("priority", models.IntegerField(default=0)),
                ("is_active", models.BooleanField(default=True)),
                ("tags", models.JSONField(default=list)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("bank", ref("memory.bank")),
                ("tenant", tenant()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "id"), name="directive_tenant_id")
                ],
            },
        ),
        migrations.CreateModel(
            name="MemoryChange",
            fields=[
                ("id", own_id()),
                ("kind", models.CharField(choices=CHANGES, max_length=12)),
                ("before", models.JSONField(default=dict)),
                ("reason", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("bank", ref("memory.bank", db_index=False)),
                (
                    "changed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("node", ref("memory.node", db_index=False)),
                ("tenant", tenant()),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["tenant", "node", "-created_at"], name="memorychange_latest"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "id"), name="memorychange_tenant_id"),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", [kind for kind, _ in CHANGES])),
                        name="memorychange_kind",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MentalModel",
            fields=[
                ("id", own_id()),
                ("name", models.CharField(max_length=200)),
                ("title", models.CharField(max_length=300)),
                ("query", models.TextField()),
                ("content", models.TextField(blank=True)),
                ("tags", models.JSONField(default=list)),
                ("max_tokens", models.PositiveIntegerField(default=2048)),
                ("trigger", models.JSONField(default=memory.models.reflecting.default_trigger)),
                ("based_on", models.JSONField(default=dict)),
                ("history", models.JSONField(default=list)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("refreshed_at", models.DateTimeField(null=True)),
                ("failed_at", models.DateTimeField(null=True)),
                ("seen_at", models.DateTimeField(null=True)),
                ("bank", ref("memory.bank")),
                ("tenant", tenant()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "id"), name="mentalmodel_tenant_id"),
                    models.UniqueConstraint(
                        fields=("tenant", "bank", "name"), name="mentalmodel_once"
                    ),
                ],
            },
        ),
        *(
            row_security(table)
            for table in ("memory_directive", "memory_memorychange", "memory_mentalmodel")
        ),
        tenant_foreign_key("memory_directive", "bank_id", "memory_bank", on_delete="CASCADE"),
        tenant_foreign_key("memory_memorychange", "bank_id", "memory_bank", on_delete="CASCADE"),
        tenant_foreign_key("memory_memorychange", "node_id", "memory_node", on_delete="CASCADE"),
        tenant_foreign_key("memory_mentalmodel", "bank_id", "memory_bank", on_delete="CASCADE"),
    ]
