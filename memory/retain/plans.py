"""A plan: what a document holds afterwards, and what has to be written for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from memory.facts.records import Mention
from memory.levels import EdgeType, Level
from memory.models import Document, Node
from memory.retain.corrections import Correction
from memory.retain.items import DocumentChange
from memory.retain.wanted import Wanted
from memory.types import Usage


@dataclass(frozen=True, slots=True)
class Known:
    """A document as it was read, with its passages and facts in order of their place."""

    document: Document
    nodes: tuple[Node, ...] = ()
    corrections: Mapping[UUID, Correction] = field(default_factory=dict)  # by node

    def of(self, level: Level) -> list[Node]:
        return [node for node in self.nodes if node.level == level]


@dataclass(frozen=True, slots=True)
class Cause:
    """A causal edge between two facts of one passage."""

    child: Node
    type: EdgeType
    parent: Node


@dataclass(slots=True, kw_only=True)
class Plan:
    """``passages`` and ``facts`` are the document's nodes afterwards, in order of their place;
    ``added`` are those without a row yet, ``removed`` those that lose theirs.
    """

    document: Document
    known: Known | None
    wanted: Wanted
    change: DocumentChange
    passages: list[Node] = field(default_factory=list)
    facts: list[Node] = field(default_factory=list)
    added: list[Node] = field(default_factory=list)
    removed: list[UUID] = field(default_factory=list)
    # Kept facts whose tags or times are others now: what was decided about them may not hold.
    reconsidered: set[UUID] = field(default_factory=set)
    mentions: dict[UUID, tuple[Mention, ...]] = field(default_factory=dict)  # of added facts
    causes: list[Cause] = field(default_factory=list)
    failure: str = ""
    is_postponed: bool = False  # time was up before every passage was read
    usage: Usage = field(default_factory=Usage)

    @property
    def has_changed(self) -> bool:
        """Whether there is anything to write, or to try again, but the document's own row."""
        return bool(
            self.added or self.removed or self.reconsidered or self.failure or self.is_postponed
        )

    @property
    def kept(self) -> list[Node]:
        new = {node.pk for node in self.added}
        return [node for node in (*self.passages, *self.facts) if node.pk not in new]


def total(plans: Iterable[Plan]) -> Usage:
    return sum((plan.usage for plan in plans), Usage())


def changed(plans: Sequence[Plan]) -> list[Plan]:
    kept = (DocumentChange.UNCHANGED, DocumentChange.NEWER)
    return [plan for plan in plans if plan.change not in kept]


def said_again(plans: Sequence[Plan]) -> list[Plan]:
    """Of unchanged documents: what was submitted between then and now is outdated, too."""
    return [
        plan
        for plan in plans
        if plan.change is DocumentChange.UNCHANGED and plan.wanted.submitted_at
    ]
