"""Within which tags the facts of a document become observations."""

from __future__ import annotations

from django.db import migrations, models

import memory.models.banks


class Migration(migrations.Migration):
    dependencies = [("memory", "0009_reflecting")]

    operations = [
        migrations.AddField(
            model_name="document",
            name="observation_scopes",
            field=models.JSONField(default=memory.models.banks.combined_scopes),
        ),
    ]
