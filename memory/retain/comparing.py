"""Facts with the facts that they are near to: which say the same, and which cannot both hold.

One comparison serves observations and arbitration. Under the bank's lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Final
from uuid import UUID

from memory.facts import occasions
from memory.facts.statements import Statement, are_rivals, are_twins
from memory.hits import ArmHit
from memory.levels import Level
from memory.models import Document, Node
from memory.retain import scopes
from memory.retain.nearness import thresholds
from memory.retain.scopes import TagSet

_OVERLAP: Final = 0.5  # of the shorter fact's words; less is neither twin nor rival


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact as it is compared: its row, its statement, and the scopes it is observed in."""

    node: Node
    statement: Statement
    scopes: frozenset[TagSet]

    @property
    def id(self) -> UUID:
        return self.node.pk


@dataclass(frozen=True, slots=True)
class Compared:
    """``twins`` and ``rivals`` of each fact that was asked about; ``facts`` are all that were seen."""

    facts: Mapping[UUID, Fact]
    twins: Mapping[UUID, frozenset[UUID]]
    rivals: Mapping[UUID, frozenset[UUID]]


def compare(
    fact_ids: Sequence[UUID], neighbours: Mapping[UUID, Iterable[ArmHit]], recipe: str
) -> Compared:
    """Each fact against those of its neighbours that are near enough to be looked at."""
    nearest = thresholds(recipe).candidate
    # Whether two facts are twins or rivals is the same from either side.
    pairs: dict[frozenset[UUID], None] = {
        frozenset((fact_id, hit.node_id)): None
        for fact_id in fact_ids
        for hit in neighbours.get(fact_id, ())
        if hit.score >= nearest
    }
    facts = load({*fact_ids, *(fact_id for pair in pairs for fact_id in pair)})
    twins: dict[UUID, set[UUID]] = {fact_id: set() for fact_id in fact_ids}
    rivals: dict[UUID, set[UUID]] = {fact_id: set() for fact_id in fact_ids}
    for pair in pairs:
        if not pair <= facts.keys():
            continue
        one, other = (facts[fact_id] for fact_id in pair)
        if not _overlap(one.statement, other.statement):
            continue
        if are_twins(one.statement, other.statement):
            found = twins
        elif can_contend(one, other):
            found = rivals
        else:
            continue
        for fact_id, of in ((one.id, other.id), (other.id, one.id)):
            if fact_id in found:
                found[fact_id].add(of)
    return Compared(
        facts,
        {key: frozenset(found) for key, found in twins.items()},
        {key: frozenset(found) for key, found in rivals.items()},
    )


def are_alike(one: Fact, other: Fact) -> bool:
    """Whether two facts say the same, so that each proves the other."""
    return _overlap(one.statement, other.statement) and are_twins(one.statement, other.statement)


def can_contend(one: Fact, other: Fact) -> bool:
    """Two values of one slot, in one scope and below headings of one thing. What one document says
    of both is a list, unless it says that something changed."""
    says_change = one.statement.has_changed or other.statement.has_changed
    if one.node.document_id == other.node.document_id and not says_change:
        return False
    if one.node.tags != other.node.tags:
        return False
    headings = one.node.heading_path, other.node.heading_path
    if not occasions.may_contend(*headings, says_change=says_change):
        return False
    return are_rivals(one.statement, other.statement)


def load(fact_ids: Iterable[UUID]) -> dict[UUID, Fact]:
    # The level is looked at here: without statistics PostgreSQL would read the whole of it.
    found = Node.objects.filter(pk__in=list(fact_ids)).defer("metadata", "context")
    nodes = [node for node in found if node.level == Level.L1]
    rules = {
        document.pk: scopes.from_json(document.observation_scopes)
        for document in Document.objects.filter(pk__in={node.document_id for node in nodes}).only(
            "id", "observation_scopes"
        )
    }
    return {
        node.pk: Fact(node, statement(node), scopes.expand(rules[node.document_id], node.tags))
        for node in nodes
        if node.document_id in rules
    }


def statement(node: Node) -> Statement:
    occurred = None
    if node.occurred_start is not None and node.occurred_end is not None:
        occurred = node.occurred_start, node.occurred_end
    return _statement(node.text, node.language, node.speaker, occurred)


@lru_cache(maxsize=8_192)  # a fact is compared with every new one that is near it
def _statement(
    text: str, language: str, speaker: str, occurred: tuple[datetime, datetime] | None
) -> Statement:
    return Statement(text, language, speaker, occurred)


def _overlap(one: Statement, other: Statement) -> bool:
    shared = len(one.vocabulary & other.vocabulary)
    return shared >= _OVERLAP * min(len(one.vocabulary), len(other.vocabulary))
