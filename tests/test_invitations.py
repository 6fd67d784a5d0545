"""Invitations: who gets in, what the audit tells, and what ends one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from memory import tenancy
from memory.models import AuditEntry, Invitation, Membership, Role, User
from memory.people import invitations, members
from memory.people.invitations import (
    InvitationEnded,
    InvitationNotFound,
    InvitationState,
    MemberAlready,
)
from tests.factories import Org, make_member, make_org


@pytest.fixture
def org(db: None) -> Org:
    return make_org()


def invite(org: Org, **options: Any) -> str:
    return invitations.invite(
        org.admin, **{"role": Role.EDITOR, "email": "n@example.org"} | options
    )[1]


def stored(org: Org) -> Invitation:
    with tenancy.scope(org.tenant.pk):
        return Invitation.objects.select_related("accepted_by").get()


def change(org: Org, **fields: Any) -> None:
    with tenancy.scope(org.tenant.pk):
        Invitation.objects.update(**fields)


def entries(org: Org) -> list[AuditEntry]:
    with tenancy.scope(org.tenant.pk):
        return list(AuditEntry.objects.order_by("seq"))


def test_new_account_is_saved_with_its_membership(org: Org) -> None:
    token = invite(org, groups=["hr", "hr"])
    member = invitations.accept(token, User(username="nova"))
    assert (member.user.username, member.tenant, member.role, member.groups) == (
        "nova",
        org.tenant,
        Role.EDITOR,
        ["hr"],
    )
    assert (member.user.is_staff, member.user.is_superuser) == (False, False)


def test_accepted_invitation_names_the_account_and_keeps_no_address(org: Org) -> None:
    member = invitations.accept(invite(org, username="n"), User(username="nova"))
    row = stored(org)
    assert (row.accepted_by, row.email, row.username) == (member.user, "", "")
    assert invitations.state(row) is InvitationState.ACCEPTED


def test_link_works_once(org: Org) -> None:
    token = invite(org)
    invitations.accept(token, User(username="first"))
    with pytest.raises(InvitationEnded) as ended:
        invitations.accept(token, User(username="second"))
    assert ended.value.state is InvitationState.ACCEPTED
    assert not User.objects.filter(username="second").exists()


def test_of_two_who_accept_at_once_one_gets_in(committed_db: None) -> None:
    org = make_org()
    token = invite(org)

    def accept(name: str) -> bool:
        try:
            invitations.accept(token, User(username=name))
        except InvitationEnded:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(max_workers=2) as pool:
        assert sorted(pool.map(accept, ("first", "second"))) == [False, True]
    assert User.objects.filter(username__in=("first", "second")).count() == 1


@pytest.mark.parametrize("end", ["expires", "is revoked"])
def test_expired_and_revoked_links_let_nobody_in(org: Org, end: str) -> None:
    token = invite(org)
    if end == "expires":
        change(org, expires_at=timezone.now())
    else:
        with tenancy.scope(org.tenant.pk):
            assert invitations.revoke(org.admin, Invitation.objects.all()) == 1
            assert invitations.revoke(org.admin, Invitation.objects.all()) == 0
    for use in (invitations.read, lambda token: invitations.accept(token, User(username="nova"))):
        with pytest.raises(InvitationEnded):
            use(token)
    assert not User.objects.filter(username="nova").exists()


def test_renewed_link_replaces_the_one_before_and_revives_an_expired_one(org: Org) -> None:
    before = invite(org)
    change(org, expires_at=timezone.now())
    token = invitations.renew(org.admin, stored(org), lifetime=timedelta(days=2))
    with pytest.raises(InvitationNotFound):
        invitations.read(before)
    left = invitations.read(token).expires_at - timezone.now()
    assert timedelta(days=1) < left <= timedelta(days=2)


def test_what_was_accepted_or_revoked_is_not_renewed(org: Org) -> None:
    invitations.accept(invite(org), User(username="nova"))
    with pytest.raises(InvitationEnded):
        invitations.renew(org.admin, stored(org))


@pytest.mark.parametrize("spoil", ["", "nonsense", "tampered", "unsigned"])
def test_token_that_was_not_signed_here_costs_no_query(
    org: Org, spoil: str, django_assert_num_queries: Any
) -> None:
    token = invite(org)
    other = {"tampered": "f" * 32 + token[32:], "unsigned": token.split(".")[0]}
    with django_assert_num_queries(0), pytest.raises(InvitationNotFound):
        invitations.read(other.get(spoil, spoil))


def test_secret_is_stored_as_a_digest_alone(org: Org) -> None:
    token = invite(org)
    secret = token.split(".")[0][32:]
    assert secret not in str(vars(stored(org)))


def test_known_account_joins_and_keeps_its_other_organisation(org: Org) -> None:
    theirs = make_org()
    member = invitations.accept(invite(org), theirs.reader.user)
    assert member.user == theirs.reader.user
    assert Membership.objects.get(pk=theirs.reader.pk).role == Role.READER


def test_former_member_comes_back_with_what_the_invitation_gives(org: Org) -> None:
    members.change(org.admin, org.reader, is_active=False)
    member = invitations.accept(invite(org, groups=["hr"]), org.reader.user)
    assert (member.pk, member.role, member.groups, member.is_active) == (
        org.reader.pk,
        Role.EDITOR,
        ["hr"],
        True,
    )
    assert entries(org)[-1].kind == "memory.member_changed"


def test_member_cannot_raise_their_role_with_somebody_elses_invitation(org: Org) -> None:
    token = invite(org, role=Role.ADMIN)
    with pytest.raises(MemberAlready):
        invitations.accept(token, org.reader.user)
    assert Membership.objects.get(pk=org.reader.pk).role == Role.READER
    assert invitations.read(token)


@pytest.mark.parametrize("change", [{"role": Role.READER}, {"is_active": False}])
def test_what_an_admin_promised_ends_with_their_being_one(org: Org, change: dict[str, Any]) -> None:
    other = make_member(org, Role.ADMIN)
    token = invitations.invite(other, role=Role.ADMIN, username="accomplice")[1]
    members.change(org.admin, other, **change)
    with pytest.raises(InvitationEnded):
        invitations.read(token)
    assert [entry.kind for entry in entries(org)] == [
        "memory.member_invited",
        "memory.invitation_revoked",
        "memory.member_changed",
    ]


def test_invitations_of_a_closed_account_end(org: Org) -> None:
    other = make_member(org, Role.ADMIN)
    token = invitations.invite(other, role=Role.ADMIN, username="accomplice")[1]
    other.user.is_active = False
    members.change_account(org.admin, other.user, ["is_active"])
    with pytest.raises(InvitationEnded):
        invitations.read(token)


def test_audit_tells_who_invited_and_who_joined_and_names_nobody(org: Org) -> None:
    token = invite(org, username="nova")
    invitations.renew(org.admin, stored(org))
    with tenancy.scope(org.tenant.pk):
        invitations.revoke(org.admin, Invitation.objects.all())
    with pytest.raises(InvitationNotFound):
        invitations.read(token)
    member = invitations.accept(invite(org), User(username="nova"))
    *changes, joined = entries(org)
    assert [entry.kind for entry in changes] == [
        "memory.member_invited",
        "memory.invitation_renewed",
        "memory.invitation_revoked",
        "memory.member_invited",
    ]
    assert {entry.body["actor"] for entry in changes} == {str(org.admin.user_id)}
    assert (joined.kind, joined.body["actor"], joined.body["invitation_id"]) == (
        "memory.member_added",
        str(member.user_id),
        changes[-1].body["invitation_id"],
    )
    assert "example.org" not in str([entry.body for entry in entries(org)])
