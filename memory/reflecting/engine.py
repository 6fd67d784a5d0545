"""Reflect, from the question to the answer. Needs no scope: it opens short ones of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.conf import settings

from memory import events, tenancy
from memory.backends.completions import ChatModel
from memory.errors import GeneratorFailed
from memory.events import EventName
from memory.models import Bank
from memory.reflecting import quoting, structuring
from memory.reflecting.dialogue import Dialogue
from memory.reflecting.looking import Looked
from memory.reflecting.records import Reflection, ReflectRequest


def has_model() -> bool:
    """Whether a language model writes the answers."""
    return bool(settings.FOOTNOTE["LLM_MODEL"])


def reflect(tenant_id: UUID, request: ReflectRequest) -> Reflection:
    """An answer, or why there is none. A model that fails gives way to quotes.

    Raises ``InvalidQuery``.
    """
    looked = Looked(tenant_id, request)
    looked.begin()
    found = _answer(tenant_id, looked)
    return found if request.schema is None else _in_shape(found, request.schema)


def _answer(tenant_id: UUID, looked: Looked) -> Reflection:
    request = looked.request
    if not has_model():
        return quoting.answer(looked)
    with tenancy.scope(tenant_id):
        bank = Bank.objects.get(pk=request.bank_id)
    dialogue = Dialogue(looked, bank)
    try:
        return dialogue.answer()
    except GeneratorFailed as failure:
        with tenancy.scope(tenant_id):
            events.record(
                EventName.GENERATOR_FAILED,
                bank_id=str(request.bank_id),
                failure=failure.kind.value,
            )
        looked.degraded["model"] = None
        return dialogue.given_up(quoting.answer(looked))


def _in_shape(found: Reflection, schema: Any) -> Reflection:
    if not found.model or found.reason is not None:
        shaped = structuring.without_answer(has_model=has_model())
    else:
        shaped = structuring.structured(found.text, schema, ChatModel.from_settings())
    return replace(
        found,
        structured=shaped.value,
        structured_error=shaped.error,
        usage=found.usage + shaped.usage,
    )
