from __future__ import annotations

from django.db import migrations

from memory.schema import row_security


class Migration(migrations.Migration):
    dependencies = [("kb", "0005_foreign_keys"), ("memory", "0002_row_security")]

    operations = [
        row_security(table)
        for table in (
            "kb_doc",
            "kb_revision",
            "kb_doclink",
            "kb_chunk",
            "kb_askticket",
            "kb_qatrace",
        )
    ]
