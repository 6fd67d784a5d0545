"""The specification's question history, to the letter, with the five deviations of docs/adr/0004:
the policy calls ``current_tenant()``, the role is a setting, row security is forced, TRUNCATE is
revoked too, and (tenant_id, question_id) is unique. ``memory.grants`` repeats the REVOKE after
every migration, because a grant on all tables would bring the rights back.
"""

from __future__ import annotations

import uuid

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

CREATE = """
CREATE TABLE kb_qa_questions (
    question_id UUID PRIMARY KEY,
    tenant_id UUID NOT NULL,
    doc_id UUID NOT NULL,
    question_text TEXT NOT NULL,
    answer_kind TEXT NOT NULL CHECK (answer_kind IN
        ('confident', 'partial', 'decline_no_evidence', 'decline_low_confidence')),
    answer_text TEXT,
    confidence_score NUMERIC(3,2),
    citations JSONB NOT NULL DEFAULT '[]',
    asked_by UUID NOT NULL,
    trace_id CHAR(32),
    created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    UNIQUE (tenant_id, question_id)
);
CREATE INDEX qa_user_day_idx ON kb_qa_questions (tenant_id, asked_by, created_at DESC);
ALTER TABLE kb_qa_questions ENABLE ROW LEVEL SECURITY;
ALTER TABLE kb_qa_questions FORCE ROW LEVEL SECURITY;
CREATE POLICY qa_rls ON kb_qa_questions
    USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant());
"""


def revoke(apps, schema_editor):
    """Append-only: what was asked and answered cannot be changed."""
    role = schema_editor.quote_name(settings.DB_APP_ROLE)
    schema_editor.execute(f"REVOKE UPDATE, DELETE, TRUNCATE ON kb_qa_questions FROM {role}")


class Migration(migrations.Migration):
    dependencies = [("kb", "0006_row_security")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(CREATE, "DROP TABLE kb_qa_questions"),
                migrations.RunPython(revoke, migrations.RunPython.noop),
            ],
            state_operations=[
                migrations.CreateModel(
                    name='QaQuestion',
                    fields=[
                        ('question_id', models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                        ('doc_id', models.UUIDField()),
                        ('question_text', models.TextField()),
                        ('answer_kind', models.TextField(choices=[('confident', 'confident'), ('partial', 'partial'), ('decline_no_evidence', 'decline_no_evidence'), ('decline_low_confidence', 'decline_low_confidence')])),
                        ('answer_text', models.TextField(null=True)),
                        ('confidence_score', models.DecimalField(decimal_places=2, max_digits=3, null=True)),
                        ('citations', models.JSONField(default=list)),
                        ('asked_by', models.UUIDField()),
                        ('trace_id', models.CharField(max_length=32, null=True)),
                        ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                        ('tenant', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='memory.tenant')),
                    ],
                    options={
                        'verbose_name': 'question',
                        'db_table': 'kb_qa_questions',
                        'ordering': ('-created_at',),
                    },
                ),
            ],
        ),
    ]
