"""Invitations, under row security."""

from __future__ import annotations

import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from memory.schema import row_security


class Migration(migrations.Migration):

    dependencies = [("memory", "0003_vector_recipe")]

    operations = [
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="e-mail address")),
                ("username", models.CharField(blank=True, max_length=150, verbose_name="user name")),
                ("role", models.CharField(choices=[("reader", "Reader"), ("editor", "Editor"), ("admin", "Admin")], default="reader", max_length=10)),
                ("groups", django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), blank=True, default=list, size=None)),
                ("digest", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("accepted_at", models.DateTimeField(blank=True, null=True)),
                ("accepted_by", models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("created_by", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
            ],
            options={
                "ordering": ("-created_at",),
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "id"), name="invitation_tenant_id"),
                    models.UniqueConstraint(fields=("tenant", "digest"), name="invitation_digest_once"),
                    models.CheckConstraint(condition=models.Q(("role__in", ["reader", "editor", "admin"])), name="invitation_role_known"),
                    models.CheckConstraint(
                        condition=models.Q(("accepted_at", None), ("accepted_by", None))
                        | models.Q(("accepted_at__isnull", False), ("accepted_by__isnull", False)),
                        name="invitation_accepted_by_somebody",
                    ),
                ],
            },
        ),
        row_security("memory_invitation"),
    ]
