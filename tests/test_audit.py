"""The hash chain of a tenant."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections

from memory import audit, tenancy
from memory.errors import UnknownKind
from memory.models import AuditEntry
from tests.factories import Org, make_org

BODY = {"question_id": "q", "doc_id": "d", "asked_by": "u", "question_sha256": "0"}


def append(org: Org, **body: str) -> None:
    with tenancy.scope(org.tenant.pk):
        audit.append("kb.qa_asked", BODY | body, trace_id="f" * 32)


def first_break(org: Org) -> audit.Break | None:
    with tenancy.scope(org.tenant.pk):
        return next((one for one in audit.verify_chain() if isinstance(one, audit.Break)), None)


def tamper(statement: str, *params: object) -> None:
    """As the owner: the application role could not."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(statement, params)
    connections["owner"].close()


def test_entries_link_to_the_one_before(committed_db: None) -> None:
    org = make_org()
    for _ in range(3):
        append(org)
    with tenancy.scope(org.tenant.pk):
        first, second, third = AuditEntry.objects.order_by("seq")
    assert first.prev_hash == audit.GENESIS
    assert (second.prev_hash, third.prev_hash) == (first.hash, second.hash)
    assert first_break(org) is None


def test_changed_entry_is_named(committed_db: None) -> None:
    org = make_org()
    for _ in range(3):
        append(org)
    tamper('UPDATE memory_auditentry SET body = body || \'{"doc_id": "x"}\' WHERE seq = 2')
    assert first_break(org) == audit.Break(2, "its content is not what was hashed")


def test_removed_entry_is_named(committed_db: None) -> None:
    org = make_org()
    for _ in range(3):
        append(org)
    tamper("DELETE FROM memory_auditentry WHERE seq = 2")
    assert first_break(org) == audit.Break(2, "entry 2 is missing")


def test_cut_end_is_noticed(committed_db: None) -> None:
    org = make_org()
    for _ in range(3):
        append(org)
    tamper("DELETE FROM memory_auditentry WHERE seq = 3")
    broken = first_break(org)
    assert broken is not None
    assert (broken.seq, "missing at the end" in broken.problem) == (3, True)


def test_writers_at_once_do_not_fork_the_chain(committed_db: None) -> None:
    org = make_org()
    barrier = threading.Barrier(6)

    def write(_: int) -> None:
        barrier.wait()
        for _ in range(8):
            append(org)
        connection.close()

    with ThreadPoolExecutor(max_workers=6) as pool:
        list(pool.map(write, range(6)))
    with tenancy.scope(org.tenant.pk):
        assert sorted(AuditEntry.objects.values_list("seq", flat=True)) == list(range(1, 49))
    assert first_break(org) is None


@pytest.mark.django_db
def test_kind_outside_the_catalogue_is_refused() -> None:
    org = make_org()
    with tenancy.scope(org.tenant.pk), pytest.raises(UnknownKind, match="not a registered"):
        audit.append("kb.invented", {})


@pytest.mark.django_db
def test_body_without_a_registered_field_is_refused() -> None:
    org = make_org()
    with tenancy.scope(org.tenant.pk), pytest.raises(UnknownKind, match="question_sha256"):
        audit.append("kb.qa_asked", {"question_id": "q", "doc_id": "d", "asked_by": "u"})


def test_chains_of_two_tenants_are_apart(committed_db: None) -> None:
    ours, theirs = make_org(), make_org()
    append(ours)
    append(theirs)
    append(ours)
    with tenancy.scope(theirs.tenant.pk):
        assert AuditEntry.objects.get().seq == 1
    assert first_break(ours) is None


def test_entry_beyond_the_head_is_named(committed_db: None) -> None:
    """The application role may insert, so an entry can be slipped in behind the last one."""
    org = make_org()
    append(org)
    with tenancy.scope(org.tenant.pk):
        last = AuditEntry.objects.get()
        forged = AuditEntry(
            tenant=org.tenant,
            seq=2,
            kind="kb.qa_asked",
            body=BODY,
            created_at=last.created_at,
            prev_hash=last.hash,
        )
        forged.hash = audit.entry_hash(forged)
        forged.save(force_insert=True)
    broken = first_break(org)
    assert broken is not None
    assert (broken.seq, "beyond the head" in broken.problem) == (2, True)


def test_chain_without_its_head_is_noticed(committed_db: None) -> None:
    org = make_org()
    append(org)
    tamper("DELETE FROM memory_audithead")
    broken = first_break(org)
    assert broken is not None
    assert (broken.seq, "head is missing" in broken.problem) == (1, True)


def test_verifying_while_others_write_raises_no_false_alarm(committed_db: None) -> None:
    org = make_org()
    is_over = threading.Event()

    def write() -> None:
        try:
            for _ in range(40):
                append(org)
        finally:
            is_over.set()
            connection.close()

    writer = threading.Thread(target=write)
    writer.start()
    alarms = []
    while not is_over.is_set():
        alarms.append(first_break(org))
    writer.join()
    assert alarms
    assert set(alarms) == {None}
