"""The closed vocabularies of what a bank holds. Pure."""

from __future__ import annotations

from enum import StrEnum


class Level(StrEnum):
    """How far a text is from what was taken in. Levels are recalled apart and then merged."""

    L0 = "L0"  # raw passage
    L1 = "L1"  # fact
    L2 = "L2"  # observation: a belief that rests on facts
    R = "R"  # reference section; it has no edges


MEMORIES = (Level.L1, Level.L2)  # what callers call a memory; it has a type


class FactType(StrEnum):
    """What the Hindsight API calls the type of a memory. L0 and R have none."""

    WORLD = "world"
    EXPERIENCE = "experience"  # the bank's own agent speaks of itself
    OBSERVATION = "observation"

    @property
    def level(self) -> Level:
        return Level.L2 if self is FactType.OBSERVATION else Level.L1


class EdgeType(StrEnum):
    """From child to parent."""

    DERIVED_FROM = "derived_from"  # L1 to L0, L2 to L1
    SEMANTIC = "semantic"
    TEMPORAL = "temporal"
    CAUSES = "causes"
    CAUSED_BY = "caused_by"
    ENABLES = "enables"
    PREVENTS = "prevents"
    CONTRADICTS = "contradicts"
    SUPERSEDES = "supersedes"


CAUSAL = (EdgeType.CAUSES, EdgeType.CAUSED_BY, EdgeType.ENABLES, EdgeType.PREVENTS)
