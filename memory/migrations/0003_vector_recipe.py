"""Which recipes a tenant's vectors have, without reading all of them."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("memory", "0002_row_security")]

    operations = [
        migrations.AddIndex(
            model_name="vector",
            index=models.Index(fields=["tenant", "recipe"], name="vector_recipe"),
        ),
    ]
