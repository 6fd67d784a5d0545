"""Reflect over HTTP. It opens short scopes of its own: none is held while a model thinks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.decorators import method_decorator
from django_ratelimit.decorators import ratelimit
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from memory import bank_config, bank_settings, tenancy
from memory.api.base import MayReadMemory, MemoryView, body_of
from memory.api.describing import IN_BANK, operation, reply
from memory.api.examples import reflect as examples
from memory.api.recall_requests import MAX_TOKENS, refuse_long, tag_scope
from memory.api.rendering import reflect as rendering
from memory.api.shapes.reflect import ReflectReplySerializer, ReflectSerializer
from memory.hits import Budget
from memory.levels import FactType
from memory.models import Bank
from memory.reflecting import engine
from memory.reflecting.records import ReflectRequest
from memory.rest.limits import BURST_SECONDS, burst, caller
from memory.rest.permissions import IsMember, member_of


class ReflectView(MemoryView):
    permission_classes = [IsMember, MayReadMemory]

    @operation(
        "memory_reflect",
        "Answer from memories",
        tag="Memories",
        request=ReflectSerializer,
        request_example=examples.REQUEST,
        replies={
            200: reply(
                ReflectReplySerializer,
                "The answer, or why there is none.",
                {"Answer": examples.REPLY, "Abstained": examples.ABSTAINED},
            )
        },
        errors=(*IN_BANK, 429),
    )
    @method_decorator(ratelimit(key=caller, rate=burst, block=False))
    def post(self, request: Request, bank_id: str) -> Response:
        """Without a language model the answer is made of quotes. ``include.facts``: what it rests on."""
        if getattr(request, "limited", False):
            raise Throttled(wait=BURST_SECONDS)
        given = body_of(request, ReflectSerializer)
        tenant_id = member_of(request).tenant_id
        with tenancy.scope(tenant_id):
            wanted = _request(self.bank(bank_id), given)
        found = engine.reflect(tenant_id, wanted)
        include = given.get("include") or {}
        calls = include.get("tool_calls")
        return Response(
            rendering.reflected(
                found,
                with_facts=include.get("facts") is not None,
                with_trace=calls is not None,
                with_output=calls is not None and calls["output"],
            )
        )


def _request(bank: Bank, given: Mapping[str, Any]) -> ReflectRequest:
    refuse_long(given["query"])
    budget = Budget(given.get("budget") or Budget.LOW)
    tokens = given.get("max_tokens") or MAX_TOKENS
    config = bank_settings.resolved(bank)
    types = given.get("fact_types")
    return ReflectRequest(
        bank_id=bank.pk,
        query=given["query"],
        context=given.get("context") or "",
        budget=budget,
        width=bank_config.width(config, budget, max_tokens=tokens),
        max_tokens=tokens,
        types=tuple(map(FactType, types)) if types else tuple(FactType),
        tags=tag_scope(given),
        all_directives=bool(given.get("apply_all_directives")),
        mental_models=not given.get("exclude_mental_models"),
        without_models=frozenset(given.get("exclude_mental_model_ids") or ()),
        schema=given.get("response_schema"),
    )
