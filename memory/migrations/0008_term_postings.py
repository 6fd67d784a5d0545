"""Node numbers, packed postings and their statistics."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

from memory.schema import row_security, tenant_foreign_key

LEVELS = [("L0", "L0"), ("L1", "L1"), ("L2", "L2"), ("R", "R")]


def ref(to: str) -> models.ForeignKey:
    return models.ForeignKey(
        db_constraint=False,
        db_index=False,
        on_delete=django.db.models.deletion.DO_NOTHING,
        related_name="+",
        to=to,
    )


def tenant() -> models.ForeignKey:
    return models.ForeignKey(
        db_index=False,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        to="memory.tenant",
    )


class Migration(migrations.Migration):
    dependencies = [("memory", "0007_memory_banks_security")]

    operations = [
        migrations.RunSQL(
            "CREATE SEQUENCE memory_node_number AS integer", "DROP SEQUENCE memory_node_number"
        ),
        migrations.AddField(
            model_name="node",
            name="number",
            field=models.IntegerField(
                db_default=models.Func(models.Value("memory_node_number"), function="nextval")
            ),
        ),
        migrations.AddConstraint(
            model_name="node",
            constraint=models.UniqueConstraint(
                fields=("tenant", "number"), name="node_number_once"
            ),
        ),
        migrations.RemoveIndex(model_name="node", name="node_bank_level"),
        migrations.AddIndex(
            model_name="node",
            index=models.Index(
                fields=("tenant", "bank", "level", "language"), name="node_bank_level"
            ),
        ),
        migrations.CreateModel(
            name="TermBlock",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "tenant_id",
                        "bank_id",
                        "level",
                        "term",
                        "block",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("level", models.CharField(choices=LEVELS, max_length=2)),
                ("term", models.CharField(max_length=120)),
                ("block", models.IntegerField()),
                ("postings", models.BinaryField()),
                ("bank", ref("memory.bank")),
                ("tenant", tenant()),
            ],
            options={"abstract": False},
        ),
        migrations.CreateModel(
            name="TermStatistics",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "tenant_id",
                        "bank_id",
                        "level",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("level", models.CharField(choices=LEVELS, max_length=2)),
                ("nodes", models.BigIntegerField()),
                ("length", models.BigIntegerField()),
                ("bank", ref("memory.bank")),
                ("tenant", tenant()),
            ],
            options={"abstract": False},
        ),
        # Postings hardly compress, and unpacking them would be most of reading them.
        migrations.RunSQL(
            "ALTER TABLE memory_termblock ALTER COLUMN postings SET STORAGE EXTERNAL",
            migrations.RunSQL.noop,
        ),
        *(row_security(table) for table in ("memory_termblock", "memory_termstatistics")),
        tenant_foreign_key("memory_termblock", "bank_id", "memory_bank", on_delete="CASCADE"),
        tenant_foreign_key("memory_termstatistics", "bank_id", "memory_bank", on_delete="CASCADE"),
        migrations.RunSQL(
            "INSERT INTO memory_term (tenant_id, bank_id, level, term, node_id, count)"
            " SELECT tenant_id, bank_id, level, '', id, term_count FROM memory_node"
            " ON CONFLICT DO NOTHING",
            "DELETE FROM memory_term WHERE term = ''",
        ),
    ]
