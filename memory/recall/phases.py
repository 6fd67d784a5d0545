"""How long each part of a recall took. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from time import perf_counter


class Phase(StrEnum):
    """Parts of a recall, in order, by the names that a trace has for them."""

    ENCODE = "generate_query_embedding"
    RETRIEVE = "parallel_retrieval"
    FUSE = "rrf_merge"
    PREFILTER = "rerank_prefilter"
    RERANK = "reranking"
    SCORE = "combined_scoring"
    PREFER = "prefer_observations_dedup"
    CHUNKS = "chunk_fetch"
    TOKENS = "token_filtering"
    SOURCES = "source_fact_fetch"
    ENTITIES = "entity_fetch"


@dataclass(slots=True)
class Phases:
    """Seconds by phase, added up where a phase comes more than once."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def measure(self, phase: str) -> Iterator[None]:
        start = perf_counter()
        try:
            yield
        finally:
            self.seconds[phase] = self.seconds.get(phase, 0.0) + perf_counter() - start

    @property
    def total(self) -> float:
        return sum(self.seconds[phase] for phase in Phase if phase in self.seconds)
