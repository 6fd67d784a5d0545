"""Accepting an invitation in the browser."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from memory import tenancy
from memory.models import Invitation, Membership, Role, User
from memory.people import invitations
from tests.factories import Org, make_org
from tests.web.conftest import SignedIn

PASSWORD = "correct-horse-battery"
ACCOUNT = {"username": "nova", "password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture
def link(org: Org) -> str:
    _, token = invitations.invite(
        org.admin, role=Role.EDITOR, username="nova", email="nova@example.org"
    )
    return f"/join/{token}"


def text_of(response: Any) -> str:
    return str(response.content, "utf-8")


def test_stranger_makes_an_account_and_is_in(org: Org, visitor: Client, link: str) -> None:
    shown = text_of(visitor.get(link))
    assert f"Join {org.tenant.name}" in shown
    assert 'value="nova"' in shown
    response = visitor.post(link, ACCOUNT | {"first_name": "Nova"})
    assert response["Location"] == f"/{org.tenant.slug}/"
    member = Membership.objects.get(user__username="nova")
    assert (member.tenant, member.role) == (org.tenant, Role.EDITOR)
    assert (member.user.email, member.user.first_name) == ("nova@example.org", "Nova")
    assert member.user.check_password(PASSWORD)
    assert visitor.get("/", follow=True).redirect_chain == [(f"/{org.tenant.slug}/", 302)]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"password1": "12345678", "password2": "12345678"}, "too common"),
        ({"password2": "another-horse"}, "match"),
        ({"username": "no spaces"}, "valid username"),
        ({"username": "TAKEN"}, "This name is taken"),
    ],
)
def test_account_that_cannot_be_made_leaves_the_invitation_open(
    visitor: Client, link: str, change: dict[str, str], says: str
) -> None:
    User.objects.create_user("taken")
    response = visitor.post(link, ACCOUNT | change)
    assert response.status_code == 400
    assert says in text_of(response)
    assert not Membership.objects.filter(user__username="nova").exists()
    assert visitor.get(link).status_code == 200


def test_name_that_was_taken_a_moment_ago_is_asked_for_again(
    visitor: Client, link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def save(self: User, *args: Any, **kwargs: Any) -> None:
        raise IntegrityError

    monkeypatch.setattr(User, "save", save)
    response = visitor.post(link, ACCOUNT)
    assert response.status_code == 400
    assert "This name is taken" in text_of(response)


def test_signed_in_person_joins_with_their_account_after_saying_so(
    org: Org, signed_in: SignedIn, link: str
) -> None:
    theirs = make_org()
    client = signed_in(theirs.reader)
    shown = text_of(client.get(link))
    assert theirs.reader.user.username in shown
    assert theirs.tenant.name not in shown
    assert not Membership.objects.filter(user=theirs.reader.user, tenant=org.tenant).exists()
    assert client.post(link)["Location"] == f"/{org.tenant.slug}/"
    assert client.get("/")["Location"] == f"/{org.tenant.slug}/"


def test_posted_account_fields_do_not_count_for_who_is_signed_in(
    org: Org, signed_in: SignedIn, link: str
) -> None:
    theirs = make_org()
    signed_in(theirs.reader).post(link, ACCOUNT)
    assert not User.objects.filter(username="nova").exists()


def test_member_is_told_that_they_belong_already(org: Org, signed_in: SignedIn, link: str) -> None:
    response = signed_in(org.reader).post(link, follow=True)
    assert "You belong to this organisation already" in text_of(response)
    assert Membership.objects.get(pk=org.reader.pk).role == Role.READER


def test_signing_in_leads_back_to_the_invitation(visitor: Client, link: str) -> None:
    shown = text_of(visitor.get(link))
    assert f"/sign-in?next={link}" in shown


def test_link_that_is_over_says_why_and_names_no_organisation(
    org: Org, visitor: Client, link: str
) -> None:
    with tenancy.scope(org.tenant.pk):
        Invitation.objects.update(expires_at=timezone.now())
    response = visitor.get(link)
    assert response.status_code == 410
    assert "made for a limited time" in text_of(response)
    assert org.tenant.name not in text_of(response)
    assert visitor.post(link, ACCOUNT).status_code == 410


def test_made_up_link_is_not_found(org: Org, visitor: Client, link: str) -> None:
    for made_up in ("/join/x", link[:-1], f"/join/{'0' * 32}secret.signature"):
        assert visitor.get(made_up).status_code == 404


def test_join_page_stays_out_of_caches_and_indexes(visitor: Client, link: str) -> None:
    response = visitor.get(link)
    assert response["Cache-Control"] == "private, no-store"
    assert "noindex" in response["X-Robots-Tag"]
    # A browser that sends no referrer at all also hides the origin, and the form would be refused.
    assert response["Referrer-Policy"] == "same-origin"


def test_trying_names_with_one_invitation_ends(
    visitor: Client, link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.create_user("taken")
    answers = [visitor.post(link, ACCOUNT | {"username": "taken"}).status_code for _ in range(31)]
    assert answers == [400] * 30 + [429]
