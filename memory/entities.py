"""Entities of a bank: finding or making those that facts mention, and letting go of the others.

Called under the bank's lock, so that two writers never make one entity twice; the unique folded name
in the database says the same.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import connection

from memory import tenancy
from memory.facts import resolution
from memory.facts.records import Mention
from memory.facts.resolution import Candidate
from memory.language.folding import fold
from memory.models import Entity, EntityTrigram, NodeEntity
from memory.tags.fuzzy import trigrams

_BATCH: Final = 1_000
_MOST_CANDIDATES: Final = 200  # of one name
_MOST_PARTNERS: Final = 200  # of one candidate

_ALIKE = """
    SELECT given.name, entity.id, entity.folded, entity.last_seen
    FROM (
        SELECT asked.name, owned.entity_id,
            row_number() OVER (PARTITION BY asked.name ORDER BY count(*) DESC, owned.entity_id) AS place
        FROM unnest(%(names)s::text[], %(trigrams)s::text[]) AS asked (name, trigram)
        JOIN memory_entitytrigram owned
          ON owned.tenant_id = %(tenant)s AND owned.bank_id = %(bank)s
         AND owned.trigram = asked.trigram
        GROUP BY asked.name, owned.entity_id
        HAVING count(*) >= 2
    ) AS given
    JOIN memory_entity entity ON entity.tenant_id = %(tenant)s AND entity.id = given.entity_id
    WHERE given.place <= %(most)s
"""

_PARTNERS = """
    SELECT given.id, partner.folded
    FROM unnest(%(entities)s::uuid[]) AS given (id)
    CROSS JOIN LATERAL (
        SELECT DISTINCT other.entity_id
        FROM memory_nodeentity own
        JOIN memory_nodeentity other
          ON other.tenant_id = own.tenant_id AND other.node_id = own.node_id
         AND other.entity_id <> own.entity_id
        WHERE own.tenant_id = %(tenant)s AND own.entity_id = given.id
        LIMIT %(most)s
    ) AS near
    JOIN memory_entity partner
      ON partner.tenant_id = %(tenant)s AND partner.id = near.entity_id
"""

# An entity that nobody mentions any more. The caller holds the bank's lock.
_FORGET = """
    DELETE FROM memory_entity entity
    WHERE entity.tenant_id = %(tenant)s AND entity.id = ANY(%(entities)s)
      AND NOT EXISTS (
        SELECT 1 FROM memory_nodeentity mention
        WHERE mention.tenant_id = entity.tenant_id AND mention.entity_id = entity.id
      )
"""


@dataclass(frozen=True, slots=True)
class Mentioning:
    """A node and the names in it. ``seen_at`` is when it was said, else when it arrived."""

    node_id: UUID
    mentions: tuple[Mention, ...]
    seen_at: datetime


def link(bank_id: UUID, mentioning: Sequence[Mentioning]) -> dict[UUID, set[UUID]]:
    """Connect nodes with the entities that they mention, which are made where there are none.

    Returns the entities of each node.
    """
    named = _Named(bank_id, mentioning)
    named.resolve()
    named.save()
    return named.links()


def known(bank_id: UUID, names: Iterable[str]) -> frozenset[str]:
    """Those of the names that are entities of the bank, as they are folded in sentences."""
    by_key = {resolution.folded(name): fold(name) for name in names}
    if not by_key:
        return frozenset()
    found = Entity.objects.filter(bank_id=bank_id, folded__in=list(by_key))
    return frozenset(by_key[key] for key in found.values_list("folded", flat=True))


def of_nodes(node_ids: Iterable[UUID]) -> set[UUID]:
    """The entities that these nodes mention."""
    return set(
        NodeEntity.objects.filter(node_id__in=list(node_ids)).values_list("entity_id", flat=True)
    )


def forget_unmentioned(entity_ids: Iterable[UUID]) -> int:
    """Remove those of the entities that no node mentions. Returns how many."""
    with connection.cursor() as cursor:
        cursor.execute(_FORGET, {"tenant": tenancy.require(), "entities": list(entity_ids)})
        return cursor.rowcount


class _Named:
    """The names of one batch on their way to entities."""

    def __init__(self, bank_id: UUID, mentioning: Sequence[Mentioning]) -> None:
        self._bank_id, self._mentioning = bank_id, mentioning
        self._tenant_id = tenancy.require()
        self._names: dict[str, Mention] = {}  # by folded name, as written first
        self._seen: dict[str, tuple[datetime, datetime]] = {}
        self._company: dict[str, set[str]] = defaultdict(set)
        self._keys: dict[UUID, list[str]] = {}
        for one in mentioning:
            keys = []
            for mention in one.mentions:
                if key := resolution.folded(mention.name):
                    keys.append(key)
                    known = self._names.setdefault(key, mention)
                    if known.resolve and not mention.resolve:
                        self._names[key] = mention
                    first, last = self._seen.get(key, (one.seen_at, one.seen_at))
                    self._seen[key] = min(first, one.seen_at), max(last, one.seen_at)
            self._keys[one.node_id] = keys
            for key in keys:
                self._company[key] |= set(keys) - {key}
        self._entity_of: dict[str, UUID] = {}
        self._fresh: dict[str, Entity] = {}
        self._touched: dict[UUID, tuple[datetime, datetime]] = {}

    def resolve(self) -> None:
        known = dict(
            Entity.objects.filter(bank_id=self._bank_id, folded__in=list(self._names)).values_list(
                "folded", "id"
            )
        )
        for key, entity_id in known.items():
            self._take(key, entity_id)
        unknown = [key for key in self._names if key not in known]
        fuzzy = [key for key in unknown if self._names[key].resolve and resolution.is_fuzzy(key)]
        self._take_alike(fuzzy)
        new = [key for key in unknown if key not in self._entity_of]
        standing = resolution.merged(key for key in new if self._names[key].resolve)
        for key in new:
            self._take(key, self._make(standing.get(key, key)).pk)

    def save(self) -> None:
        # In one order for all writers, and ignoring conflicts: the lock already orders them.
        fresh = [self._fresh[key] for key in sorted(self._fresh)]
        Entity.objects.bulk_create(fresh, batch_size=_BATCH)
        EntityTrigram.objects.bulk_create(
            [
                EntityTrigram(
                    tenant_id=self._tenant_id,
                    bank_id=self._bank_id,
                    trigram=gram,
                    entity_id=entity.pk,
                )
                for entity in fresh
                for gram in sorted(trigrams(entity.folded))
            ],
            batch_size=_BATCH,
        )
        self._widen()
        NodeEntity.objects.bulk_create(
            [
                NodeEntity(tenant_id=self._tenant_id, node_id=node_id, entity_id=entity_id)
                for node_id, entity_ids in self.links().items()
                for entity_id in sorted(entity_ids)
            ],
            batch_size=_BATCH,
            ignore_conflicts=True,
        )

    def links(self) -> dict[UUID, set[UUID]]:
        return {
            node_id: {self._entity_of[key] for key in keys} for node_id, keys in self._keys.items()
        }

    def _take(self, key: str, entity_id: UUID) -> None:
        self._entity_of[key] = entity_id
        first, last = self._seen[key]
        known = self._touched.get(entity_id)
        self._touched[entity_id] = (
            (min(first, known[0]), max(last, known[1])) if known else (first, last)
        )

    def _make(self, key: str) -> Entity:
        if key not in self._fresh:
            first, last = self._seen[key]
            self._fresh[key] = Entity(
                id=uuid.uuid4(),
                tenant_id=self._tenant_id,
                bank_id=self._bank_id,
                name=self._names[key].name,
                folded=key,
                kind=self._names[key].kind,
                first_seen=first,
                last_seen=last,
            )
        return self._fresh[key]

    def _take_alike(self, keys: list[str]) -> None:
        """Names that are written otherwise than an entity that is there."""
        ids: dict[str, UUID] = {}
        found: dict[str, list[tuple[str, datetime]]] = defaultdict(list)
        for name, entity_id, folded, last_seen in self._alike(keys):
            if resolution.likeness(name, folded) >= resolution.LIKE:
                ids[folded] = entity_id
                found[name].append((folded, last_seen))
        if not found:
            return
        partners = self._partners(ids)
        degrees = {key: len(near) for key, near in partners.items()}
        for name, candidates in found.items():
            chosen = resolution.best(
                name,
                [Candidate(key, seen, partners.get(key, frozenset())) for key, seen in candidates],
                seen_at=self._seen[name][1],
                company=self._company[name],
                degrees=degrees,
            )
            if chosen:
                self._take(name, ids[chosen.key])

    def _alike(self, keys: list[str]) -> list[tuple[str, UUID, str, datetime]]:
        asked = [(key, gram) for key in keys for gram in trigrams(key)]
        if not asked:
            return []
        with connection.cursor() as cursor:
            cursor.execute(
                _ALIKE,
                {
                    "names": [name for name, _ in asked],
                    "trigrams": [gram for _, gram in asked],
                    "tenant": self._tenant_id,
                    "bank": self._bank_id,
                    "most": _MOST_CANDIDATES,
                },
            )
            return cursor.fetchall()

    def _partners(self, ids: Mapping[str, UUID]) -> dict[str, frozenset[str]]:
        names = {entity_id: key for key, entity_id in ids.items()}
        with connection.cursor() as cursor:
            cursor.execute(
                _PARTNERS,
                {"entities": list(names), "tenant": self._tenant_id, "most": _MOST_PARTNERS},
            )
            near: dict[str, set[str]] = defaultdict(set)
            for entity_id, folded in cursor.fetchall():
                near[names[entity_id]].add(folded)
        return {key: frozenset(partners) for key, partners in near.items()}

    def _widen(self) -> None:
        """When the entities that were there were seen first and last."""
        fresh = {entity.pk for entity in self._fresh.values()}
        rows = list(
            Entity.objects.filter(pk__in=[pk for pk in self._touched if pk not in fresh]).only(
                "id", "first_seen", "last_seen"
            )
        )
        for entity in rows:
            first, last = self._touched[entity.pk]
            entity.first_seen = min(entity.first_seen, first)
            entity.last_seen = max(entity.last_seen, last)
        Entity.objects.bulk_update(rows, ("first_seen", "last_seen"), batch_size=_BATCH)
        for entity in self._fresh.values():
            entity.first_seen, entity.last_seen = self._touched[entity.pk]
