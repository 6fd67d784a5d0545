"""Operations that migrations repeat: row security and foreign keys that stay inside one tenant."""

from __future__ import annotations

from django.db.migrations.operations.special import RunSQL

CREATE_CURRENT_TENANT = """
CREATE FUNCTION current_tenant() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN current_setting('auth.tenant_id', true)
             ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
        THEN current_setting('auth.tenant_id', true)::uuid
    END
$$;
"""


def current_tenant_function() -> RunSQL:
    """A bare cast would raise on an unset or malformed tenant; this reads as NULL: no rows."""
    return RunSQL(CREATE_CURRENT_TENANT, "DROP FUNCTION current_tenant();")


# In a subquery the function is called once per statement; bare, it is called for every row.
POLICY = "tenant_id = (SELECT current_tenant())"


def row_security(table: str) -> RunSQL:
    """Only rows of the current tenant can be seen or written, by the table's owner too."""
    return RunSQL(
        f"""
        ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
        ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
        CREATE POLICY {table}_tenant ON {table}
            USING ({POLICY}) WITH CHECK ({POLICY});
        """,
        f"""
        DROP POLICY {table}_tenant ON {table};
        ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY;
        ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;
        """,
    )


def tenant_foreign_key(
    table: str, column: str, to: str, *, to_column: str = "id", on_delete: str = "NO ACTION"
) -> RunSQL:
    """``(tenant_id, column) -> to (tenant_id, to_column)``: a row cannot point into another tenant.

    ``on_delete``: ``NO ACTION``, ``CASCADE``, or ``SET NULL`` (of the column alone).
    """
    name = f"{table}_{column}_fk"
    action = f"SET NULL ({column})" if on_delete == "SET NULL" else on_delete
    return RunSQL(
        f"""
        ALTER TABLE {table} ADD CONSTRAINT {name} FOREIGN KEY (tenant_id, {column})
            REFERENCES {to} (tenant_id, {to_column}) ON DELETE {action} DEFERRABLE INITIALLY DEFERRED;
        """,
        f"ALTER TABLE {table} DROP CONSTRAINT {name};",
    )
