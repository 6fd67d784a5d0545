"""What is asked of a bank, and the answer. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from memory.hits import Budget, Hit
from memory.levels import FactType
from memory.tags import TagFilter
from memory.types import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectRequest:
    """One question to one bank. ``width`` is that of its recalls, ``context`` what the caller adds.

    Mental models and directives are those of the question's tags.
    """

    bank_id: UUID
    query: str
    context: str = ""
    budget: Budget = Budget.LOW
    width: int = Budget.LOW.width
    max_tokens: int = 4096
    types: tuple[FactType, ...] = tuple(FactType)
    tags: TagFilter | None = None
    all_directives: bool = False
    mental_models: bool = True
    without_models: frozenset[str] = frozenset()  # mental models by the caller's id
    asked_at: datetime | None = None
    schema: Any = None  # a JSON schema, where the answer shall come in a shape as well


class Tool(StrEnum):
    """The ways to look into a bank, in the order in which they are used first."""

    MENTAL_MODELS = "search_mental_models"
    OBSERVATIONS = "search_observations"
    RECALL = "recall"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """``output`` is JSON. ``iteration`` 0 is what was looked up before the model was asked."""

    tool: Tool
    input: Mapping[str, Any]
    output: Mapping[str, Any]
    duration_ms: int
    iteration: int = 0


@dataclass(frozen=True, slots=True)
class ModelCall:
    scope: str
    duration_ms: int


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A mental model that may be used. ``is_fresh``: nothing that it rests on changed since."""

    id: str
    title: str
    content: str
    is_fresh: bool


@dataclass(frozen=True, slots=True)
class Rule:
    """A directive that applies."""

    id: UUID
    name: str
    content: str


class NoAnswer(StrEnum):
    """Why there is no answer."""

    NOTHING_FOUND = "nothing_found"
    NOT_COVERED = "not_covered"
    LOW_CONFIDENCE = "low_confidence"
    UNVERIFIED = "unverified"
    FAULT = "fault"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflection:
    """``text`` is the answer, or says why there is none; ``reason`` is None on answers.

    ``memories`` and ``mental_models`` are what the answer cites, ``rules`` what it had to keep;
    ``waiting_rules`` counts those that quotes cannot keep. ``left_out``: sentences that could not
    be verified. ``missing``: what the answer does not tell, in the question's own words. ``model`` is
    "" where none took part.
    """

    text: str
    reason: NoAnswer | None = None
    memories: tuple[Hit, ...] = ()
    mental_models: tuple[KnownModel, ...] = ()
    rules: tuple[Rule, ...] = ()
    waiting_rules: int = 0
    confidence: float | None = None
    left_out: int = 0
    missing: tuple[str, ...] = ()
    model: str = ""
    degraded: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    tool_calls: tuple[ToolCall, ...] = ()
    model_calls: tuple[ModelCall, ...] = ()
    structured: Mapping[str, Any] | None = None
    structured_error: str | None = None
