"""Looks into a bank for one question, and remembers what it found: nothing else may be cited."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from memory import directives, mental_models, tenancy
from memory.hits import Hit
from memory.levels import FactType
from memory.models import Bank
from memory.recall import engine
from memory.recall.request import Include, RecallRequest
from memory.reflecting.records import KnownModel, ReflectRequest, Rule, Tool, ToolCall

MOST_SHOWN: Final = 30  # memories of one call
LEAST_TOKENS, MOST_TOKENS = 1_000, 16_000


@dataclass(slots=True)
class Looked:
    """Everything that was found so far, each once, best first."""

    tenant_id: UUID
    request: ReflectRequest
    hits: dict[UUID, Hit] = field(default_factory=dict)
    models: dict[str, KnownModel] = field(default_factory=dict)
    rules: tuple[Rule, ...] = ()
    calls: list[ToolCall] = field(default_factory=list)
    degraded: dict[str, None] = field(default_factory=dict)

    def begin(self) -> None:
        """The rules, and the mental models that the question may use."""
        request = self.request
        with tenancy.scope(self.tenant_id):
            bank = Bank.objects.get(pk=request.bank_id)
            self.rules = tuple(
                Rule(row.pk, row.name, row.content)
                for row in directives.applying(
                    bank.pk, request.tags, all_of_them=request.all_directives
                )
            )
            if request.mental_models:
                self._remember_models(bank)

    def _remember_models(self, bank: Bank) -> None:
        request = self.request
        rows = [
            row
            for row in mental_models.listed(bank, request.tags)
            if row.content and row.name not in request.without_models
        ]
        stale = mental_models.stale(bank, rows) if rows else ()
        for row in rows:
            self.models[row.name] = KnownModel(
                row.name, row.title, row.content, is_fresh=row.name not in stale
            )

    def recall(
        self, query: str, *, tool: Tool = Tool.RECALL, max_tokens: int = 4096, iteration: int = 0
    ) -> list[Hit]:
        """The best memories for a query. Raises ``InvalidQuery``."""
        request = self.request
        types = _types(tool, request.types)
        tokens = min(max(max_tokens, LEAST_TOKENS), MOST_TOKENS)

        def found() -> tuple[list[Hit], dict[str, Any]]:
            if not types:
                return [], {"memories": []}
            recalled = engine.recall_as(
                self.tenant_id,
                RecallRequest(
                    bank_id=request.bank_id,
                    query=query,
                    levels=tuple(dict.fromkeys(kind.level for kind in types)),
                    types=types,
                    tags=request.tags,
                    width=request.width,
                    k=MOST_SHOWN,
                    max_tokens=tokens,
                    asked_at=request.asked_at,
                    include=Include(),
                ),
            )
            self.degraded |= dict.fromkeys(recalled.degraded)
            for hit in recalled.hits:
                self.hits.setdefault(hit.id, hit)
            return list(recalled.hits), {"memories": [shown(hit) for hit in recalled.hits]}

        return self._timed(tool, {"query": query, "max_tokens": tokens}, iteration, found)

    def mental_models(self, query: str, *, iteration: int = 0) -> list[KnownModel]:
        """All that the question may use: they are few."""

        def found() -> tuple[list[KnownModel], dict[str, Any]]:
            models = list(self.models.values())
            return models, {
                "mental_models": [
                    {"id": one.id, "name": one.title, "content": one.content, "fresh": one.is_fresh}
                    for one in models
                ]
            }

        return self._timed(Tool.MENTAL_MODELS, {"query": query}, iteration, found)

    def _timed(
        self,
        tool: Tool,
        given: dict[str, Any],
        iteration: int,
        found: Callable[[], tuple[list[Any], dict[str, Any]]],
    ) -> list[Any]:
        began = time.perf_counter()
        items, output = found()
        took = round((time.perf_counter() - began) * 1000)
        self.calls.append(
            ToolCall(tool=tool, input=given, output=output, duration_ms=took, iteration=iteration)
        )
        return items


def shown(hit: Hit) -> dict[str, Any]:
    """A memory as a model is shown it."""
    facts: dict[str, Any] = {"id": str(hit.id), "text": hit.text}
    if hit.fact_type is not None:
        facts["type"] = hit.fact_type.value
    if hit.context:
        facts["context"] = hit.context
    if hit.speaker:
        facts["speaker"] = hit.speaker
    for name in ("occurred_start", "occurred_end", "mentioned_at"):
        if (moment := getattr(hit, name)) is not None:
            facts[name] = moment.isoformat()
    return facts


def _types(tool: Tool, types: Sequence[FactType]) -> tuple[FactType, ...]:
    if tool is Tool.OBSERVATIONS:
        return tuple(kind for kind in types if kind is FactType.OBSERVATION)
    return tuple(types)
