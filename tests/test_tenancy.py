"""The tenant of a unit of work, as the application's database role sees it."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import ProgrammingError, connection, transaction
from django.test import Client

from kb.models import Doc
from memory import tenancy
from memory.errors import OutsideScope, TenantMismatch
from memory.models import Bank
from memory.people import keys
from tests.factories import make_org, make_page


@pytest.mark.django_db
def test_rows_of_another_tenant_are_not_there() -> None:
    ours, theirs = make_org(), make_org()
    doc = make_page(theirs, "Secret plan.")
    with tenancy.scope(ours.tenant.pk):
        assert not Doc.objects.filter(pk=doc.pk).exists()
    with tenancy.scope(theirs.tenant.pk):
        assert Doc.objects.get().pk == doc.pk


@pytest.mark.django_db
def test_writing_into_another_tenant_is_refused_by_the_database() -> None:
    ours, theirs = make_org(), make_org()
    with (
        pytest.raises(ProgrammingError, match="row-level security"),
        tenancy.scope(ours.tenant.pk),
        transaction.atomic(),
    ):
        Bank.objects.create(tenant_id=theirs.tenant.pk, name="intruder")


@pytest.mark.django_db
def test_query_outside_a_scope_raises_instead_of_finding_nothing() -> None:
    with pytest.raises(OutsideScope, match="kb_doc"):
        Doc.objects.count()


@pytest.mark.django_db
def test_scope_of_another_tenant_cannot_be_nested() -> None:
    ours, theirs = make_org(), make_org()
    with tenancy.scope(ours.tenant.pk), pytest.raises(TenantMismatch):  # noqa: SIM117
        with tenancy.scope(theirs.tenant.pk):
            pass


@pytest.mark.django_db
def test_nested_scope_of_the_same_tenant_keeps_it_afterwards() -> None:
    org = make_org()
    with tenancy.scope(org.tenant.pk):
        with tenancy.scope(org.tenant.pk):
            pass
        assert tenancy.current() == org.tenant.pk
        assert Doc.objects.count() == 0  # would raise without a tenant


@pytest.mark.parametrize("value", ["", "nonsense", "1' OR '1'='1", "00000000-0000-0000-0000"])
@pytest.mark.django_db
def test_missing_or_malformed_tenant_reads_as_no_rows(value: str) -> None:
    org = make_org()
    make_page(org, "Something.")
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('auth.tenant_id', %s, true)", [value])
        cursor.execute("SELECT current_tenant()")
        assert cursor.fetchone() == (None,)
    assert _rows_without_the_guard() == 0


def test_fc_36_connection_reused_after_a_request_carries_no_tenant(committed_db: None) -> None:
    org = make_org()
    make_page(org, "Something.")
    with tenancy.scope(org.tenant.pk):
        assert Doc.objects.count() == 1
    assert _rows_without_the_guard() == 0
    with pytest.raises(ZeroDivisionError), tenancy.scope(org.tenant.pk):
        _ = Doc.objects.count() / 0
    assert _rows_without_the_guard() == 0
    with transaction.atomic():
        assert _rows_without_the_guard() == 0


def test_fc_35_task_without_a_tenant_fails_and_reads_nothing(committed_db: None) -> None:
    first, second = make_org(), make_org()
    make_page(first, "Of the first.")
    make_page(second, "Of the second.")

    def task(tenant_id: uuid.UUID | None, *, fails: bool = False) -> int:
        if tenant_id is None:
            return Doc.objects.count()
        with tenancy.scope(tenant_id):
            count = Doc.objects.count()
            if fails:
                raise RuntimeError("half way")
            return count

    with ThreadPoolExecutor(max_workers=1) as worker:  # one worker, one connection
        assert worker.submit(task, first.tenant.pk).result() == 1
        with pytest.raises(OutsideScope):
            worker.submit(task, None).result()
        with pytest.raises(RuntimeError, match="half way"):
            worker.submit(task, second.tenant.pk, fails=True).result()
        with pytest.raises(OutsideScope):
            worker.submit(task, None).result()
        assert worker.submit(_rows_without_the_guard).result() == 0
        worker.submit(lambda: connection.close()).result()


def _rows_without_the_guard() -> int:
    """What the database itself shows when our own guard is out of the way."""
    wrappers = connection.execute_wrappers[:]
    connection.execute_wrappers.clear()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM kb_doc")
            return int(cursor.fetchone()[0])
    finally:
        connection.execute_wrappers[:] = wrappers


@pytest.mark.django_db
def test_key_is_nobody_outside_of_the_api() -> None:
    """No page in the browser looks at a key's scopes, so a key opens none."""
    org = make_org()
    make_page(org, "Words.", slug="words")
    with tenancy.scope(org.tenant.pk):
        key = keys.create_key(org.admin, scopes=["kb:read"])
    client = Client(headers={"Authorization": f"Bearer {key}"})
    client.force_login(org.admin.user)  # nor does the cookie that comes with it
    assert client.get("/v1/kb/docs").json()["count"] == 1
    assert client.post(f"/{org.tenant.slug}/delete/words").status_code == 404
    assert client.get(f"/{org.tenant.slug}/p/words")["Location"].startswith("/sign-in")
