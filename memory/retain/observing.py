"""Observations (L2): what facts of at least two documents say alike, in one scope of tags.

An observation says it in the words of its newest source and is connected with all of them. It is
made anew from its sources whenever one comes, goes or loses to a rival, and disappears where fewer
than two documents are left. Under the bank's lock.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from memory import tenancy
from memory.arbitration import witnessed
from memory.levels import EdgeType, FactType, Level
from memory.models import Edge, Node
from memory.retain import comparing, observation_rows
from memory.retain.comparing import Compared, Fact
from memory.retain.observation_rows import REWRITTEN
from memory.retain.scopes import TagSet
from memory.retain.writing import remove_nodes

_SOURCES = 2  # documents
_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_COMPARED = tuple(name for name in REWRITTEN if name != "term_count")


@dataclass(slots=True)
class Changes:
    """How many observations came, were written anew and went."""

    created: int = 0
    updated: int = 0
    deleted: int = 0

    def __iadd__(self, other: Changes) -> Changes:
        self.created += other.created
        self.updated += other.updated
        self.deleted += other.deleted
        return self


@dataclass(slots=True)
class _Group:
    """Sources on their way to one observation: a new one, or one that is there."""

    scope: TagSet
    observation_id: UUID | None = None
    sources: set[UUID] = field(default_factory=set)
    merged: set[UUID] = field(default_factory=set)  # observations that give way to this one


def observe(bank_id: UUID, compared: Compared) -> Changes:
    """Merge facts that were compared with their twins."""
    asked = {*compared.twins, *(other for found in compared.twins.values() for other in found)}
    of_fact = _observations_of(asked)
    groups: dict[tuple[UUID, TagSet], _Group] = {}
    for fact_id, twins in compared.twins.items():
        if not twins or fact_id not in compared.facts:
            continue
        for scope in compared.facts[fact_id].scopes:
            members = {
                fact_id,
                *(twin for twin in twins if scope in compared.facts[twin].scopes),
            }
            if len(members) > 1:
                _join(groups, members, scope, of_fact)
    made = list({id(group): group for group in groups.values()}.values())
    return rebuild(bank_id, made)


def resting_on(fact_ids: Iterable[UUID]) -> set[UUID]:
    """The observations that have one of these facts as a source."""
    return {
        observation
        for observations in _observations_of(fact_ids).values()
        for observation in observations
    }


def refresh(bank_id: UUID, observation_ids: Iterable[UUID]) -> Changes:
    """Make observations anew from the sources that they still have."""
    groups = {
        node.pk: _Group(tuple(node.tags), node.pk)
        for node in Node.objects.filter(pk__in=list(observation_ids))
        if node.level == Level.L2
    }
    for child, parent in _source_edges(groups):
        groups[child].sources.add(parent)
    return rebuild(bank_id, list(groups.values()))


def rebuild(bank_id: UUID, groups: list[_Group]) -> Changes:
    facts = comparing.load(source for group in groups for source in group.sources)
    changes = Changes()
    written: list[tuple[Node, Fact, list[Fact]]] = []
    gone: set[UUID] = set()
    known = _Known([group.observation_id for group in groups if group.observation_id])
    for group in groups:
        gone |= group.merged
        sources = [
            facts[source]
            for source in group.sources
            if source in facts and group.scope in facts[source].scopes
        ]
        if len({source.node.document_id for source in sources}) < _SOURCES:
            gone |= {group.observation_id} if group.observation_id else set()
            continue
        observation = _written(bank_id, group, sources)
        if known.is_same(*observation):
            continue
        written.append(observation)
        changes.created += group.observation_id is None
        changes.updated += group.observation_id is not None
    changes.deleted = remove_nodes(gone) if gone else 0
    observation_rows.save(bank_id, written)
    return changes


class _Known:
    """Observations as they stand, so that what changes nothing writes nothing."""

    def __init__(self, observation_ids: list[UUID]) -> None:
        self._nodes = {node.pk: node for node in Node.objects.filter(pk__in=observation_ids)}
        self._sources: dict[UUID, set[UUID]] = defaultdict(set)
        for child, parent in _source_edges(observation_ids):
            self._sources[child].add(parent)

    def is_same(self, node: Node, _: Fact, sources: list[Fact]) -> bool:
        known = self._nodes.get(node.pk)
        if known is None or self._sources[node.pk] != {source.id for source in sources}:
            return False
        return all(getattr(known, name) == getattr(node, name) for name in _COMPARED)


def _join(
    groups: dict[tuple[UUID, TagSet], _Group],
    members: set[UUID],
    scope: TagSet,
    of_fact: Mapping[UUID, Mapping[UUID, TagSet]],
) -> None:
    """One group of these members and of all that they were in a group with before."""
    joined = _Group(scope, sources=set(members))
    for member in sorted(members):
        known = groups.get((member, scope))
        if known is not None and known is not joined:
            joined.sources |= known.sources
            joined.merged |= known.merged
            if known.observation_id:
                joined.merged.add(known.observation_id)
        for observation, tags in of_fact.get(member, {}).items():
            if tags == scope:
                joined.merged.add(observation)
    joined.sources |= {source for _, source in _source_edges(joined.merged)}
    if joined.merged:
        joined.observation_id = min(joined.merged)
        joined.merged.discard(joined.observation_id)
    for source in joined.sources:
        groups[source, scope] = joined


def _observations_of(fact_ids: Iterable[UUID]) -> dict[UUID, dict[UUID, TagSet]]:
    """The observations of each fact, with their tags."""
    edges = list(
        Edge.objects.filter(
            parent_id__in=list(fact_ids), type=EdgeType.DERIVED_FROM, child_level=Level.L2
        ).values_list("parent_id", "child_id")
    )
    tags = {
        pk: tuple(found)
        for pk, found in Node.objects.filter(pk__in={child for _, child in edges}).values_list(
            "pk", "tags"
        )
    }
    of_fact: dict[UUID, dict[UUID, TagSet]] = defaultdict(dict)
    for fact_id, observation_id in edges:
        of_fact[fact_id][observation_id] = tags[observation_id]
    return of_fact


def _source_edges(observation_ids: Iterable[UUID]) -> list[tuple[UUID, UUID]]:
    ids = list(observation_ids)
    if not ids:
        return []
    return list(
        Edge.objects.filter(child_id__in=ids, type=EdgeType.DERIVED_FROM).values_list(
            "child_id", "parent_id"
        )
    )


def _written(bank_id: UUID, group: _Group, sources: list[Fact]) -> tuple[Node, Fact, list[Fact]]:
    """The observation as it shall be, the source whose words it uses, and all sources."""
    holding = [source for source in sources if source.node.superseded_at is None] or sources
    newest = max(
        holding,
        key=lambda source: (
            source.node.mentioned_at or _LONG_AGO,
            len(source.node.text),
            source.node.created_at,
            source.id,
        ),
    )
    starts = [one.node.occurred_start for one in holding if one.node.occurred_start]
    ends = [one.node.occurred_end for one in holding if one.node.occurred_end]
    said = [one.node.mentioned_at for one in holding if one.node.mentioned_at]
    lost = [one.node.superseded_at for one in sources if one.node.superseded_at]
    speakers = {one.node.speaker for one in holding}
    proofs = len({one.node.document_id for one in holding})
    is_lost = len(lost) == len(sources)
    return (
        Node(
            id=group.observation_id or uuid.uuid4(),
            tenant_id=tenancy.require(),
            bank_id=bank_id,
            level=Level.L2,
            fact_type=FactType.OBSERVATION,
            text=newest.node.text,
            lead=newest.node.lead,
            heading_path=newest.node.heading_path,
            sha=newest.node.sha,
            language=newest.node.language,
            speaker=speakers.pop() if len(speakers) == 1 else "",
            tags=list(group.scope),
            occurred_start=min(starts, default=None),
            occurred_end=max(ends, default=None),
            mentioned_at=max(said, default=None),
            proof_count=proofs,
            trust=newest.node.trust if is_lost else witnessed(proofs),
            superseded_at=max(lost) if is_lost else None,
        ),
        newest,
        sources,
    )
