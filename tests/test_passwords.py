"""Links for a new password: when they hold, for whom one is made, and what is mailed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.core import mail
from django.utils import timezone

from memory import tasks, tenancy
from memory.models import AuditEntry, Membership, Role, User
from memory.people import invitations, mailing, passwords
from memory.people.passwords import BelongsElsewhere
from tests.factories import Org, make_org

LINK = "https://kb.example/password-reset/{who}/{token}"


@pytest.fixture
def org(db: None) -> Org:
    return make_org()


@pytest.fixture
def mail_server(settings: Any) -> None:
    settings.EMAIL_HOST = "mail.example"


def token_for(user: User) -> str:
    return passwords.address_of(user)[1]


def holds(user: User, token: str) -> bool:
    return passwords.tokens.check_token(User.objects.get(pk=user.pk), token)


def test_link_holds_for_its_account_alone(org: Org) -> None:
    token = token_for(org.reader.user)
    assert holds(org.reader.user, token)
    assert not holds(org.editor.user, token)


@pytest.mark.parametrize("change", ["password", "email", "sign-in"])
def test_link_dies_with_what_makes_it_unnecessary(org: Org, change: str) -> None:
    user = org.reader.user
    token = token_for(user)
    if change == "password":
        user.set_password("correct-horse-battery")
    elif change == "email":
        user.email = "new@example.org"
    else:
        user.last_login = timezone.now()
    user.save()
    assert not holds(user, token)


def test_link_dies_when_the_account_joins_another_organisation(org: Org) -> None:
    token = token_for(org.reader.user)
    _, invitation = invitations.invite(make_org().admin, role=Role.ADMIN, username="x")
    invitations.accept(invitation, org.reader.user)
    assert not holds(org.reader.user, token)


def test_link_dies_when_the_account_leaves(org: Org) -> None:
    token = token_for(org.reader.user)
    Membership.objects.filter(pk=org.reader.pk).update(is_active=False)
    assert not holds(org.reader.user, token)


def test_link_lasts_for_a_day(org: Org) -> None:
    token = token_for(org.reader.user)
    now = passwords.tokens._now()
    for hours, expected in ((23, True), (25, False)):
        with patch.object(
            passwords.tokens, "_now", lambda hours=hours: now + timedelta(hours=hours)
        ):
            assert holds(org.reader.user, token) is expected


def test_admins_link_is_audited_without_the_link(org: Org) -> None:
    _, token = passwords.make_link(org.admin, org.reader)
    with tenancy.scope(org.tenant.pk):
        entry = AuditEntry.objects.get()
    assert (entry.kind, entry.body) == (
        "memory.password_link_made",
        {"actor": str(org.admin.user_id), "user_id": str(org.reader.user_id)},
    )
    assert holds(org.reader.user, token)


@pytest.mark.parametrize("is_active", [True, False])
def test_account_that_also_belongs_elsewhere_gets_no_link_from_an_admin(
    org: Org, is_active: bool
) -> None:
    Membership.objects.create(tenant=make_org().tenant, user=org.reader.user, is_active=is_active)
    with pytest.raises(BelongsElsewhere):
        passwords.make_link(org.admin, org.reader)
    with tenancy.scope(org.tenant.pk):
        assert not AuditEntry.objects.exists()


def test_accounts_are_found_by_name_or_address_where_mail_can_reach_them(org: Org) -> None:
    User.objects.filter(pk=org.reader.user_id).update(email="Mai@Example.org")
    for said in ("mai@example.org", " MAI@example.ORG ", org.reader.user.username):
        assert passwords.find_accounts(said) == [org.reader.user_id]
    assert passwords.find_accounts(org.editor.user.username) == []  # no address
    assert passwords.find_accounts("") == []
    User.objects.filter(pk=org.reader.user_id).update(is_active=False)
    assert passwords.find_accounts("mai@example.org") == []


def test_mailed_link_holds(org: Org) -> None:
    user = org.reader.user
    User.objects.filter(pk=user.pk).update(email="mai@example.org")
    assert tasks.mail_password_links([str(user.pk)], LINK) == 1
    (letter,) = mail.outbox
    assert letter.to == ["mai@example.org"]
    assert letter.subject == "Choose a new password for Footnote"
    address = next(line for line in letter.body.splitlines() if line.startswith("https://"))
    assert holds(user, address.rsplit("/", 1)[1])


def test_nobody_gets_no_mail(org: Org) -> None:
    assert tasks.mail_password_links([], LINK) == 0
    assert tasks.mail_password_links([str(org.reader.user_id)], LINK) == 0
    assert mail.outbox == []


def test_name_with_a_line_break_stays_in_the_subject_line(org: Org) -> None:
    context = {"invitation": {"tenant": {"name": "A\nBcc: b@example.org"}}, "link": "x"}
    assert mailing.send("mai@example.org", "invitation", context)
    (letter,) = mail.outbox
    assert (letter.to, letter.bcc) == (["mai@example.org"], [])
    assert "\n" not in letter.subject


def test_server_that_refuses_is_no_fault_of_the_caller(org: Org) -> None:
    with patch.object(mailing, "send_mail", side_effect=ConnectionRefusedError):
        assert mailing.send("mai@example.org", "password", {"link": "x"}) is False
