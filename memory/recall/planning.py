"""What a request means for one bank: which scopes are searched, by which arms, in which period."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import regex
from django.utils import timezone

from memory import dates, tags
from memory.errors import InvalidQuery
from memory.hits import Arm, Window
from memory.levels import FactType, Level
from memory.models import Bank, NodeTag
from memory.recall.request import RecallRequest
from memory.recall.scope import Scope

_WORD = regex.compile(r"[\p{L}\p{N}]")
_LEVEL_OF: Final = {
    FactType.WORLD: Level.L1,
    FactType.EXPERIENCE: Level.L1,
    FactType.OBSERVATION: Level.L2,
}
# What a bank may switch off, by the names in its configuration.
_SWITCHES: Final = {
    Arm.KEYWORD: "enable_text_search",
    Arm.GRAPH: "enable_graph_retrieval",
    Arm.TEMPORAL: "enable_temporal_retrieval",
}
_RERANKING: Final = "enable_reranking"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """``scopes`` come level by level, in the order in which the levels were asked for.

    ``asks_period``: the query asks for whatever happened in its window, and for nothing else.
    """

    request: RecallRequest
    bank_name: str
    scopes: tuple[Scope, ...]
    arms: frozenset[Arm]
    anchor: datetime
    window: Window | None
    rerank: bool
    asks_past: bool
    asks_period: bool

    @property
    def past_window(self) -> Window | None:
        """The period, where it is over: what held in it may have lost to something newer."""
        window = self.window
        return window if window is not None and window.end < self.anchor else None

    @property
    def levels(self) -> tuple[Level, ...]:
        return tuple(dict.fromkeys(scope.level for scope in self.scopes))

    @property
    def prefers_observations(self) -> bool:
        """Only where an observation can take a fact's place."""
        prefers = self.request.prefer_observations or self.request.once
        return prefers and {Level.L1, Level.L2} <= set(self.levels)

    def places(self, level: Level) -> list[int]:
        return [place for place, scope in enumerate(self.scopes) if scope.level is level]


def check(query: str) -> None:
    """Raise ``InvalidQuery`` for a query without a word."""
    if not _WORD.search(query):
        raise InvalidQuery("The query needs at least one letter or digit.")


def plan(request: RecallRequest) -> Plan:
    """Two statements at most: the bank, and its tags where a filter is spelt loosely."""
    found = Bank.objects.filter(pk=request.bank_id).values_list("name", "config").first()
    name, config = found or ("", {})
    arms = frozenset(arm for arm in request.arms if _is_on(config, _SWITCHES.get(arm)))
    anchor = request.asked_at or timezone.now()
    asks_past = dates.is_about_past(request.query)
    window = _window(request, anchor) if Arm.TEMPORAL in arms else None
    unscoped = Plan(
        request=request,
        bank_name=name,
        scopes=(),
        arms=arms,
        anchor=anchor,
        window=window,
        rerank=request.rerank and _is_on(config, _RERANKING),
        asks_past=asks_past,
        asks_period=window is not None and dates.asks_period_alone(request.query),
    )
    return replace(unscoped, scopes=_scopes(unscoped))


def _is_on(config: dict[str, Any], switch: str | None) -> bool:
    return switch is None or config.get(switch) is not False


def _window(request: RecallRequest, anchor: datetime) -> Window | None:
    return request.window or dates.parse_window(request.query, anchor=anchor)


def _scopes(unscoped: Plan) -> tuple[Scope, ...]:
    """One for each level, or for each type where types were asked for: L0 and R have none."""
    request = unscoped.request
    superseded = request.superseded or unscoped.asks_past
    whole = Scope(
        bank_id=request.bank_id,
        level=Level.L1,
        tags=_resolved(request),
        documents=request.documents,
        superseded=superseded,
        valid_in=None if superseded else unscoped.past_window,
    )
    scopes: list[Scope] = []
    for level in dict.fromkeys(request.levels):
        types = _types(request.types, level)
        if types is None:
            scopes.append(replace(whole, level=level))
        else:
            scopes.extend(replace(whole, level=level, types=(kind,)) for kind in types)
    return tuple(scopes)


def _types(types: Sequence[FactType] | None, level: Level) -> list[FactType] | None:
    """None is the whole level: it has no types, or one, which was asked for."""
    if types is None or level in (Level.L0, Level.R):
        return None
    if level is Level.L2 and FactType.OBSERVATION in types:
        return None
    return [kind for kind in dict.fromkeys(types) if _LEVEL_OF[kind] is level]


def _resolved(request: RecallRequest) -> tags.TagFilter | None:
    if request.tags is None or not tags.has_fuzzy(request.tags):
        return request.tags
    return tags.resolve(request.tags, vocabulary(request.bank_id))


def vocabulary(bank_id: UUID) -> list[str]:
    """The distinct tags of a bank."""
    return list(
        NodeTag.objects.filter(bank_id=bank_id)
        .values_list("tag", flat=True)
        .distinct()
        .order_by("tag")
    )
