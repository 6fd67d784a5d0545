"""Imports, and the names by which a new page finds the links that wait for it."""

from __future__ import annotations

import uuid
from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from kb.links import link_name, parse_target
from memory.schema import row_security, tenant_foreign_key


def name_links(apps: Any, schema_editor: Any) -> None:
    links = apps.get_model("kb", "DocLink").objects.using(schema_editor.connection.alias)
    named = []
    for link in links.only("id", "href"):
        target = parse_target(link.href)
        if target is not None:
            link.name = link_name(target)[:200]
            named.append(link)
    links.bulk_update(named, ("name",), batch_size=500)


class Migration(migrations.Migration):

    dependencies = [
        ("kb", "0008_people_live_with"),
        ("memory", "0002_row_security"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="doclink",
            name="name",
            field=models.CharField(blank=True, default="", max_length=200),
            preserve_default=False,
        ),
        migrations.RunPython(name_links, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="doclink",
            index=models.Index(fields=["tenant", "name"], name="doclink_named"),
        ),
        migrations.CreateModel(
            name="ImportedFile",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("origin", models.CharField(max_length=100)),
                ("path", models.CharField(max_length=500)),
                ("digest", models.CharField(max_length=64)),
                ("images", models.JSONField(default=dict)),
                ("imported_at", models.DateTimeField(auto_now=True)),
                ("doc", models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="kb.doc")),
                ("revision", models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="kb.revision")),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
            ],
            options={
                "indexes": [models.Index(fields=["tenant", "doc"], name="importedfile_doc")],
                "constraints": [models.UniqueConstraint(fields=("tenant", "id"), name="importedfile_tenant_id"), models.UniqueConstraint(fields=("tenant", "origin", "path"), name="importedfile_once")],
            },
        ),
        migrations.CreateModel(
            name="ImportJob",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("origin", models.CharField(max_length=100)),
                ("publish", models.BooleanField(default=False)),
                ("state", models.CharField(choices=[("waiting", "Waiting"), ("running", "Running"), ("done", "Done"), ("failed", "Failed")], default="waiting", max_length=8)),
                ("error", models.CharField(blank=True, max_length=300)),
                ("archive", models.BinaryField()),
                ("total", models.PositiveIntegerField(default=0)),
                ("report", models.JSONField(default=list)),
                ("leased_until", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("created_by", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
            ],
            options={
                "ordering": ("-created_at",),
                "indexes": [models.Index(fields=["tenant", "-created_at"], name="importjob_recent")],
                "constraints": [models.UniqueConstraint(fields=("tenant", "id"), name="importjob_tenant_id"), models.CheckConstraint(condition=models.Q(("state__in", ["waiting", "running", "done", "failed"])), name="importjob_state")],
            },
        ),
        tenant_foreign_key("kb_importedfile", "doc_id", "kb_doc"),
        tenant_foreign_key("kb_importedfile", "revision_id", "kb_revision"),
        row_security("kb_importedfile"),
        row_security("kb_importjob"),
    ]
