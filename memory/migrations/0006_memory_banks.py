"""Banks with owners, documents, levels and types, tags, edges, entities and operations."""

from __future__ import annotations

import django.contrib.postgres.fields
import django.db.models.deletion
import memory.models.banks
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0005_names"),
    ]

    operations = [
        migrations.CreateModel(
            name="Corpus",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("name", models.CharField(max_length=200)),
                ("path", models.TextField(blank=True)),
                ("documents", models.PositiveIntegerField(default=0)),
                ("sections", models.PositiveIntegerField(default=0)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "bank",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memory.bank",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="memory.tenant",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "corpora",
            },
        ),
        migrations.CreateModel(
            name="Document",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("name", models.TextField()),
                ("text", models.TextField()),
                ("content_hash", models.CharField(max_length=64)),
                ("source_uri", models.TextField(blank=True)),
                ("context", models.TextField(blank=True)),
                ("metadata", models.JSONField(default=dict)),
                ("tags", models.JSONField(default=list)),
                ("mentioned_at", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "bank",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memory.bank",
                    ),
                ),
                (
                    "corpus",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memory.corpus",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="memory.tenant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Edge",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("child_level", models.CharField(max_length=2)),
                ("parent_level", models.CharField(max_length=2)),
                (
                    "type",
                    models.CharField(
                        choices=[
                            ("derived_from", "derived_from"),
                            ("semantic", "semantic"),
                            ("temporal", "temporal"),
                            ("causes", "causes"),
                            ("caused_by", "caused_by"),
                            ("enables", "enables"),
                            ("prevents", "prevents"),
                            ("contradicts", "contradicts"),
                            ("supersedes", "supersedes"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "bank",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memory.bank",
                    ),
                ),
                (
                    "child",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memory.node",
                    ),
                ),
                (
                    "parent",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memory.node",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="memory.tenant",
                    ),
                ),
                ("weight", models.FloatField(default=1.0)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="Entity",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("name", models.TextField()),
                ("folded", models.CharField(max_length=300)),
                ("kind", models.CharField(blank=True, max_length=60)),
                ("first_seen", models.DateTimeField()),
                ("last_seen", models.DateTimeField()),
                (
                    "bank",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memory.bank",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="memory.tenant",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "entities",
            },
        ),
        migrations.CreateModel(
            name="EntityTrigram",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "tenant_id",
                        "bank_id",
                        "trigram",
                        "entity_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("trigram", models.CharField(max_length=12)),
                (
                    "bank",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memory.bank",
                    ),
                ),
                (
                    "entity",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memory.entity",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="memory.tenant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="NodeEntity",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "tenant_id",
                        "node_id",
                        "entity_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "entity",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memory.entity",
                    ),
                ),
                (
                    "node",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memory.node",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="memory.tenant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="NodeTag",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "tenant_id",
                        "bank_id",
                        "tag",
                        "node_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("tag", models.TextField()),
                (
                    "bank",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memory.bank",
                    ),
                ),
                (
                    "node",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memory.node",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="memory.tenant",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Operation",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                (
                    "type",
                    models.CharField(
                        choices=[
                            ("retain", "Retain"),
                            ("consolidation", "Consolidation"),
                            ("refresh_mental_model", "Refresh Mental Model"),
                            ("reprocess_document", "Reprocess"),
                        ],
                        max_length=30,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("processing", "Processing"),
                            ("completed", "Completed"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="pending",
                        max_length=12,
                    ),
                ),
                ("payload", models.JSONField(default=dict)),
                ("items_count", models.PositiveIntegerField(default=0)),
                ("items_done", models.PositiveIntegerField(default=0)),
                ("result", models.JSONField(default=dict)),
                ("error", models.TextField(blank=True)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("started_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "bank",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memory.bank",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "parent",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="memory.operation",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="memory.tenant",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="bank",
            name="access",
            field=models.CharField(
                choices=[("private", "Private"), ("tenant", "Tenant")], default="tenant", max_length=10
            ),
        ),
        migrations.AddField(
            model_name="bank",
            name="background",
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name="bank",
            name="config",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="bank",
            name="consolidated_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="bank",
            name="disposition",
            field=models.JSONField(default=memory.models.banks.neutral_disposition),
        ),
        migrations.AddField(
            model_name="bank",
            name="mission",
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name="bank",
            name="owner",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="bank",
            name="title",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AddField(
            model_name="bank",
            name="updated_at",
            field=models.DateTimeField(auto_now=True),
        ),
        migrations.AddField(
            model_name="node",
            name="context",
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name="node",
            name="fact_type",
            field=models.CharField(
                blank=True,
                choices=[("world", "world"), ("experience", "experience"), ("observation", "observation")],
                max_length=12,
            ),
        ),
        migrations.AddField(
            model_name="node",
            name="lead",
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name="node",
            name="mentioned_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="node",
            name="metadata",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="node",
            name="occurred_end",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="node",
            name="occurred_start",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="node",
            name="ordinal",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="node",
            name="proof_count",
            field=models.PositiveIntegerField(default=1),
        ),
        migrations.AddField(
            model_name="node",
            name="source_uri",
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name="node",
            name="speaker",
            field=models.TextField(blank=True),
        ),
        migrations.AddField(
            model_name="node",
            name="superseded_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="node",
            name="tags",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.TextField(), default=list, size=None
            ),
        ),
        migrations.AddField(
            model_name="node",
            name="trust",
            field=models.FloatField(default=0.6),
        ),
        migrations.AddField(
            model_name="node",
            name="updated_at",
            field=models.DateTimeField(auto_now=True),
        ),
        migrations.AddField(
            model_name="vector",
            name="bank",
            field=models.ForeignKey(
                null=True,
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="memory.bank",
            ),
        ),
        migrations.RunSQL(
            "UPDATE memory_vector vector SET bank_id = node.bank_id FROM memory_node node"
            " WHERE node.tenant_id = vector.tenant_id AND node.id = vector.node_id",
            migrations.RunSQL.noop,
        ),
        migrations.AlterField(
            model_name="vector",
            name="bank",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="memory.bank",
            ),
        ),
        migrations.AlterField(
            model_name="node",
            name="level",
            field=models.CharField(
                choices=[("L0", "L0"), ("L1", "L1"), ("L2", "L2"), ("R", "R")], max_length=2
            ),
        ),
        migrations.AlterField(
            model_name="term",
            name="level",
            field=models.CharField(
                choices=[("L0", "L0"), ("L1", "L1"), ("L2", "L2"), ("R", "R")], max_length=2
            ),
        ),
        migrations.AlterField(
            model_name="vector",
            name="level",
            field=models.CharField(
                choices=[("L0", "L0"), ("L1", "L1"), ("L2", "L2"), ("R", "R")], max_length=2
            ),
        ),
        migrations.AddIndex(
            model_name="node",
            index=models.Index(fields=["tenant", "chunk_id"], name="node_chunk"),
        ),
        migrations.AddIndex(
            model_name="node",
            index=models.Index(
                condition=models.Q(("occurred_start__isnull", False)),
                fields=["tenant", "bank", "level", "occurred_start"],
                name="node_occurred",
            ),
        ),
        migrations.AddIndex(
            model_name="node",
            index=models.Index(
                condition=models.Q(("mentioned_at__isnull", False)),
                fields=["tenant", "bank", "level", "mentioned_at"],
                name="node_mentioned",
            ),
        ),
        migrations.AddIndex(
            model_name="vector",
            index=models.Index(fields=["tenant", "bank", "level", "recipe"], name="vector_bank_level"),
        ),
        migrations.AddConstraint(
            model_name="bank",
            constraint=models.UniqueConstraint(
                condition=models.Q(("access", "tenant"), ("kind", "memory")),
                fields=("tenant", "name"),
                name="bank_shared_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="bank",
            constraint=models.UniqueConstraint(
                condition=models.Q(("access", "private"), ("kind", "memory")),
                fields=("tenant", "owner", "name"),
                name="bank_private_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="bank",
            constraint=models.CheckConstraint(
                condition=models.Q(("access", "tenant"), ("owner__isnull", False), _connector="OR"),
                name="bank_private_has_owner",
            ),
        ),
        migrations.AddConstraint(
            model_name="node",
            constraint=models.UniqueConstraint(fields=("tenant", "id", "level"), name="node_tenant_id_level"),
        ),
        migrations.AddConstraint(
            model_name="node",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ordinal__isnull", False)),
                fields=("tenant", "document_id", "level", "ordinal"),
                name="node_place_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="node",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("fact_type__in", ("world", "experience")), ("level", "L1")),
                    models.Q(("fact_type", "observation"), ("level", "L2")),
                    models.Q(("fact_type", ""), ("level__in", ("L0", "R"))),
                    _connector="OR",
                ),
                name="node_type_of_level",
            ),
        ),
        migrations.AddConstraint(
            model_name="node",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("occurred_start", None),
                    ("occurred_end", None),
                    ("occurred_end__gte", models.F("occurred_start")),
                    _connector="OR",
                ),
                name="node_times_ordered",
            ),
        ),
        migrations.AddConstraint(
            model_name="corpus",
            constraint=models.UniqueConstraint(fields=("tenant", "id"), name="corpus_tenant_id"),
        ),
        migrations.AddConstraint(
            model_name="corpus",
            constraint=models.UniqueConstraint(fields=("tenant", "bank", "name"), name="corpus_once"),
        ),
        migrations.AddIndex(
            model_name="document",
            index=models.Index(fields=["tenant", "bank", "-updated_at"], name="document_latest"),
        ),
        migrations.AddConstraint(
            model_name="document",
            constraint=models.UniqueConstraint(fields=("tenant", "id"), name="document_tenant_id"),
        ),
        migrations.AddConstraint(
            model_name="document",
            constraint=models.UniqueConstraint(
                fields=("tenant", "bank", "corpus", "name"), name="document_once", nulls_distinct=False
            ),
        ),
        migrations.AddIndex(
            model_name="edge",
            index=models.Index(fields=["tenant", "parent", "type"], name="edge_parent"),
        ),
        migrations.AddConstraint(
            model_name="edge",
            constraint=models.UniqueConstraint(fields=("tenant", "id"), name="edge_tenant_id"),
        ),
        migrations.AddConstraint(
            model_name="edge",
            constraint=models.UniqueConstraint(
                fields=("tenant", "child", "type", "parent"), name="edge_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="edge",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("child_level", "R"), _negated=True),
                    models.Q(("parent_level", "R"), _negated=True),
                ),
                name="edge_never_of_reference",
            ),
        ),
        migrations.AddConstraint(
            model_name="edge",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("type", "derived_from"), _negated=True),
                    models.Q(("child_level", "L1"), ("parent_level", "L0")),
                    models.Q(("child_level", "L2"), ("parent_level", "L1")),
                    _connector="OR",
                ),
                name="edge_derived_one_level_down",
            ),
        ),
        migrations.AddConstraint(
            model_name="edge",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "type__in",
                        [
                            "derived_from",
                            "semantic",
                            "temporal",
                            "causes",
                            "caused_by",
                            "enables",
                            "prevents",
                            "contradicts",
                            "supersedes",
                        ],
                    )
                ),
                name="edge_type",
            ),
        ),
        migrations.AddConstraint(
            model_name="edge",
            constraint=models.CheckConstraint(
                condition=models.Q(("weight__gte", 0), ("weight__lte", 1)), name="edge_weight"
            ),
        ),
        migrations.AddConstraint(
            model_name="edge",
            constraint=models.CheckConstraint(
                condition=models.Q(("child", models.F("parent")), _negated=True), name="edge_not_to_itself"
            ),
        ),
        migrations.AddConstraint(
            model_name="entity",
            constraint=models.UniqueConstraint(fields=("tenant", "id"), name="entity_tenant_id"),
        ),
        migrations.AddConstraint(
            model_name="entity",
            constraint=models.UniqueConstraint(fields=("tenant", "bank", "folded"), name="entity_once"),
        ),
        migrations.AddIndex(
            model_name="entitytrigram",
            index=models.Index(fields=["tenant", "entity"], name="entitytrigram_entity"),
        ),
        migrations.AddIndex(
            model_name="nodeentity",
            index=models.Index(fields=["tenant", "entity", "node"], name="nodeentity_entity"),
        ),
        migrations.AddIndex(
            model_name="nodetag",
            index=models.Index(fields=["tenant", "node"], name="nodetag_node"),
        ),
        migrations.AddIndex(
            model_name="operation",
            index=models.Index(fields=["tenant", "bank", "-created_at"], name="operation_latest"),
        ),
        migrations.AddIndex(
            model_name="operation",
            index=models.Index(
                condition=models.Q(("status__in", ("pending", "processing"))),
                fields=["tenant", "updated_at"],
                name="operation_open",
            ),
        ),
        migrations.AddConstraint(
            model_name="operation",
            constraint=models.UniqueConstraint(fields=("tenant", "id"), name="operation_tenant_id"),
        ),
        migrations.AddConstraint(
            model_name="operation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("status__in", ["pending", "processing", "completed", "failed", "cancelled"])
                ),
                name="operation_status",
            ),
        ),
    ]
