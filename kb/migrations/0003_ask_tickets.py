from __future__ import annotations

import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("kb", "0002_chunks"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="AskTicket",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("question_id", models.UUIDField()),
                ("question_sha256", models.CharField(max_length=64)),
                ("trace_id", models.CharField(max_length=32)),
                ("asked_at", models.DateTimeField()),
                ("counted", models.BooleanField(default=True)),
                ("finished", models.BooleanField(default=False)),
                ("client_token", models.CharField(max_length=200, null=True)),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
                ("user", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
                ("doc", models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="kb.doc")),
            ],
            options={
                "indexes": [models.Index(fields=["tenant", "user", "-asked_at"], name="askticket_window"), models.Index(condition=models.Q(("finished", False)), fields=["tenant", "asked_at"], name="askticket_open")],
                "constraints": [models.UniqueConstraint(fields=("tenant", "id"), name="askticket_tenant_id"), models.UniqueConstraint(fields=("tenant", "user", "client_token"), name="askticket_token_once"), models.UniqueConstraint(fields=("tenant", "question_id"), name="askticket_question_once")],
            },
        ),
    ]
