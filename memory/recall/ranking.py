"""The order of what was found: a reranker's relevance, small boosts, then the floors.

    level by level   candidates ─ rerank ─▶ relevance 0-1 ─ boosts ─▶ final
    together         floor of the reranker · min_scores · order by final

The reranker sees one level at a time, so a large corpus cannot win by its number. It finds nothing
relevant to a question for whatever happened in a period: what lies in the period answers that.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from memory import scoring
from memory.backends import registry
from memory.backends.rerankers.scores import shares
from memory.fusion import Fused
from memory.levels import Level
from memory.recall.gathering import Gathered, LevelCandidates
from memory.recall.planning import Plan
from memory.recall.request import Floor, RecallRequest
from memory.recall.rows import Row
from memory.scoring import Boosts
from memory.seams import Reranker

logger = logging.getLogger(__name__)

NO_RERANKER: Final = "none"


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with all its scores. ``reranker`` is None where none was asked, or could tell."""

    row: Row
    fused: Fused
    fused_rank: int  # from 1, in its level
    reranker: float | None
    boosts: Boosts
    final: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """``scored`` is everything, best first; ``kept`` what cleared every floor.

    ``failure`` says what a reranker did wrong. Then fusion gave the order, or, where the caller
    counts on the reranker's scores, there is none.
    """

    reranker: str
    floor: float | None
    scored: tuple[Scored, ...] = ()
    kept: tuple[Scored, ...] = ()
    best_score: float | None = None
    failure: str = ""
    below_floor: int = 0

    @property
    def abstains(self) -> bool:
        """Something was found, and none of it may be shown."""
        is_below_floor = self.below_floor > 0 and self.below_floor == len(self.scored)
        return is_below_floor or (bool(self.failure) and not self.scored)


def rank(gathered: Gathered) -> Ranked:
    plan = gathered.plan
    if not plan.rerank:
        scored = _in_order(_by_rank(gathered))
        return _floored(plan.request, Ranked(NO_RERANKER, None, scored))
    reranker = registry.reranker()
    floor = floor_of(plan.request, reranker)
    try:
        scored = _in_order(
            [one for level in gathered.levels for one in _reranked(gathered, level, reranker)]
        )
    except Exception as error:  # whatever a model does, it never passes for a score
        logger.exception("reranker_failed")
        failed = Ranked(reranker.name, floor, failure=type(error).__name__)
        if _counts_on_scores(plan.request):
            return failed
        return _floored(plan.request, replace(failed, scored=_in_order(_by_rank(gathered))))
    return _floored(plan.request, Ranked(reranker.name, floor, scored))


def floor_of(request: RecallRequest, reranker: Reranker) -> float | None:
    """None: no floor was asked for, it is switched off, or none is known for this reranker."""
    if isinstance(request.floor, Floor):
        return reranker.floor if request.floor is Floor.OF_RERANKER else None
    return request.floor or None


def _counts_on_scores(request: RecallRequest) -> bool:
    """With a floor, what has no score would pass for good."""
    wants_floor = request.floor is not Floor.NONE and request.floor != 0
    return wants_floor or request.min_scores.reranker is not None


def _reranked(gathered: Gathered, candidates: LevelCandidates, reranker: Reranker) -> list[Scored]:
    fused = [one for one in candidates.fused if one.node_id in gathered.rows]
    if not fused:
        return []
    stored = [gathered.rows[one.node_id] for one in fused]
    known = [gathered.known[one.node_id] for one in fused]
    scores = shares(
        reranker.score(gathered.plan.request.query, [row.shown for row in stored], known=known),
        expected=len(stored),
    )
    ranked = []
    for place, (one, row, score) in enumerate(zip(fused, stored, scores, strict=True), start=1):
        near = _in_period(gathered.plan, row)
        relevance = score if near is None else near
        # What answers by its time needs no reranker's word; what happened at another time fails.
        own = None if near else relevance
        ranked.append(_scored(gathered, one, row, place, relevance=relevance, reranker=own))
    return ranked


def _in_period(plan: Plan, row: Row) -> float | None:
    """How well a memory answers what happened in the period, 0 for what happened at another time.
    What was only told then answers half as well. None where that was not asked, or cannot be told.
    """
    if plan.window is None or not plan.asks_period:
        return None
    happened = scoring.proximity(replace(row.times, mentioned_at=None), plan.window)
    told = scoring.proximity(row.times, plan.window)
    if happened is None and told is not None:
        return told / 2
    return 0.0 if happened is None and row.times.occurred_start is not None else happened


def _by_rank(gathered: Gathered) -> list[Scored]:
    found: list[Scored] = []
    for level in gathered.levels:
        fused = [one for one in level.fused if one.node_id in gathered.rows]
        for place, (one, relevance) in enumerate(
            zip(fused, scoring.by_rank(len(fused)), strict=True), start=1
        ):
            row = gathered.rows[one.node_id]
            found.append(_scored(gathered, one, row, place, relevance=relevance, reranker=None))
    return found


def _scored(
    gathered: Gathered,
    fused: Fused,
    row: Row,
    place: int,
    *,
    relevance: float,
    reranker: float | None,
) -> Scored:
    plan = gathered.plan
    temporal = None if plan.window is None else scoring.proximity(row.times, plan.window)
    boosts = Boosts(
        recency=scoring.recency(row.times, anchor=plan.anchor),
        temporal=scoring.NEUTRAL if temporal is None else temporal,
        proof=scoring.proof(row.proof_count) if row.level is Level.L2 else scoring.NEUTRAL,
        past=_past(gathered, row),
    )
    return Scored(row, fused, place, reranker, boosts, relevance * boosts.factor)


def _past(gathered: Gathered, row: Row) -> float:
    """A period that is over is more than the wish for whatever came before."""
    window, lost = gathered.plan.past_window, gathered.lost.get(row.id)
    if lost is None:
        return scoring.NEUTRAL
    if window is not None:
        return scoring.held(row.times, lost.until, window)
    return scoring.before_now(lost.place)


def _in_order(scored: Sequence[Scored]) -> tuple[Scored, ...]:
    """Ties keep the order of the levels, then that of fusion."""
    return tuple(sorted(scored, key=lambda one: -one.final))


def _floored(request: RecallRequest, ranked: Ranked) -> Ranked:
    scores = [one.reranker for one in ranked.scored if one.reranker is not None]
    floor, least = ranked.floor, request.min_scores
    passed = [one for one in ranked.scored if _clears(one.reranker, floor)]
    kept = tuple(
        one
        for one in passed
        if _clears(one.reranker, least.reranker) and _clears(one.final, least.final)
    )
    return replace(
        ranked,
        kept=kept,
        best_score=max(scores, default=None),
        below_floor=len(ranked.scored) - len(passed),
    )


def _clears(score: float | None, floor: float | None) -> bool:
    """Inclusive. A score that is not there by design has no floor."""
    return floor is None or score is None or score >= floor
