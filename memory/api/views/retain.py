"""Retain over HTTP: at once, or as an operation. No transaction is held while a model works."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db import IntegrityError
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from memory import bank_settings, banks, operations, refreshing, tenancy, trying
from memory.api.base import MayReadMemory, MemoryView, body_of, query_of
from memory.api.describing import IN_BANK, operation, reply
from memory.api.errors import Clash
from memory.api.examples import memories as memory_examples
from memory.api.examples import retain as examples
from memory.api.rendering import retain as rendering
from memory.api.retain_requests import dry_item, retain_items
from memory.api.shapes.banks import DeletedSerializer
from memory.api.shapes.memories import TypeQuery
from memory.api.shapes.retain import (
    DryRunReplySerializer,
    DryRunSerializer,
    RetainReplySerializer,
    RetainSerializer,
)
from memory.api.views.memories import TAG, removed
from memory.levels import FactType
from memory.models import Bank, Membership, OperationType
from memory.rest.permissions import IsMember, member_of
from memory.retain import changing, engine, payloads, wanted
from memory.retain.items import RetainItem

_TAKEN: Final = "This operation id stands for other work."


class RetainView(MemoryView):
    @operation(
        "memory_retain",
        "Retain",
        tag=TAG,
        request=RetainSerializer,
        request_example=examples.REQUEST,
        replies={
            200: reply(
                RetainReplySerializer,
                "It can be recalled now; or with async, it has been taken on.",
                {"Retained": examples.REPLY, "Taken on": examples.SUBMITTED},
            )
        },
        errors=(*IN_BANK, 409),
    )
    def post(self, request: Request, bank_id: str) -> Response:
        """A bank that is not there is made. The same document again takes the old one's place."""
        given = body_of(request, RetainSerializer)
        member = member_of(request)
        # Checked before a bank is made for it, and so that what is taken on can be done.
        wanted.read(
            retain_items(given["items"]),
            document_tags=given.get("document_tags") or (),
            now=timezone.now(),
        )
        if given.get("async"):
            return self._submitted(bank_id, given)
        with tenancy.scope(member.tenant_id):
            bank, items = _opened(member, bank_id, given)
        done = engine.retain(
            bank.pk,
            items,
            document_tags=given.get("document_tags") or (),
            tenant_id=member.tenant_id,
        )
        with tenancy.scope(member.tenant_id):
            refreshing.follow(bank.pk)
        return Response(rendering.retained(bank.name, len(items), done))

    def _submitted(self, bank_id: str, given: Mapping[str, Any]) -> Response:
        """In one transaction: work that is refused leaves no bank behind."""
        member, tags = member_of(self.request), given.get("document_tags") or ()
        try:
            with tenancy.scope(member.tenant_id):
                bank, items = _opened(member, bank_id, given)
                row = operations.submit(
                    bank.pk,
                    OperationType.RETAIN,
                    payloads.to_json(items, tags),
                    actor=member.user,
                    items_count=len(items),
                    operation_id=given.get("operation_id"),
                )
                if (row.bank_id, row.type) != (bank.pk, OperationType.RETAIN):
                    raise Clash(_TAKEN)
        except IntegrityError:  # of somebody elsewhere
            raise Clash(_TAKEN) from None
        return Response(rendering.submitted(bank.name, row.items_count, row.pk))

    @operation(
        "memory_clear",
        "Remove a bank's memories",
        tag=TAG,
        query=TypeQuery,
        replies={200: reply(DeletedSerializer, "How many.", {"Removed": memory_examples.DELETED})},
    )
    def delete(self, request: Request, bank_id: str) -> Response:
        """For its owner and admins. All of them with their documents, or those of one type."""
        asked = query_of(request, TypeQuery)
        types = [FactType(asked["type"])] if "type" in asked else None
        with tenancy.scope(member_of(request).tenant_id):
            return removed(changing.delete_memories(self.own_bank(bank_id).pk, types))


class DryRunView(MemoryView):
    permission_classes = [IsMember, MayReadMemory]

    @operation(
        "memory_dry_run",
        "See what retain would take from a content",
        tag=TAG,
        request=DryRunSerializer,
        request_example=examples.DRY_RUN,
        replies={200: reply(DryRunReplySerializer, "The facts.", {"Facts": examples.TRIED})},
    )
    def post(self, request: Request, bank_id: str) -> Response:
        """Nothing is stored."""
        given = body_of(request, DryRunSerializer)
        with tenancy.scope(member_of(request).tenant_id):
            self.bank(bank_id)
        return Response(rendering.tried(trying.try_extraction(dry_item(given))))


def _opened(
    member: Membership, bank_id: str, given: Mapping[str, Any]
) -> tuple[Bank, list[RetainItem]]:
    """The bank, made where it is not there, and the items with what its settings say about them."""
    bank = banks.open_or_create(member, bank_id)
    scopes = bank_settings.resolved(bank)["default_observation_scopes"]
    return bank, retain_items(given["items"], default_scopes=scopes)
