from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from memory.api.rendering.memories import EVIDENCE
from memory.api.rendering.recall import hit as recalled
from memory.api.rendering.retain import usage
from memory.hits import Hit
from memory.reflecting.records import Reflection, ToolCall


def reflected(
    found: Reflection, *, with_facts: bool, with_trace: bool, with_output: bool
) -> dict[str, Any]:
    return {
        "text": found.text,
        "based_on": _based_on(found) if with_facts else None,
        "structured_output": found.structured,
        "structured_output_error": found.structured_error,
        "usage": usage(found.usage),
        "trace": _trace(found, with_output=with_output) if with_trace else None,
        "abstained": found.reason is not None,
        "reason": found.reason.value if found.reason is not None else None,
        "confidence": found.confidence,
        "left_out": found.left_out,
        "missing": list(found.missing),
        "model": found.model or None,
        "degraded": list(found.degraded),
        "message": _message(found),
    }


def _based_on(found: Reflection) -> dict[str, Any]:
    return {
        "memories": [_fact(one) for one in found.memories],
        "mental_models": [
            {"id": one.id, "text": one.content, "context": one.title} for one in found.mental_models
        ],
        "directives": [
            {"id": str(rule.id), "name": rule.name, "content": rule.content} for rule in found.rules
        ],
    }


def _fact(one: Hit) -> dict[str, Any]:
    whole = recalled(one)
    return {name: whole[name] for name in EVIDENCE}


def _trace(found: Reflection, *, with_output: bool) -> dict[str, Any]:
    return {
        "tool_calls": [_call(call, with_output=with_output) for call in found.tool_calls],
        "llm_calls": [
            {"scope": call.scope, "duration_ms": call.duration_ms} for call in found.model_calls
        ],
    }


def _call(call: ToolCall, *, with_output: bool) -> dict[str, Any]:
    return {
        "tool": call.tool.value,
        "input": dict(call.input),
        "output": dict(call.output) if with_output else None,
        "duration_ms": call.duration_ms,
        "iteration": call.iteration,
    }


def _message(found: Reflection) -> str | None:
    said = []
    if found.missing:
        said.append(
            _("The answer does not cover: {missing}.").format(missing=", ".join(found.missing))
        )
    if not found.model and found.waiting_rules:
        said.append(
            _(
                "The bank has directives for this question. Without a language model answers are"
                " quotes, and directives change nothing in them."
            )
        )
    return " ".join(said) or None
