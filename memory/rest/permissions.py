"""What a key may be used for. What one may see is decided by queries, not here."""

from __future__ import annotations

from typing import ClassVar, cast

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from memory.models import Membership
from memory.people.keys import Authenticated


def member_of(request: Request) -> Membership:
    member: Membership = request._request.member  # type: ignore[attr-defined]
    return member


class IsMember(BasePermission):
    message = "Sign in, or send a key of an organisation that you belong to."

    def has_permission(self, request: Request, view: APIView) -> bool:
        return (
            bool(request.user and request.user.is_authenticated) and member_of(request) is not None
        )


class KeyHasScope(BasePermission):
    """The scope that a view needs, by method; a session has every scope of its role."""

    read: ClassVar[str]
    write: ClassVar[str]

    def needed(self, request: Request, view: APIView) -> str:
        return self.read if request.method in SAFE_METHODS else self.write

    def has_permission(self, request: Request, view: APIView) -> bool:
        return self.holds(request, self.needed(request, view))

    def holds(self, request: Request, needed: str) -> bool:
        key = cast("Authenticated | None", request.auth)
        if key is not None and needed not in key.scopes:
            self.message = f"This key lacks the scope {needed}."
            return False
        return True
