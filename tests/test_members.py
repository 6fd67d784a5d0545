"""People of an organisation: who is added and changed, by whom, and what the audit tells of it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from memory import tenancy
from memory.models import ApiKey, AuditEntry, Membership, Role
from memory.people import keys, members
from memory.people.members import LastAdmin
from tests.factories import Org, make_member, make_org


def entries(org: Org) -> list[AuditEntry]:
    with tenancy.scope(org.tenant.pk):
        return list(AuditEntry.objects.order_by("seq"))


@pytest.mark.django_db
def test_added_member_is_audited_with_who_added_them() -> None:
    org = make_org()
    added = members.add(org.tenant, "nova", Role.EDITOR, groups=["b", "a"], actor=org.admin)
    (entry,) = entries(org)
    assert entry.kind == "memory.member_added"
    assert entry.body == {
        "actor": str(org.admin.user_id),
        "user_id": str(added.user_id),
        "before": None,
        "after": {"role": "editor", "groups": ["a", "b"], "is_active": True},
    }


@pytest.mark.django_db
def test_adding_somebody_twice_changes_and_audits_nothing() -> None:
    org = make_org()
    first = members.add(org.tenant, "nova", Role.EDITOR)
    again = members.add(org.tenant, "nova", Role.READER)
    assert (again.pk, again.role) == (first.pk, Role.EDITOR)
    assert len(entries(org)) == 1


@pytest.mark.django_db
def test_change_tells_before_and_after_and_keeps_the_rest() -> None:
    org = make_org()
    nova = make_member(org, Role.READER, "hr")
    members.change(org.admin, nova, role=Role.EDITOR)
    members.change(org.admin, nova, is_active=False)
    members.change(org.admin, nova, groups=["hr"])  # as it is: no entry
    first, second = entries(org)
    assert (first.body["before"], first.body["after"]) == (
        {"role": "reader", "groups": ["hr"], "is_active": True},
        {"role": "editor", "groups": ["hr"], "is_active": True},
    )
    assert second.body["after"] == {"role": "editor", "groups": ["hr"], "is_active": False}


@pytest.mark.parametrize("change", [{"role": Role.EDITOR}, {"is_active": False}])
@pytest.mark.django_db
def test_last_admin_stays(change: dict[str, object]) -> None:
    org = make_org()
    with pytest.raises(LastAdmin):
        members.change(org.admin, org.admin, **change)  # type: ignore[arg-type]
    second = make_member(org, Role.ADMIN)
    members.change(second, org.admin, **change)  # type: ignore[arg-type]


@pytest.mark.django_db
def test_member_of_another_organisation_cannot_be_changed() -> None:
    org, other = make_org(), make_org()
    with pytest.raises(Membership.DoesNotExist):
        members.change(org.admin, other.reader, role=Role.ADMIN)
    other.reader.refresh_from_db()
    assert other.reader.role == Role.READER


def test_two_admins_who_demote_each_other_at_once_leave_one(committed_db: None) -> None:
    org = make_org()
    second = make_member(org, Role.ADMIN)
    barrier = threading.Barrier(2)

    def demote(pair: tuple[Membership, Membership]) -> bool:
        barrier.wait()
        try:
            members.change(pair[0], pair[1], role=Role.READER)
        except LastAdmin:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(max_workers=2) as pool:
        done = list(pool.map(demote, [(org.admin, second), (second, org.admin)]))
    assert sorted(done) == [False, True]
    assert Membership.objects.filter(tenant=org.tenant, role=Role.ADMIN).count() == 1


@pytest.mark.django_db
def test_account_change_names_the_fields_and_not_the_person() -> None:
    org = make_org()
    user = org.reader.user
    user.email, user.is_active = "nova@example.org", False
    members.change_account(org.admin, user, ["email", "is_active", "first_name"])
    (entry,) = entries(org)
    assert entry.kind == "memory.account_changed"
    assert entry.body["fields"] == ["email", "is_active"]
    assert (entry.body["before"], entry.body["after"]) == (
        {"is_active": True},
        {"is_active": False},
    )
    assert "nova@example.org" not in str(entry.body)


@pytest.mark.django_db
def test_keys_are_audited_from_creation_to_revocation_without_digest() -> None:
    org = make_org()
    with tenancy.scope(org.tenant.pk):
        keys.create_key(org.reader, name="script", scopes=["kb:read"], actor=org.admin)
        row = ApiKey.objects.get()
        for _ in range(2):
            keys.revoke(ApiKey.objects.filter(pk=row.pk), actor=org.editor)
    created, revoked = entries(org)
    assert (created.kind, created.body["actor"]) == ("memory.key_created", str(org.admin.user_id))
    assert created.body["after"] == {"name": "script", "scopes": ["kb:read"], "expires_at": None}
    assert (revoked.kind, revoked.body["actor"]) == (
        "memory.key_revoked",
        str(org.editor.user_id),
    )
    for entry in (created, revoked):
        assert entry.body["key_id"] == str(row.pk)
        assert entry.body["user_id"] == str(org.reader.user_id)
        assert row.digest not in str(entry.body)
