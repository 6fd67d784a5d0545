"""What a key may be used for. Rights to a page are decided by queries, not here."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.views import APIView

from memory.rest.permissions import IsMember, KeyHasScope, member_of

__all__ = ["HasScope", "IsMember", "MayAsk", "member_of"]


class HasScope(KeyHasScope):
    read = "kb:read"
    write = "kb:write"

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not super().has_permission(request, view):
            return False
        if self.needed(request, view) == "kb:write" and not member_of(request).can_write:
            self.message = "Only editors can change pages."
            return False
        return True


class MayAsk(HasScope):
    write = "kb:ask"
