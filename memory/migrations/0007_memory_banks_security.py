"""Row security and foreign keys of the banks' tables."""

from __future__ import annotations

from django.db import migrations
from django.db.migrations.operations.special import RunSQL

from memory.schema import row_security, tenant_foreign_key


def edge_end(column: str, level: str) -> RunSQL:
    """An edge's end has the level that its node has, so a CHECK on the row is one on the node."""
    return RunSQL(
        f"""
        ALTER TABLE memory_edge ADD CONSTRAINT memory_edge_{column}_fk
            FOREIGN KEY (tenant_id, {column}, {level})
            REFERENCES memory_node (tenant_id, id, level)
            ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
        """,
        f"ALTER TABLE memory_edge DROP CONSTRAINT memory_edge_{column}_fk;",
    )


class Migration(migrations.Migration):
    dependencies = [("memory", "0006_memory_banks")]

    operations = [
        *(
            row_security(table)
            for table in (
                "memory_corpus",
                "memory_document",
                "memory_edge",
                "memory_entity",
                "memory_entitytrigram",
                "memory_nodeentity",
                "memory_nodetag",
                "memory_operation",
            )
        ),
        tenant_foreign_key("memory_vector", "bank_id", "memory_bank"),
        tenant_foreign_key("memory_corpus", "bank_id", "memory_bank"),
        tenant_foreign_key("memory_document", "bank_id", "memory_bank"),
        tenant_foreign_key("memory_document", "corpus_id", "memory_corpus"),
        tenant_foreign_key("memory_edge", "bank_id", "memory_bank"),
        edge_end("child_id", "child_level"),
        edge_end("parent_id", "parent_level"),
        tenant_foreign_key("memory_entity", "bank_id", "memory_bank"),
        tenant_foreign_key("memory_entitytrigram", "bank_id", "memory_bank"),
        tenant_foreign_key("memory_entitytrigram", "entity_id", "memory_entity", on_delete="CASCADE"),
        tenant_foreign_key("memory_nodeentity", "node_id", "memory_node", on_delete="CASCADE"),
        tenant_foreign_key("memory_nodeentity", "entity_id", "memory_entity", on_delete="CASCADE"),
        tenant_foreign_key("memory_nodetag", "bank_id", "memory_bank"),
        tenant_foreign_key("memory_nodetag", "node_id", "memory_node", on_delete="CASCADE"),
        tenant_foreign_key("memory_operation", "bank_id", "memory_bank", on_delete="CASCADE"),
        tenant_foreign_key("memory_operation", "parent_id", "memory_operation", on_delete="CASCADE"),
    ]
