"""Names of records in the administration, in the reader's language. No SQL."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0004_invitations"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="apikey",
            options={
                "ordering": ("-created_at",),
                "verbose_name": "API key",
                "verbose_name_plural": "API keys",
            },
        ),
        migrations.AlterModelOptions(
            name="auditentry",
            options={
                "ordering": ("-seq",),
                "verbose_name": "audit entry",
                "verbose_name_plural": "audit entries",
            },
        ),
        migrations.AlterModelOptions(
            name="event",
            options={
                "ordering": ("-created_at",),
                "verbose_name": "event",
                "verbose_name_plural": "events",
            },
        ),
        migrations.AlterModelOptions(
            name="invitation",
            options={
                "ordering": ("-created_at",),
                "verbose_name": "invitation",
                "verbose_name_plural": "invitations",
            },
        ),
        migrations.AlterModelOptions(
            name="membership",
            options={
                "ordering": ("tenant", "user"),
                "verbose_name": "member",
                "verbose_name_plural": "members",
            },
        ),
        migrations.AlterModelOptions(
            name="tenant",
            options={
                "ordering": ("name",),
                "verbose_name": "organisation",
                "verbose_name_plural": "organisations",
            },
        ),
        migrations.AlterModelOptions(
            name="user",
            options={"verbose_name": "account", "verbose_name_plural": "accounts"},
        ),
    ]
