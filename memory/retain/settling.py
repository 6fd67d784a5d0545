"""Decides between facts that cannot both hold, and writes down who lost. Under the bank's lock.

winner ── supersedes, contradicts ──▶ loser      the loser keeps its row, its dates and its words
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from memory import tenancy
from memory.arbitration import START, Claim, TrustLevel, arbitrate, witnessed
from memory.levels import EdgeType, Level
from memory.models import Edge, Node
from memory.retain.comparing import Compared, Fact, can_contend

_CONTENTION = (EdgeType.SUPERSEDES, EdgeType.CONTRADICTS)
_TRUST = START[TrustLevel.DOCUMENT]


@dataclass(frozen=True, slots=True)
class _Value:
    """One value of a slot: the facts that say it."""

    facts: tuple[Fact, ...]

    @property
    def claim(self) -> Claim:
        said = [fact.node.mentioned_at for fact in self.facts if fact.node.mentioned_at]
        documents = len({fact.node.document_id for fact in self.facts})
        return Claim(
            key=min(str(fact.id) for fact in self.facts),
            said_at=max(said, default=None),
            witnesses=documents,
            trust=witnessed(documents),
        )

    @property
    def newest(self) -> Fact:
        return max(self.facts, key=lambda fact: (str(fact.node.mentioned_at or ""), str(fact.id)))


def settle(bank_id: UUID, compared: Compared) -> set[UUID]:
    """Arbitrate every slot that one of the compared facts is in. Returns the facts that changed."""
    changed: set[UUID] = set()
    settled: set[UUID] = set()
    for fact_id, rivals in compared.rivals.items():
        if not rivals or fact_id in settled:
            continue
        together = {fact_id, *rivals, *compared.twins.get(fact_id, ())}
        for rival in rivals:
            together |= compared.twins.get(rival, frozenset())
        facts = _contending(
            [compared.facts[one] for one in sorted(together) if one in compared.facts]
        )
        settled |= together
        changed |= _arbitrate(bank_id, _values(facts))
    return changed


def losers_to(fact_ids: Iterable[UUID]) -> set[UUID]:
    """The facts that lost to these. Where a winner goes, they are to be judged again."""
    return set(
        Edge.objects.filter(child_id__in=list(fact_ids), type=EdgeType.SUPERSEDES).values_list(
            "parent_id", flat=True
        )
    )


def reinstate(fact_ids: Iterable[UUID]) -> None:
    """Take a defeat back, until the facts are judged again."""
    ids = list(fact_ids)
    Node.objects.filter(pk__in=ids).update(superseded_at=None, trust=_TRUST)
    Edge.objects.filter(parent_id__in=ids, type__in=_CONTENTION)._raw_delete("default")


def _contending(facts: list[Fact]) -> list[Fact]:
    """Without those that were taken out by hand: they are superseded, and by no other fact."""
    superseded = [fact.id for fact in facts if fact.node.superseded_at is not None]
    if not superseded:
        return facts
    lost = set(
        Edge.objects.filter(parent_id__in=superseded, type=EdgeType.SUPERSEDES).values_list(
            "parent_id", flat=True
        )
    )
    return [fact for fact in facts if fact.node.superseded_at is None or fact.id in lost]


def _values(facts: list[Fact]) -> list[_Value]:
    """Facts that do not contend say the same value; those that contend with nobody drop out."""
    groups: list[list[Fact]] = []
    for fact in facts:
        home = next(
            (group for group in groups if not any(can_contend(fact, one) for one in group)), None
        )
        if home is None:
            groups.append([fact])
        else:
            home.append(fact)
    return [_Value(tuple(group)) for group in groups]


def _arbitrate(bank_id: UUID, values: list[_Value]) -> set[UUID]:
    if len(values) < 2:
        return set()
    by_key = {value.claim.key: value for value in values}
    verdict = arbitrate(value.claim for value in values)
    winner = by_key[verdict.winner.key]
    since = verdict.winner.said_at or timezone.now()
    changed = {fact.id for fact in winner.facts if fact.node.superseded_at is not None}
    reinstate(changed)
    losing: list[Fact] = []
    for key, trust in verdict.trust.items():
        for fact in by_key[key].facts:
            losing.append(fact)
            if fact.node.superseded_at is None or fact.node.trust != trust:
                changed.add(fact.id)
                _lose(fact, since, trust)
    _connect(bank_id, winner.newest, losing)
    return changed


def _lose(fact: Fact, since: datetime, trust: float) -> None:
    fact.node.superseded_at, fact.node.trust = since, trust
    Node.objects.filter(pk=fact.id).update(superseded_at=since, trust=trust)


def _connect(bank_id: UUID, winner: Fact, losing: list[Fact]) -> None:
    ids = [fact.id for fact in losing]
    among = [winner.id, *ids]
    Edge.objects.filter(
        Q(child_id__in=among, parent_id__in=among), type__in=_CONTENTION
    )._raw_delete("default")
    Edge.objects.bulk_create(
        [
            Edge(
                tenant_id=tenancy.require(),
                bank_id=bank_id,
                child_id=winner.id,
                child_level=Level.L1,
                parent_id=loser,
                parent_level=Level.L1,
                type=kind,
            )
            for loser in ids
            for kind in _CONTENTION
        ],
        ignore_conflicts=True,
    )
