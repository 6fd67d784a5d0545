"""Inviting, and links for new passwords, in the administration: three actors and another tenant."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from memory import tenancy
from memory.models import AuditEntry, Invitation, Membership, Role, User
from memory.people import invitations, members
from memory.people.invitations import InvitationEnded, InvitationNotFound
from tests.factories import Org, make_org

LIST, ADD = "/admin/memory/invitation/", "/admin/memory/invitation/add/"
NEW = {"email": "nova@example.org", "username": "", "role": "editor", "groups": "hr", "days": "7"}


@pytest.fixture
def org(db: None) -> Org:
    return make_org()


@pytest.fixture
def admin(org: Org) -> Client:
    return sign_in(org.admin)


def sign_in(member: Membership) -> Client:
    client = Client()
    client.force_login(member.user)
    return client


def text_of(response: Any) -> str:
    return str(response.content.decode())


def token_in(shown: str) -> str:
    found = re.search(r"http://testserver/join/([\w.-]+)", shown)
    assert found, "no link was shown"
    return found[1]


def stored(org: Org) -> Invitation:
    with tenancy.scope(org.tenant.pk):
        return Invitation.objects.get()


def address(org: Org, name: str) -> str:
    return reverse(f"admin:memory_invitation_{name}", args=[stored(org).pk])


def test_link_is_shown_once_and_opens_what_was_chosen(org: Org, admin: Client) -> None:
    shown = text_of(admin.post(ADD, NEW, follow=True))
    assert "It is shown only now" in shown
    offered = invitations.read(token_in(shown))
    assert (offered.tenant, offered.role, offered.groups) == (org.tenant, Role.EDITOR, ["hr"])
    assert timedelta(days=6) < offered.expires_at - timezone.now() <= timedelta(days=7)
    assert mail.outbox == []
    for again in (LIST, address(org, "change")):
        shown = text_of(admin.get(again))
        assert "nova@example.org" in shown
        assert "/join/" not in shown
        assert offered.digest not in shown


def test_link_is_mailed_where_a_mail_server_is_set(
    org: Org, admin: Client, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    settings.EMAIL_HOST = "mail.example"
    with django_capture_on_commit_callbacks(execute=True):
        shown = text_of(admin.post(ADD, NEW, follow=True))
    (letter,) = mail.outbox
    assert letter.to == ["nova@example.org"]
    assert letter.subject == f"Your invitation to {org.tenant.name}"
    assert token_in(letter.body) == token_in(shown)
    with django_capture_on_commit_callbacks(execute=True):
        admin.post(ADD, NEW | {"email": "", "username": "nobody-to-mail"})
    assert len(mail.outbox) == 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"email": ""}, "Say who is meant"),
        ({"email": "no address"}, "valid email"),
        ({"email": "", "username": "no spaces"}, "valid username"),
        ({"role": "owner"}, "Select a valid choice"),
        ({"days": "9999"}, "Select a valid choice"),
        ({"email": "READER@example.org"}, "is a member already"),
    ],
)
def test_invitation_that_makes_no_sense_is_refused(
    org: Org, admin: Client, change: dict[str, str], says: str
) -> None:
    User.objects.filter(pk=org.reader.user_id).update(email="reader@example.org")
    assert says in text_of(admin.post(ADD, NEW | change))
    with tenancy.scope(org.tenant.pk):
        assert not Invitation.objects.exists()


def test_same_address_is_invited_once_at_a_time(org: Org, admin: Client) -> None:
    admin.post(ADD, NEW)
    assert "is invited already" in text_of(admin.post(ADD, NEW))
    admin.post(address(org, "revoke"))
    assert admin.post(ADD, NEW).status_code == 302


def test_form_does_not_tell_which_accounts_exist_elsewhere(org: Org, admin: Client) -> None:
    theirs = make_org()
    known, unknown = theirs.reader.user.username, "nobody-anywhere"
    answers = [
        admin.post(ADD, NEW | {"email": "", "username": name}, follow=True)
        for name in (known, unknown)
    ]
    first, second = ([m.level for m in answer.context["messages"]] for answer in answers)
    assert first == second
    assert not Membership.objects.filter(tenant=org.tenant, user=theirs.reader.user).exists()


def test_renewing_shows_a_new_link_and_ends_the_old_one(org: Org, admin: Client) -> None:
    before = token_in(text_of(admin.post(ADD, NEW, follow=True)))
    after = token_in(text_of(admin.post(address(org, "renew"), follow=True)))
    with pytest.raises(InvitationNotFound):
        invitations.read(before)
    assert invitations.read(after)


@pytest.mark.parametrize("way", ["from the list", "from its page"])
def test_invitation_taken_back_lets_nobody_in(org: Org, admin: Client, way: str) -> None:
    token = token_in(text_of(admin.post(ADD, NEW, follow=True)))
    if way == "from the list":
        chosen = {"action": "revoke_chosen", "_selected_action": [str(stored(org).pk)]}
        admin.post(LIST, chosen)
    else:
        admin.post(address(org, "revoke"))
    with pytest.raises(InvitationEnded):
        invitations.read(token)
    shown = text_of(admin.get(address(org, "change")))
    assert "Taken back" in shown
    assert address(org, "renew") not in shown
    assert "cannot be renewed" in text_of(admin.post(address(org, "renew"), follow=True))


def test_list_is_filtered_by_state(org: Org, admin: Client) -> None:
    with tenancy.scope(org.tenant.pk):
        for name in ("open", "expired", "accepted", "revoked"):
            invitations.invite(org.admin, role=Role.READER, username=f"{name}-one")
        past = timezone.now()
        Invitation.objects.filter(username="expired-one").update(expires_at=past)
        Invitation.objects.filter(username="revoked-one").update(revoked_at=past)
        Invitation.objects.filter(username="accepted-one").update(
            accepted_at=past, accepted_by=org.reader.user
        )
    for state, names in {
        "open": "open-one",
        "expired": "expired-one",
        "accepted": str(org.reader.user),
        "revoked": "revoked-one",
    }.items():
        response = admin.get(LIST, {"state": state})
        assert [str(row.accepted_by or row) for row in response.context["cl"].result_list] == [
            names
        ]


def test_only_admins_of_the_tenant_see_and_end_its_invitations(org: Org, admin: Client) -> None:
    admin.post(ADD, NEW)
    addresses = [address(org, name) for name in ("change", "renew", "revoke")]
    other = make_org()
    for client in (sign_in(org.editor), sign_in(org.reader), sign_in(other.admin)):
        answers = [client.get(addresses[0])] + [client.post(one) for one in addresses[1:]]
        assert {one.status_code for one in answers} <= {302, 404}
        assert "nova@example.org" not in "".join(map(text_of, answers))
        assert "nova@example.org" not in text_of(client.get(LIST))
    assert stored(org).revoked_at is None
    assert Client().get(LIST)["Location"].startswith("/sign-in")
    assert sign_in(org.editor).post(ADD, NEW).status_code == 404


def test_inviting_and_ending_take_a_post_and_a_token(org: Org, admin: Client) -> None:
    admin.post(ADD, NEW)
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(org.admin.user)
    for name in ("renew", "revoke"):
        assert careful.get(address(org, name)).status_code == 405
        assert careful.post(address(org, name)).status_code == 403


def test_list_costs_the_same_however_long_it_is(org: Org, admin: Client) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert admin.get(LIST).status_code == 200
        return len(captured)

    def grow(number: int) -> None:
        for _ in range(number):
            member = invitations.accept(
                invitations.invite(org.admin, role=Role.ADMIN, username="x")[1],
                User(username=f"user-{User.objects.count()}"),
            )
            invitations.invite(member, role=Role.READER, username="y")

    grow(1)
    cost()
    few = cost()
    grow(5)
    assert cost() == few
    assert few <= 10


# --- A new password for a member ----------------------------------------------------------------


def password_link(member: Membership) -> str:
    return reverse("admin:memory_membership_password", args=[member.pk])


def test_admin_makes_a_link_that_works_once_and_is_audited(org: Org, admin: Client) -> None:
    shown = text_of(admin.post(password_link(org.reader), follow=True))
    found = re.search(r"http://testserver(/password-reset/[\w/-]+)", shown)
    assert found
    with tenancy.scope(org.tenant.pk):
        entry = AuditEntry.objects.get()
    assert (entry.kind, entry.body["user_id"]) == (
        "memory.password_link_made",
        str(org.reader.user_id),
    )
    visitor = Client()
    form = visitor.get(found[1])["Location"]
    new = {"new_password1": "correct-horse-battery", "new_password2": "correct-horse-battery"}
    assert visitor.post(form, new)["Location"] == "/sign-in"
    assert visitor.login(username=org.reader.user.username, password="correct-horse-battery")
    assert "no longer works" in text_of(Client().get(found[1], follow=True))
    again = admin.get(reverse("admin:memory_membership_change", args=[org.reader.pk]))
    assert "/password-reset/" not in text_of(again)


def test_account_of_two_organisations_gets_no_link_from_either(org: Org, admin: Client) -> None:
    other = make_org()
    members.add(other.tenant, org.reader.user.username, Role.ADMIN)
    shown = text_of(admin.post(password_link(org.reader), follow=True))
    assert "also belongs elsewhere" in shown
    assert "/password-reset/" not in shown


def test_nobody_else_makes_a_link(org: Org, admin: Client) -> None:
    url = password_link(org.reader)
    for client in (sign_in(org.editor), sign_in(org.reader), sign_in(make_org().admin)):
        assert client.post(url).status_code == 404
    assert admin.get(url).status_code == 405
    members.change(org.admin, org.reader, is_active=False)
    assert admin.post(url).status_code == 404
