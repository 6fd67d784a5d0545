"""What a caller asks recall for. Every entry (API, command, search, ask) makes one of these."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Final
from uuid import UUID

from django.db.models import QuerySet

from memory.hits import Arm, MinScores, Window
from memory.levels import FactType, Level
from memory.tags import TagFilter


class Floor(Enum):
    """Which floor applies where the caller names none: the surface's choice."""

    NONE = "none"
    OF_RERANKER = "of_reranker"


@dataclass(frozen=True, slots=True, kw_only=True)
class Include:
    """What comes along with the hits. Numbers are token budgets; None leaves it out.

    ``source_facts`` -1 is without limit; ``per_observation`` >= 0 takes the place of that budget.
    """

    chunks: int | None = None
    source_facts: int | None = None
    per_observation: int = -1
    entities: bool = False
    provenance: bool = False


ALL_ARMS: Final = frozenset(Arm)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    """One query to one bank.

    ``width`` candidates per arm, level and type survive the filters. ``k`` cuts the number of hits,
    ``max_tokens`` their length (0: none, None: no limit). ``documents`` is a queryset of the
    documents that may be read; it becomes a subquery of every statement. ``floor`` is a number
    (0 switches it off) or the surface's default.
    """

    bank_id: UUID
    query: str
    levels: tuple[Level, ...] = (Level.L1, Level.L2)
    types: tuple[FactType, ...] | None = None
    tags: TagFilter | None = None
    width: int = 50
    k: int | None = None
    max_tokens: int | None = None
    per_document: int | None = None
    floor: float | Floor = Floor.NONE
    min_scores: MinScores = field(default_factory=MinScores)
    asked_at: datetime | None = None  # the anchor of "last month" and of recency; None is now
    window: Window | None = None  # takes the place of dates in the query
    prefer_observations: bool = False
    once: bool = False  # an observation stands for those of its facts that are in its very words
    include: Include = field(default_factory=Include)
    arms: frozenset[Arm] = ALL_ARMS
    rerank: bool = True
    superseded: bool = False  # facts that lost to newer ones, too
    documents: QuerySet | None = None
    trace: bool = False
