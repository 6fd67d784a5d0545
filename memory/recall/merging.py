"""Memories and references in one list, so that neither keeps the other out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memory.levels import Level
from memory.recall.ranking import Scored

# Of the places, for each of the two sorts. A reranker is not calibrated across them: well written
# documentation reads as more relevant than a note about the same thing.
_SHARE: Final = 2


def share_places(scored: Sequence[Scored], places: int | None) -> list[Scored]:
    """``scored`` with half of the first ``places`` for each sort that has so many, the odd one for
    the better. The first ``places`` and what follows them each keep their order.

    One sort alone, or no number of places, changes nothing.
    """
    if places is None or len(scored) <= places:
        return list(scored)
    sorts: dict[bool, list[int]] = {False: [], True: []}
    for place, one in enumerate(scored):
        sorts[one.row.level is Level.R].append(place)
    sure = {place for found in sorts.values() for place in found[: places // _SHARE]}
    others = [place for place in range(len(scored)) if place not in sure]
    taken = sure | set(others[: places - len(sure)])
    first = [one for place, one in enumerate(scored) if place in taken]
    return first + [one for place, one in enumerate(scored) if place not in taken]
