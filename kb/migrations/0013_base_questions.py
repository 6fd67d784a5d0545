"""Questions to the whole knowledge base: a table of their own, since kb_qa_questions demands a page,
and a view of both for whoever reads the history. The view runs as who reads it, so that the row
security of both tables holds; that neither can be changed is a matter of ``memory.grants``.
"""

from __future__ import annotations

import uuid

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

from memory.schema import row_security, tenant_foreign_key

VIEW = """
CREATE VIEW kb_qa_asked WITH (security_invoker = true) AS
SELECT question_id, tenant_id, doc_id, question_text, answer_kind, answer_text, confidence_score,
       citations, asked_by, trace_id, created_at
FROM kb_qa_questions
UNION ALL
SELECT question_id, tenant_id, NULL::uuid, question_text, answer_kind, answer_text, confidence_score,
       citations, asked_by, trace_id::char(32), created_at
FROM kb_qa_base_questions
"""
KINDS = ["confident", "partial", "decline_no_evidence", "decline_low_confidence"]


def columns():
    return [
        ("question_id", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
        ("question_text", models.TextField()),
        ("answer_kind", models.TextField(choices=[(kind, kind) for kind in KINDS])),
        ("answer_text", models.TextField(null=True)),
        ("confidence_score", models.DecimalField(decimal_places=2, max_digits=3, null=True)),
        ("citations", models.JSONField(default=list)),
        ("asked_by", models.UUIDField()),
        ("trace_id", models.CharField(max_length=32, null=True)),
        ("created_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
    ]


def reverse(operation):
    """A vote is on a question of either table from now on, which no one foreign key can say."""
    return migrations.RunSQL(operation.reverse_sql, operation.sql)


class Migration(migrations.Migration):
    dependencies = [("kb", "0012_names"), ("memory", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="BaseQuestion",
            fields=[
                *columns(),
                ("tenant", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="memory.tenant")),
            ],
            options={
                "db_table": "kb_qa_base_questions",
                "ordering": ("-created_at",),
                "abstract": False,
                "verbose_name": "question to the whole knowledge base",
                "verbose_name_plural": "questions to the whole knowledge base",
                "indexes": [models.Index(fields=["tenant", "asked_by", "-created_at"], name="basequestion_user_day")],
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "question_id"), name="basequestion_once"),
                    models.CheckConstraint(condition=models.Q(("answer_kind__in", KINDS)), name="basequestion_kind"),
                ],
            },
        ),
        row_security("kb_qa_base_questions"),
        reverse(tenant_foreign_key("kb_feedback", "question_id", "kb_qa_questions", to_column="question_id")),
        migrations.CreateModel(
            name="AskedQuestion",
            fields=[
                *columns(),
                ("doc_id", models.UUIDField(null=True)),
                ("tenant", models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name="+", to="memory.tenant")),
            ],
            options={"db_table": "kb_qa_asked", "ordering": ("-created_at",), "abstract": False, "managed": False},
        ),
        migrations.RunSQL(VIEW, "DROP VIEW kb_qa_asked"),
    ]
