"""Row security on every tenant's table, and foreign keys that stay inside one tenant."""

from __future__ import annotations

from django.db import migrations

from memory.schema import current_tenant_function, row_security, tenant_foreign_key


class Migration(migrations.Migration):
    dependencies = [("memory", "0001_initial")]

    operations = [
        current_tenant_function(),
        *(
            row_security(table)
            for table in (
                "memory_apikey",
                "memory_auditentry",
                "memory_audithead",
                "memory_event",
                "memory_bank",
                "memory_node",
                "memory_vector",
                "memory_term",
            )
        ),
        tenant_foreign_key("memory_node", "bank_id", "memory_bank"),
        tenant_foreign_key("memory_vector", "node_id", "memory_node", on_delete="CASCADE"),
        tenant_foreign_key("memory_term", "node_id", "memory_node", on_delete="CASCADE"),
        tenant_foreign_key("memory_term", "bank_id", "memory_bank"),
    ]
