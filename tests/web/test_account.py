"""Signing in and out, and the choice of organisation."""

from __future__ import annotations

import pytest
from django.test import Client

from memory.models import Role
from memory.people import members
from tests.factories import Org, make_org
from tests.web.conftest import SignedIn

PASSWORD = "correct-horse-battery"


@pytest.fixture
def username(org: Org) -> str:
    return members.add(org.tenant, "mai", Role.READER, password=PASSWORD).user.username


def test_signing_in_leads_to_ones_organisation(org: Org, visitor: Client, username: str) -> None:
    assert visitor.get("/")["Location"] == "/sign-in"
    visitor.post("/sign-in", {"username": username, "password": PASSWORD})
    assert visitor.get("/")["Location"] == f"/{org.tenant.slug}/"


def test_wrong_password_says_so_and_keeps_the_name(visitor: Client, username: str) -> None:
    response = visitor.post("/sign-in", {"username": username, "password": "wrong"})
    text = str(response.content, "utf-8")
    assert 'role="alert"' in text
    assert f'value="{username}"' in text


@pytest.mark.parametrize(
    ("next_page", "location"),
    [("/demo/p/hr", "/demo/p/hr"), ("https://evil.example/", "/"), ("//evil.example", "/")],
)
def test_signing_in_goes_on_within_this_site_only(
    visitor: Client, username: str, next_page: str, location: str
) -> None:
    response = visitor.post(
        "/sign-in", {"username": username, "password": PASSWORD, "next": next_page}
    )
    assert response["Location"] == location


def test_signing_out_takes_a_post(org: Org, signed_in: SignedIn) -> None:
    client = signed_in(org.reader)
    assert client.get("/sign-out").status_code == 405
    client.post("/sign-out")
    assert client.get("/")["Location"] == "/sign-in"


def test_forms_need_their_token(org: Org) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(org.reader.user)
    response = client.post("/switch", {"tenant": str(org.tenant.pk)})
    assert response.status_code == 403
    assert "That was not allowed" in str(response.content, "utf-8")


def test_switching_changes_the_active_organisation(org: Org, signed_in: SignedIn) -> None:
    second = make_org()
    members.add(second.tenant, org.reader.user.username, Role.READER)
    client = signed_in(org.reader)
    assert client.get("/")["Location"] == f"/{org.tenant.slug}/"
    response = client.post("/switch", {"tenant": str(second.tenant.pk)})
    assert response["Location"] == f"/{second.tenant.slug}/"
    assert client.get("/")["Location"] == f"/{second.tenant.slug}/"


@pytest.mark.parametrize("chosen", ["", "nonsense", "another"])
def test_switching_to_where_one_does_not_belong_is_not_found(
    org: Org, signed_in: SignedIn, chosen: str
) -> None:
    tenant = str(make_org().tenant.pk) if chosen == "another" else chosen
    assert signed_in(org.reader).post("/switch", {"tenant": tenant}).status_code == 404


def test_user_without_organisation_is_told_so(signed_in: SignedIn, org: Org) -> None:
    org.reader.is_active = False
    org.reader.save()
    response = signed_in(org.reader).get("/", follow=True)
    assert "no organisation has added you yet" in str(response.content, "utf-8")
