"""Foreign keys that stay inside one tenant. Nodes' terms and vectors go with their node."""

from __future__ import annotations

from django.db import migrations

from memory.schema import tenant_foreign_key


class Migration(migrations.Migration):
    dependencies = [("kb", "0004_qa_traces")]

    operations = [
        tenant_foreign_key("kb_doc", "head_revision_id", "kb_revision"),
        tenant_foreign_key("kb_doc", "published_revision_id", "kb_revision"),
        tenant_foreign_key("kb_doc", "indexed_revision_id", "kb_revision"),
        tenant_foreign_key("kb_revision", "doc_id", "kb_doc"),
        tenant_foreign_key("kb_doclink", "source_id", "kb_doc"),
        tenant_foreign_key("kb_doclink", "target_id", "kb_doc", on_delete="SET NULL"),
        tenant_foreign_key("kb_chunk", "doc_id", "kb_doc"),
        tenant_foreign_key("kb_chunk", "revision_id", "kb_revision"),
        tenant_foreign_key("kb_askticket", "doc_id", "kb_doc"),
    ]
