"""Calling the memory API in tests: as a member with a key."""

from __future__ import annotations

from typing import Any

from rest_framework.test import APIClient

from memory import tenancy
from memory.models import Membership
from memory.people import keys

BANKS = "/v1/default/banks"


def token_of(member: Membership, **key: Any) -> str:
    with tenancy.scope(member.tenant_id):
        return keys.create_key(member, **key)


def client_of(member: Membership, **key: Any) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token_of(member, **key)}")
    return client
