"""Pages remember by which rules they were cut and analysed, so that outdated ones can be found."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("kb", "0010_autosaves")]

    operations = [
        migrations.AddField(
            model_name="doc",
            name="index_rules",
            field=models.CharField(blank=True, default="", max_length=40),
            preserve_default=False,
        ),
        migrations.RunSQL(
            # The only rules there were so far: chunker 1, analyser 1.
            "UPDATE kb_doc SET index_rules = 'c1.a1.' || language WHERE indexed_revision_id IS NOT NULL",
            migrations.RunSQL.noop,
        ),
    ]
