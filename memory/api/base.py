"""What every view of the memory API does first: who asks, and which bank is meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from memory import banks
from memory.api import errors
from memory.browsing.filters import tag_filter
from memory.models import Bank
from memory.rest.permissions import IsMember, KeyHasScope, member_of
from memory.tags import TagFilter


class MayUseMemory(KeyHasScope):
    read = "memory:read"
    write = "memory:write"

    def has_permission(self, request: Request, view: APIView) -> bool:
        """A reply to a change says what is stored, so that a change needs both."""
        if request.method == "PATCH" and not self.holds(request, self.read):
            return False
        return super().has_permission(request, view)


class MayReadMemory(MayUseMemory):
    """For reads that are sent as POST: recall, reflect, a dry run."""

    write = "memory:read"


class MemoryView(APIView):
    permission_classes = [IsMember, MayUseMemory]

    def get_exception_handler(self) -> Callable[..., Any]:
        return errors.handle

    def bank(self, bank_id: str) -> Bank:
        """Raises ``BankNotFound``, for another's private bank as well."""
        return banks.find(member_of(self.request), bank_id)

    def own_bank(self, bank_id: str) -> Bank:
        """A bank that the caller may change as a whole or remove: its owner's and the admins'."""
        bank = self.bank(bank_id)
        if not banks.is_theirs(member_of(self.request), bank):
            raise errors.Forbidden("Only the owner of this bank and admins may do this.")
        return bank


def body_of(request: Request, shape: type[serializers.Serializer]) -> dict[str, Any]:
    """The checked body. An absent body is an empty one; null is none."""
    given = shape(data=request.data)
    given.is_valid(raise_exception=True)
    values: dict[str, Any] = given.validated_data
    return values


def query_of(request: Request, shape: type[serializers.Serializer]) -> dict[str, Any]:
    given = shape(data=request.query_params)
    given.is_valid(raise_exception=True)
    values: dict[str, Any] = given.validated_data
    return values


def stated(given: Mapping[str, Any]) -> dict[str, Any]:
    """Without the fields that are null: what is not stated stays as it is."""
    return {name: value for name, value in given.items() if value is not None}


def tags_of(bank: Bank, asked: Mapping[str, Any]) -> TagFilter | None:
    """What a query says about tags. Raises ``InvalidTags``."""
    return tag_filter(
        bank,
        given=asked.get("tags"),
        match=asked["tags_match"],
        groups=asked.get("tag_groups"),
    )
