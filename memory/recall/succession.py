"""How the values that lost followed one another, as far as they are among what was found.

7 ─▶ 8 ─▶ 9 ─▶ current      9 is the first before it, and held until the current one was told
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from memory.levels import EdgeType, Level
from memory.models import Edge
from memory.recall.rows import Row

_NEVER: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Lost:
    """``place`` counts back from the current value, from 1. ``until``: when the next was told."""

    place: int
    until: datetime


def lost(rows: Iterable[Row]) -> dict[UUID, Lost]:
    """Of everything among the rows that lost to something newer. Two statements at most.

    What lost to the same fact is one succession, on each level. What is superseded and lost to no
    fact is one of its own.
    """
    losing = [row for row in rows if row.superseded_at is not None]
    if not losing:
        return {}
    winners = _winners(losing)
    together: dict[tuple[Level, UUID], list[Row]] = defaultdict(list)
    for row in losing:
        together[row.level, winners.get(row.id, row.id)].append(row)
    found: dict[UUID, Lost] = {}
    for rivals in together.values():
        began = sorted({_began(row) for row in rivals}, reverse=True)
        place_of = {at: place for place, at in enumerate(began, start=1)}
        for row in rivals:
            place = place_of[_began(row)]
            ends = [row.superseded_at, *began[place - 2 : place - 1]]
            found[row.id] = Lost(place, min(end for end in ends if end is not None))
    return found


def _began(row: Row) -> datetime:
    return row.times.began or _NEVER


def _winners(rows: list[Row]) -> Mapping[UUID, UUID]:
    """The fact that each lost to. An observation lost to what the facts it was made of lost to."""
    sources = [(row.id, row.id) for row in rows]
    observations = [row.id for row in rows if row.level is Level.L2]
    if observations:
        made_of = Edge.objects.filter(
            child_id__in=observations, child_level=Level.L2, type=EdgeType.DERIVED_FROM
        )
        sources += made_of.values_list("child_id", "parent_id")
    beaten = Edge.objects.filter(
        parent_id__in=[fact_id for _, fact_id in sources], type=EdgeType.SUPERSEDES
    )
    winners = dict(beaten.order_by("child_id").values_list("parent_id", "child_id"))
    return {node_id: winners[fact_id] for node_id, fact_id in sources if fact_id in winners}
