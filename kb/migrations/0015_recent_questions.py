"""Lists of what everybody asked and figures of the last days read the newest questions first."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("kb", "0014_policies_once")]

    operations = [
        migrations.AddIndex(
            model_name="qaquestion",
            index=models.Index(fields=["tenant", "-created_at"], name="question_recent"),
        ),
        migrations.AddIndex(
            model_name="basequestion",
            index=models.Index(fields=["tenant", "-created_at"], name="basequestion_recent"),
        ),
    ]
