"""What is said where a query shows nothing, or less than it might. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from difflib import get_close_matches

from memory.hits import Recalled
from memory.levels import Level

_MOST_DIGITS = 6
_NEAR = 0.6  # likeness, from 0 to 1, from which another project's name may have been meant


def without_hits(
    recalled: Recalled, *, project: str, levels: Sequence[Level], is_bare: bool = False
) -> str | None:
    """Two lines, why and what to try next; None where there are hits. ``is_bare``: only reference
    docs were searched, and the project has none."""
    if recalled.hits:
        return None
    if is_bare:
        add = f"mem corpus add NAME PATH --project {project}"
        return f"{project} has no reference docs\n{add} loads some"
    if "reranker" in recalled.degraded:
        return f"{recalled.reranker} could not score what was found, so nothing is shown\ntry again later"
    elsewhere = "" if Level.R in levels else ", or --levels R to search reference docs"
    if recalled.best_score is None or recalled.floor is None or not recalled.abstained:
        return f"nothing in {project} matches\ntry other words{elsewhere}"
    best, floor = apart(recalled.best_score, recalled.floor)
    return (
        f"no hits above relevance floor (best {best} < {floor} threshold)\n"
        f"try --min-score to lower it{elsewhere}"
    )


def unknown_project(name: str, others: Sequence[str]) -> str:
    """One line. ``others`` are the names of projects that can be opened."""
    said = f"There is no project {name}."
    if near := get_close_matches(name, others, n=3, cutoff=_NEAR):
        return f"{said} Did you mean {' or '.join(near)}? mem banks lists all."
    return f"{said} mem banks lists those that there are." if others else said


def apart(best: float, floor: float) -> tuple[str, str]:
    """Both with two digits, or as many as show that ``best`` is the smaller. It is cut, not rounded:
    0.3499 is not 0.35."""
    for digits in range(2, _MOST_DIGITS + 1):
        shown = f"{math.floor(best * 10**digits) / 10**digits:.{digits}f}"
        threshold = f"{floor:.{digits}f}"
        if float(shown) < float(threshold) and math.isclose(float(threshold), floor):
            break
    return shown, threshold


def notes(recalled: Recalled, *, has_own_floor: bool) -> list[str]:
    """What a reader should know of hits that are shown. ``has_own_floor``: the caller named one."""
    found = []
    if "reranker" in recalled.degraded and recalled.hits:
        found.append(
            f"{recalled.reranker} could not score what was found: it is in the order in which the arms"
            " found it"
        )
    if recalled.floor is None and not has_own_floor:
        found.append(
            f"no relevance floor is known for the reranker {recalled.reranker}: nothing was held back"
        )
    if "vectors" in recalled.degraded:
        found.append("some memories have no vectors yet and were looked for by their words alone")
    return found
