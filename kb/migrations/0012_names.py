"""Names of pages and questions in the administration, in the reader's language. No SQL."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("kb", "0011_index_rules"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="doc",
            options={
                "ordering": ("-updated_at",),
                "verbose_name": "page",
                "verbose_name_plural": "pages",
            },
        ),
        migrations.AlterModelOptions(
            name="qaquestion",
            options={
                "ordering": ("-created_at",),
                "verbose_name": "question",
                "verbose_name_plural": "questions",
            },
        ),
    ]
