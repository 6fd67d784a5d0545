from __future__ import annotations

import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [("memory", "0001_initial"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="Doc",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("slug", models.CharField(max_length=200)),
                ("title", models.CharField(max_length=300)),
                ("language", models.CharField(blank=True, max_length=12)),
                ("status", models.CharField(choices=[("draft", "Draft"), ("published", "Published"), ("archived", "Archived")], default="draft", max_length=10)),
                ("visibility", models.CharField(choices=[("public", "Public"), ("org_only", "Organisation"), ("role_restricted", "Groups")], default="org_only", max_length=16)),
                ("allowed_groups", django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), blank=True, default=list, size=None)),
                ("index_state", models.CharField(choices=[("pending", "Being prepared"), ("ready", "Ready"), ("failed", "Failed")], default="pending", max_length=8)),
                ("index_error", models.CharField(blank=True, max_length=300)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                ("deleted_at", models.DateTimeField(blank=True, null=True)),
                ("owner", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
            ],
            options={
                "verbose_name": "page",
                "ordering": ("-updated_at",),
            },
        ),
        migrations.CreateModel(
            name="Revision",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("number", models.PositiveIntegerField()),
                ("title", models.CharField(max_length=300)),
                ("source", models.TextField()),
                ("source_format", models.CharField(choices=[("markdown", "Markdown"), ("html", "HTML")], max_length=10)),
                ("html", models.TextField(blank=True)),
                ("text", models.TextField(blank=True)),
                ("sha256", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("created_by", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("doc", models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="kb.doc")),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
            ],
            options={
                "ordering": ("-number",),
            },
        ),
        migrations.AddField(
            model_name="doc",
            name="head_revision",
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="kb.revision"),
        ),
        migrations.AddField(
            model_name="doc",
            name="indexed_revision",
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="kb.revision"),
        ),
        migrations.AddField(
            model_name="doc",
            name="published_revision",
            field=models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="kb.revision"),
        ),
        migrations.CreateModel(
            name="DocLink",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("href", models.CharField(max_length=500)),
                ("label", models.CharField(blank=True, max_length=300)),
                ("source", models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="kb.doc")),
                ("target", models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="kb.doc")),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
            ],
            options={
                "indexes": [models.Index(fields=["tenant", "target"], name="doclink_inbound")],
                "constraints": [models.UniqueConstraint(fields=("tenant", "id"), name="doclink_tenant_id"), models.UniqueConstraint(fields=("tenant", "source", "href"), name="doclink_once")],
            },
        ),
        migrations.AddConstraint(
            model_name="revision",
            constraint=models.UniqueConstraint(fields=("tenant", "id"), name="revision_tenant_id"),
        ),
        migrations.AddConstraint(
            model_name="revision",
            constraint=models.UniqueConstraint(fields=("tenant", "doc", "number"), name="revision_number_once"),
        ),
        migrations.AddIndex(
            model_name="doc",
            index=models.Index(fields=["tenant", "-updated_at"], name="doc_recent"),
        ),
        migrations.AddConstraint(
            model_name="doc",
            constraint=models.UniqueConstraint(fields=("tenant", "id"), name="doc_tenant_id"),
        ),
        migrations.AddConstraint(
            model_name="doc",
            constraint=models.UniqueConstraint(condition=models.Q(("deleted_at", None)), fields=("tenant", "slug"), name="doc_slug_once"),
        ),
        migrations.AddConstraint(
            model_name="doc",
            constraint=models.CheckConstraint(condition=models.Q(models.Q(("visibility", "role_restricted"), _negated=True), models.Q(("allowed_groups", []), _negated=True), _connector="OR"), name="doc_restricted_has_groups"),
        ),
        migrations.AddConstraint(
            model_name="doc",
            constraint=models.CheckConstraint(condition=models.Q(("status__in", ["draft", "published", "archived"])), name="doc_status"),
        ),
        migrations.AddConstraint(
            model_name="doc",
            constraint=models.CheckConstraint(condition=models.Q(("visibility__in", ["public", "org_only", "role_restricted"])), name="doc_visibility"),
        ),
    ]
