"""Facts of one type are counted, and found where they are few, without looking at the others."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0010_observation_scopes")]

    operations = [
        migrations.AddIndex(
            model_name="node",
            index=models.Index(
                condition=~models.Q(fact_type=""),
                fields=["tenant", "bank", "level", "fact_type"],
                name="node_bank_type",
            ),
        ),
    ]
