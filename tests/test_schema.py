"""Promises that every table keeps, read from the database's own catalogue."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db import ProgrammingError, connection, models, transaction

from kb.models import QaQuestion
from memory import tenancy
from memory.grants import append_only_tables
from memory.models import TenantModel
from memory.tenancy import tenant_tables
from tests.factories import make_org

EXEMPT = {
    "auth_group",
    "auth_group_permissions",
    "auth_permission",
    "django_admin_log",
    "django_content_type",
    "django_migrations",
    "django_session",
    "memory_membership",
    "memory_tenant",
    "memory_user",
    "memory_user_groups",
    "memory_user_user_permissions",
}
TENANT_MODELS = [model for model in apps.get_models() if issubclass(model, TenantModel)]


@pytest.mark.django_db
def test_every_table_is_under_forced_row_security_or_on_the_list() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, relrowsecurity AND relforcerowsecurity FROM pg_class"
            " WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace"
        )
        forced = dict(cursor.fetchall())
    assert {name for name, is_forced in forced.items() if not is_forced} == EXEMPT
    assert {name for name, is_forced in forced.items() if is_forced} == tenant_tables()


@pytest.mark.django_db
def test_every_policy_reads_and_writes_the_current_tenant_only() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename, qual, with_check, cmd FROM pg_policies")
        policies = {table: rest for table, *rest in cursor.fetchall()}
    expected = "(tenant_id = ( SELECT current_tenant() AS current_tenant))"
    assert policies == {table: [expected, expected, "ALL"] for table in tenant_tables()}


@pytest.mark.parametrize("model", TENANT_MODELS, ids=lambda model: model._meta.db_table)
@pytest.mark.django_db
def test_keys_between_tenant_tables_start_with_the_tenant(model: type[models.Model]) -> None:
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE conrelid = %s::regclass AND contype = 'f'",
            [table],
        )
        foreign = [row[0] for row in cursor.fetchall()]
    for field in model._meta.get_fields():
        if not (field.many_to_one and issubclass(field.related_model, TenantModel)):
            continue
        column = field.column  # type: ignore[union-attr]
        target = field.related_model._meta.db_table
        wanted = f"FOREIGN KEY (tenant_id, {column}"
        target = f" REFERENCES {target}(tenant_id, id"
        assert any(one.startswith(wanted) and target in one for one in foreign), f"{table}.{column}"


@pytest.mark.django_db
def test_append_only_tables_are_the_history() -> None:
    assert append_only_tables() == [
        "kb_feedback",
        "kb_qa_base_questions",
        "kb_qa_questions",
        "kb_qatrace",
        "kb_revision",
        "memory_auditentry",
        "memory_event",
    ]


@pytest.mark.parametrize(
    "statement", ["UPDATE {} SET tenant_id = tenant_id", "DELETE FROM {}", "TRUNCATE {}"]
)
@pytest.mark.parametrize("table", append_only_tables())
@pytest.mark.django_db
def test_history_cannot_be_changed_as_the_application_role(table: str, statement: str) -> None:
    org = make_org()
    with (
        pytest.raises(ProgrammingError, match="permission denied"),
        tenancy.scope(org.tenant.pk),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement.format(table))


@pytest.mark.django_db
def test_history_cannot_be_changed_through_its_model() -> None:
    org = make_org()
    with tenancy.scope(org.tenant.pk):
        row = QaQuestion.objects.create(
            tenant=org.tenant,
            doc_id=org.tenant.pk,
            question_text="Why?",
            answer_kind="decline_no_evidence",
            asked_by=org.reader.user_id,
        )
        row.question_text = "Changed"
        with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
            row.save()
        with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
            row.delete()


@pytest.mark.django_db
def test_question_table_is_the_specification_s() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name, data_type, is_nullable, character_maximum_length,"
            " numeric_precision, numeric_scale FROM information_schema.columns"
            " WHERE table_name = 'kb_qa_questions' ORDER BY ordinal_position"
        )
        columns = cursor.fetchall()
    assert columns == [
        ("question_id", "uuid", "NO", None, None, None),
        ("tenant_id", "uuid", "NO", None, None, None),
        ("doc_id", "uuid", "NO", None, None, None),
        ("question_text", "text", "NO", None, None, None),
        ("answer_kind", "text", "NO", None, None, None),
        ("answer_text", "text", "YES", None, None, None),
        ("confidence_score", "numeric", "YES", None, 3, 2),
        ("citations", "jsonb", "NO", None, None, None),
        ("asked_by", "uuid", "NO", None, None, None),
        ("trace_id", "character", "YES", 32, None, None),
        ("created_at", "timestamp with time zone", "NO", None, None, None),
    ]
