"""What a node is called where people see it."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("memory", "0011_node_types")]

    operations = [
        migrations.AlterModelOptions(
            name="node",
            options={"verbose_name": "memory", "verbose_name_plural": "memories"},
        ),
    ]
