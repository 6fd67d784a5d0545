"""Records of a recall, from what may be asked for to what comes back. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from memory.levels import FactType, Level


class Arm(StrEnum):
    """The ways in which a memory can be found, in the order in which fusion takes them."""

    SEMANTIC = "semantic"
    KEYWORD = "keyword"
    GRAPH = "graph"
    TEMPORAL = "temporal"


class Budget(StrEnum):
    """How deep the Hindsight recall looks: candidates per arm and type."""

    LOW = "low"
    MID = "mid"
    HIGH = "high"

    @property
    def width(self) -> int:
        return {"low": 100, "mid": 300, "high": 1000}[self.value]


@dataclass(frozen=True, slots=True)
class Window:
    """A period of time, both ends inclusive and with a zone."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MinScores:
    """Floors, inclusive. ``semantic`` and ``keyword`` prune inside their arm; the others cut hits."""

    semantic: float | None = None
    keyword: float | None = None
    reranker: float | None = None
    final: float | None = None


@dataclass(frozen=True, slots=True)
class ArmHit:
    """A node that one arm found. ``score`` is the arm's own: cosine, BM25, graph sum, proximity."""

    node_id: UUID
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Of one hit. None: that stage did not see it, or has no score by design."""

    final: float
    reranker: float | None = None  # 0-1
    semantic: float | None = None  # cosine
    keyword: float | None = None  # BM25, unbounded


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory that was recalled. ``id`` and ``sha`` name it for programs and for people."""

    id: UUID
    sha: str
    level: Level
    fact_type: FactType | None
    text: str
    scores: Scores
    rank: int  # from 1
    heading_path: tuple[str, ...] = ()
    source_uri: str = ""
    speaker: str = ""
    context: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] | None = None  # canonical names; None where they were not asked for
    occurred_start: datetime | None = None
    occurred_end: datetime | None = None
    mentioned_at: datetime | None = None
    superseded_at: datetime | None = None
    trust: float = 0.6
    proof_count: int = 1
    document_id: UUID | None = None
    document_name: str | None = None  # the caller's id
    chunk_id: str | None = None  # the caller's form: bank_document_index
    char_start: int = 0
    char_end: int = 0
    source_fact_ids: tuple[UUID, ...] | None = None  # of an observation, where asked for
    tokens: int = 0
    over_budget: bool = False  # the one hit that is returned although it does not fit


@dataclass(frozen=True, slots=True)
class ChunkText:
    """A raw passage that hits came from."""

    id: str
    text: str
    index: int
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class EntityRef:
    id: UUID
    name: str


@dataclass(frozen=True, slots=True)
class Ancestor:
    """A memory that a hit rests on. ``via`` is the node one step nearer to the hit; ``depth`` 1 is
    a parent. Offsets are code points of the document's text."""

    id: UUID
    sha: str
    level: Level
    depth: int
    via: UUID
    text: str
    char_start: int
    char_end: int
    document_id: UUID | None
    document_name: str | None
    source_uri: str
    mentioned_at: datetime | None
    speaker: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """The end of a recall. ``abstained``: something was found and all of it fell below the floor.

    ``best_score`` is the best reranked score before the floor, None where nothing was found.
    """

    hits: tuple[Hit, ...]
    reranker: str
    floor: float | None
    best_score: float | None
    abstained: bool
    degraded: tuple[str, ...] = ()  # vectors, reranker
    chunks: Mapping[str, ChunkText] | None = None
    source_facts: Mapping[UUID, Hit] | None = None
    source_facts_truncated: bool | None = None
    entities: Mapping[str, EntityRef] | None = None
    provenance: Mapping[UUID, tuple[Ancestor, ...]] | None = None  # by hit; references have none
    trace: Mapping[str, Any] | None = None
