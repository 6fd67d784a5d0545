"""Decides between facts that cannot both hold, and writes down who lost. Under the bank's lock.

winner ── supersedes, contradicts ──▶ loser      the loser keeps its row, its dates and its words

What is decided depends on the facts that are there, not on the order in which they came: a fact that
goes, or says something else, is withdrawn first, and those on either side are judged again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from memory.arbitration import START, TAKEN_OUT, Claim, TrustLevel, arbitrate, witnessed
from memory.levels import EdgeType, Level
from memory.models import Edge, Node
from memory.retain import edges
from memory.retain.comparing import Compared, Fact, can_contend, load
from memory.retain.edges import NewEdge

_CONTENTION = (EdgeType.SUPERSEDES, EdgeType.CONTRADICTS)
_TRUST = START[TrustLevel.DOCUMENT]
_Words = tuple[str, str, tuple[str, ...]]  # their hash, who says them, in which scope
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Value:
    """One value of a slot: the facts that say it. ``written``: when each document got its words."""

    facts: tuple[Fact, ...]
    written: Mapping[UUID | None, datetime]

    @property
    def claim(self) -> Claim:
        changes = [fact for fact in self.facts if fact.statement.has_changed]
        documents = len({fact.node.document_id for fact in self.facts})
        return Claim(
            key=min(str(fact.id) for fact in self.facts),
            said_at=_last_said(self.facts),
            witnesses=documents,
            trust=witnessed(documents),
            says_change=bool(changes),
            changed_at=_last_said(changes),
            place=self._place(self.newest),
        )

    @property
    def newest(self) -> Fact:
        return max(self.facts, key=self._age)

    def _age(self, fact: Fact) -> tuple[datetime, bool, tuple[datetime, int], str]:
        said_at = fact.node.mentioned_at or _LONG_AGO
        return said_at, fact.statement.has_changed, self._place(fact), str(fact.id)

    def _place(self, fact: Fact) -> tuple[datetime, int]:
        return self.written[fact.node.document_id], fact.node.ordinal or 0


def settle(bank_id: UUID, compared: Compared) -> set[UUID]:
    """Arbitrate every slot that one of the compared facts is in. Returns the facts that changed."""
    changed: set[UUID] = set()
    settled: set[UUID] = set()
    known = compared.facts.keys()
    for fact_id, rivals in compared.rivals.items():
        if not rivals or fact_id in settled:
            continue
        together = {fact_id, *rivals, *compared.twins.get(fact_id, ())}
        for rival in rivals:
            together |= compared.twins.get(rival, frozenset())
        facts = _with_copies(bank_id, {one: compared.facts[one] for one in together & known})
        settled |= together | facts.keys()
        changed |= _arbitrate(bank_id, _values(_contending(facts.values())))
    return changed


def withdraw(fact_ids: Iterable[UUID]) -> set[UUID]:
    """Take facts out of what was decided between them and others, before they go or change. Returns
    the others, which are to be judged again; those that lost to these have not lost until then."""
    leaving = set(fact_ids)
    decided = Edge.objects.filter(
        Q(child_id__in=leaving) | Q(parent_id__in=leaving), type=EdgeType.SUPERSEDES
    ).values_list("child_id", "parent_id")
    involved: set[UUID] = set()
    losers: set[UUID] = set()
    for winner, loser in decided:
        involved |= {winner, loser}
        losers.add(loser)
    reinstate(losers)
    return involved - leaving


def reinstate(fact_ids: Iterable[UUID]) -> None:
    """Take a defeat back, until the facts are judged again. What was taken out by hand stays out."""
    ids = list(fact_ids)
    Node.objects.filter(pk__in=ids, trust__gt=TAKEN_OUT).update(superseded_at=None, trust=_TRUST)
    Edge.objects.filter(parent_id__in=ids, type__in=_CONTENTION)._raw_delete("default")


def _last_said(facts: Iterable[Fact]) -> datetime | None:
    return max((fact.node.mentioned_at for fact in facts if fact.node.mentioned_at), default=None)


def _with_copies(bank_id: UUID, facts: Mapping[UUID, Fact]) -> dict[UUID, Fact]:
    """Also every other fact of the same words: there may be more than neighbours are looked at."""
    shas = {fact.node.sha for fact in facts.values()}
    # Bank and level are looked at here: without statistics PostgreSQL would read the whole level.
    copies = Node.objects.filter(sha__in=shas).values_list("pk", "bank_id", "level")
    missing = {
        pk for pk, of, level in copies if of == bank_id and level == Level.L1 and pk not in facts
    }
    return {**facts, **load(missing)} if missing else dict(facts)


def _contending(facts: Iterable[Fact]) -> list[Fact]:
    """Without those that were taken out by hand, oldest first."""
    staying = [fact for fact in facts if fact.node.trust > TAKEN_OUT]
    return sorted(staying, key=lambda fact: (fact.node.created_at, fact.id))


class _Group:
    """Facts that do not contend with each other."""

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self._speaking: dict[_Words, list[Fact]] = {}

    def add(self, fact: Fact) -> None:
        self.facts.append(fact)
        # Of the same words two from two documents contend with all that any of them contends with.
        same = self._speaking.setdefault(_words(fact), [])
        if len(same) < 2 and all(one.node.document_id != fact.node.document_id for one in same):
            same.append(fact)

    def admits(self, fact: Fact) -> bool:
        own = _words(fact)
        return not any(
            can_contend(fact, one)
            for words, same in self._speaking.items()
            if words != own
            for one in same
        )


def _words(fact: Fact) -> _Words:
    return fact.node.sha, fact.node.speaker, tuple(fact.node.tags)


def _values(facts: list[Fact]) -> list[_Value]:
    """Facts that do not contend say the same value; those that contend with nobody drop out."""
    groups: list[_Group] = []
    for fact in facts:
        home = next((group for group in groups if group.admits(fact)), None)
        if home is None:
            groups.append(home := _Group())
        home.add(fact)
    written: dict[UUID | None, datetime] = {}
    for fact in facts:
        document_id, made_at = fact.node.document_id, fact.node.created_at
        written[document_id] = max(written.get(document_id, made_at), made_at)
    return [_Value(tuple(group.facts), written) for group in groups]


def _arbitrate(bank_id: UUID, values: list[_Value]) -> set[UUID]:
    if len(values) < 2:
        return set()
    by_key = {value.claim.key: value for value in values}
    verdict = arbitrate(value.claim for value in values)
    winner = by_key[verdict.winner.key]
    changed = {fact.id for fact in winner.facts if fact.node.superseded_at is not None}
    reinstate(changed)
    said = sorted(fact.node.mentioned_at for fact in winner.facts if fact.node.mentioned_at)
    losing: list[Fact] = []
    defeats: dict[tuple[datetime, float], list[UUID]] = defaultdict(list)
    for key, trust in verdict.trust.items():
        for fact in by_key[key].facts:
            losing.append(fact)
            since = _since(said, fact)
            if (fact.node.superseded_at, fact.node.trust) != (since, trust):
                fact.node.superseded_at, fact.node.trust = since, trust
                defeats[since, trust].append(fact.id)
    for (since, trust), ids in defeats.items():
        Node.objects.filter(pk__in=ids).update(superseded_at=since, trust=trust)
        changed.update(ids)
    _connect(bank_id, winner, losing)
    return changed


def _since(said: list[datetime], loser: Fact) -> datetime:
    """When a fact lost to what was said at these times, in order: at the first at which it was not
    said any more itself."""
    lost_at = loser.node.mentioned_at
    if lost_at is None:
        return said[0] if said else loser.node.superseded_at or timezone.now()
    later = bisect_left(said, lost_at)
    return said[later] if later < len(said) else lost_at


def _connect(bank_id: UUID, winner: _Value, losing: list[Fact]) -> None:
    """Every loser with the newest fact of the winner, and every other fact of the winner with one
    loser: whichever goes, what it decided is known by its edges."""
    newest = winner.newest.id
    pairs = [(newest, fact.id) for fact in losing]
    pairs += [(fact.id, losing[0].id) for fact in winner.facts if fact.id != newest]
    among = {fact_id for pair in pairs for fact_id in pair}
    Edge.objects.filter(
        Q(child_id__in=among, parent_id__in=among), type__in=_CONTENTION
    )._raw_delete("default")
    edges.add(
        bank_id, (NewEdge(child, kind, parent) for child, parent in pairs for kind in _CONTENTION)
    )
