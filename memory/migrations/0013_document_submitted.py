"""When what a document says was submitted: work that was submitted before and is done later is outdated."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0012_memory_names")]

    operations = [
        migrations.AddField(
            model_name="document",
            name="submitted_at",
            field=models.DateTimeField(null=True),
        ),
    ]
