"""Observations (L2): what facts of at least two documents say alike, in one scope of tags.

An observation says it in the words of its newest source and is connected with all of them. Whenever
a source comes, goes, changes or loses to a rival, all are compared again and it is made anew of those
that say the same; it disappears where these are of fewer than two documents. Under the bank's lock.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from memory import tenancy
from memory.arbitration import TAKEN_OUT, witnessed
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


def refresh(bank_id: UUID, observation_ids: Iterable[UUID], *, anew: bool = False) -> Changes:
    """Make observations anew from the sources that they still have; with ``anew`` also those that say
    the same, as what their sources mention has changed."""
    ids = list(observation_ids)
    sources = sources_of(ids)
    groups = [
        _Group(tuple(node.tags), node.pk, sources[node.pk])
        for node in Node.objects.filter(pk__in=ids)
        if node.level == Level.L2
    ]
    return rebuild(bank_id, groups, anew=anew)


def rebuild(bank_id: UUID, groups: list[_Group], *, anew: bool = False) -> Changes:
    facts = comparing.load(source for group in groups for source in group.sources)
    changes = Changes()
    written: list[tuple[Node, Fact, list[Fact]]] = []
    gone: set[UUID] = set()
    known = _Known([group.observation_id for group in groups if group.observation_id])
    for group in groups:
        gone |= group.merged
        observation_id = group.observation_id
        given = (facts[source] for source in sorted(group.sources) if source in facts)
        for sources in alike(group.scope, given):
            observation = _written(bank_id, group.scope, observation_id, sources)
            if anew or not known.is_same(*observation):
                written.append(observation)
                changes.created += observation_id is None
                changes.updated += observation_id is not None
            observation_id = None  # the first has taken it
        if observation_id is not None:
            gone.add(observation_id)
    changes.deleted = remove_nodes(gone) if gone else 0
    observation_rows.save(bank_id, written)
    return changes


class _Known:
    """Observations as they stand, so that what changes nothing writes nothing."""

    def __init__(self, observation_ids: list[UUID]) -> None:
        self._nodes = {node.pk: node for node in Node.objects.filter(pk__in=observation_ids)}
        self._sources = sources_of(observation_ids)

    def is_same(self, node: Node, _: Fact, sources: list[Fact]) -> bool:
        known = self._nodes.get(node.pk)
        if known is None or self._sources[node.pk] != {source.id for source in sources}:
            return False
        return all(getattr(known, name) == getattr(node, name) for name in _COMPARED)


def alike(scope: TagSet, facts: Iterable[Fact]) -> list[list[Fact]]:
    """Those of one scope that say the same, also by way of others, and are of enough documents; what
    most documents say comes first. What was taken out by hand says nothing."""
    left = [fact for fact in facts if scope in fact.scopes and fact.node.trust > TAKEN_OUT]
    found = []
    while left:
        said = [left.pop()]
        for one in said:  # grows
            apart: list[Fact] = []
            for other in left:
                (said if comparing.are_alike(one, other) else apart).append(other)
            left = apart
        found.append(_holding(said))
    return sorted((said for said in found if proofs(said) >= _SOURCES), key=proofs, reverse=True)


def _holding(sources: list[Fact]) -> list[Fact]:
    """Those that did not lose to a rival; all of them where every one did."""
    return [source for source in sources if source.node.superseded_at is None] or sources


def proofs(sources: Iterable[Fact]) -> int:
    return len({source.node.document_id for source in sources})


def sources_of(observation_ids: Iterable[UUID]) -> defaultdict[UUID, set[UUID]]:
    """The facts of each observation."""
    edges = Edge.objects.filter(child_id__in=list(observation_ids), type=EdgeType.DERIVED_FROM)
    found: defaultdict[UUID, set[UUID]] = defaultdict(set)
    for observation_id, fact_id in edges.values_list("child_id", "parent_id"):
        found[observation_id].add(fact_id)
    return found


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
    joined.sources.update(*sources_of(joined.merged).values())
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


def _written(
    bank_id: UUID, scope: TagSet, observation_id: UUID | None, sources: list[Fact]
) -> tuple[Node, Fact, list[Fact]]:
    """The observation as it shall be, the source whose words it uses, and all sources."""
    nodes = [source.node for source in sources]
    newest = max(sources, key=_age)
    words = newest.node
    speakers = {node.speaker for node in nodes}
    count = proofs(sources)
    lost_at = max((node.superseded_at for node in nodes if node.superseded_at), default=None)
    return (
        Node(
            id=observation_id or uuid.uuid4(),
            tenant_id=tenancy.require(),
            bank_id=bank_id,
            level=Level.L2,
            fact_type=FactType.OBSERVATION,
            text=words.text,
            lead=words.lead,
            heading_path=words.heading_path,
            sha=words.sha,
            language=words.language,
            speaker=speakers.pop() if len(speakers) == 1 else "",
            tags=list(scope),
            occurred_start=min((n.occurred_start for n in nodes if n.occurred_start), default=None),
            occurred_end=max((n.occurred_end for n in nodes if n.occurred_end), default=None),
            mentioned_at=max((n.mentioned_at for n in nodes if n.mentioned_at), default=None),
            proof_count=count,
            trust=words.trust if lost_at else witnessed(count),
            superseded_at=lost_at,
        ),
        newest,
        sources,
    )


def _age(source: Fact) -> tuple[datetime, int, datetime, UUID]:
    """Of what was said at one time the longest comes last."""
    node = source.node
    return node.mentioned_at or _LONG_AGO, len(node.text), node.created_at, source.id
