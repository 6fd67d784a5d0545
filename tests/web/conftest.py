"""Actors in browsers: each client is signed in, or a visitor."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from memory.models import Membership
from tests.factories import Org, make_org

SignedIn = Callable[[Membership], Client]


@pytest.fixture
def org(db: None) -> Org:
    return make_org()


@pytest.fixture
def signed_in(db: None) -> SignedIn:
    def client_of(member: Membership) -> Client:
        client = Client()
        client.force_login(member.user)
        return client

    return client_of


@pytest.fixture
def visitor(db: None) -> Client:
    return Client()
