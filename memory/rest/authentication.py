"""Whom an API request speaks for. The middleware has looked already; this says so to DRF."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from memory.models import User
from memory.people.keys import Authenticated


class ApiKeyAuthentication(BaseAuthentication):
    """``Authorization: Bearer KEY``. Comes first, so that a bad request is a 401, not a 403."""

    def authenticate(self, request: Request) -> tuple[User, Authenticated] | None:
        key = getattr(request._request, "key", None)
        if key is None:
            return None
        if key is False:
            raise AuthenticationFailed("This key is not valid, has expired or was revoked.")
        return key.member.user, key

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class ApiKeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = ApiKeyAuthentication
    name = "apiKey"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}
