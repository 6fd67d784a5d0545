"""Whether observations say what their sources say. Reads only; to be called inside a scope."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from memory.levels import Level
from memory.models import Node
from memory.retain import comparing, observing
from memory.retain.comparing import Fact

_STEP: Final = 500  # observations


@dataclass(frozen=True, slots=True)
class Unsound:
    """``pair``: the shas of an observation and perhaps of one source."""

    reason: str
    pair: tuple[str, ...]
    detail: str = ""


@dataclass(slots=True)
class Observed:
    rows: int = 0
    faults: list[Unsound] = field(default_factory=list)


def verify(bank_ids: Sequence[UUID]) -> Observed:
    """Every observation of these banks."""
    found = Observed()
    for observations in _in_steps(bank_ids):
        found.rows += len(observations)
        sources = observing.sources_of(one.pk for one in observations)
        facts = comparing.load({source for of in sources.values() for source in of})
        for one in observations:
            saying = [facts[pk] for pk in sorted(sources[one.pk]) if pk in facts]
            found.faults += _judge(one, saying)
    return found


def _judge(observation: Node, sources: Sequence[Fact]) -> Iterator[Unsound]:
    told = observing.alike(tuple(observation.tags), sources)
    if not told:
        reason = "no facts of two documents say it alike in its tags"
        yield Unsound(reason, (observation.sha,), f"{len(sources)} sources")
        return
    alike = told[0]
    saying = {source.id for source in alike}
    for source in sources:
        if source.id not in saying:
            yield Unsound("a source says something else", (observation.sha, source.node.sha))
    if observation.sha not in {source.node.sha for source in alike}:
        yield Unsound("its words are of none of its sources", (observation.sha,))
    count = observing.proofs(alike)
    if observation.proof_count != count:
        detail = f"{observation.proof_count}, not {count}"
        yield Unsound("it counts other documents than it has", (observation.sha,), detail)


def _in_steps(bank_ids: Sequence[UUID]) -> Iterator[list[Node]]:
    rows = Node.objects.filter(bank_id__in=bank_ids, level=Level.L2).order_by("pk")
    after: UUID | None = None
    while step := list((rows.filter(pk__gt=after) if after else rows)[:_STEP]):
        yield step
        after = step[-1].pk
