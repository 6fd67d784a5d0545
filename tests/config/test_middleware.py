from __future__ import annotations

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db

STRICT = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
}


def policy(client: Client, path: str) -> set[str]:
    header = client.get(path).headers["Content-Security-Policy"]
    return {part.strip() for part in header.split(";")}


@pytest.mark.parametrize("path", ["/", "/v1/kb/docs", "/no-such-page", "/administration"])
def test_strict_policy_covers_pages_api_and_errors(client: Client, path: str) -> None:
    assert policy(client, path) == STRICT


def test_admin_has_a_policy_of_its_own_that_still_names_no_other_host(client: Client) -> None:
    admin = policy(client, "/admin/login/")
    assert "script-src 'self' 'unsafe-inline' 'unsafe-eval'" in admin
    assert "style-src 'self' 'unsafe-inline'" in admin
    assert {"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"} <= admin
