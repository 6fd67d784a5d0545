"""A recall's trace as pictures: who found what, how ranks moved, where the floor cut, what took long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory.admin import badges
from memory.attribution import said
from memory.drawing import ranks, scores, shares
from memory.drawing.ranks import Ranks, Runner, Stage
from memory.drawing.scores import Line, Score
from memory.drawing.shares import Share
from memory.hits import Arm, Recalled

_RETURNED: Final = 12  # drawn, with up to as many as _CUT that were not returned
_CUT: Final = 6
_HUES: Final = 6
_ARM_OF: Final = {"bm25": Arm.KEYWORD.value}


@dataclass(frozen=True, slots=True)
class RankRow:
    """The same as a line of the drawing, as a row of the table: a rank, or None, for each stage."""

    label: str
    state: str
    ranks: Sequence[int | None]


@dataclass(frozen=True, slots=True)
class ArmCount:
    name: Any
    found: int
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Pictures:
    ranks: Ranks | None
    stages: Sequence[str]
    rank_rows: Sequence[RankRow]
    not_drawn: int
    floor: Line | None
    scored: Sequence[Score]
    phases: Sequence[Share]  # values in milliseconds
    total: float  # milliseconds
    arms: Sequence[ArmCount]
    window: tuple[datetime, datetime] | None


def pictures(found: Recalled) -> Pictures:
    """``found`` comes with its trace."""
    trace = found.trace or {}
    reranked: list[Mapping[str, Any]] = trace["reranked"]
    returned = {one["node_id"]: one["rank"] for one in trace["final_results"]}
    runners = _runners(reranked, returned, found)
    stages = _stages(trace, returned)
    drawn = ranks.bumps(runners, stages) if runners else None
    scored = [
        Score(
            one["score_components"]["reranker"],
            one["text"],
            _state(one, returned, found.floor),
        )
        for one in reranked
        if one["score_components"]["reranker"] is not None
    ]
    phases = [
        (str(badges.PHASE_NAMES[one["phase_name"]]), 1000 * one["duration_seconds"])
        for one in trace["summary"]["phase_metrics"]
    ]
    return Pictures(
        ranks=drawn,
        stages=[stage.name for stage in stages],
        rank_rows=[
            RankRow(one.label, one.state, [stage.ranks.get(one.key) for stage in stages])
            for one in runners
        ],
        not_drawn=len(reranked) - len(runners),
        floor=scores.strip(scored, found.floor) if scored else None,
        scored=scored,
        phases=shares.shares(phases),
        total=sum(took for _name, took in phases),
        arms=_arms(trace),
        window=_window(trace),
    )


def _state(one: Mapping[str, Any], returned: Mapping[str, int], floor: float | None) -> str:
    if one["node_id"] in returned:
        return "returned"
    score = one["score_components"]["reranker"]
    return "below" if floor is not None and score is not None and score < floor else "left"


def _runners(
    reranked: Sequence[Mapping[str, Any]], returned: Mapping[str, int], found: Recalled
) -> list[Runner]:
    """What came back in its order, then the best of what did not."""
    speakers = {str(hit.id): hit.speaker for hit in found.hits}
    text_of = {
        one["node_id"]: f"{one['level']}  {said(speakers.get(one['node_id'], ''), one['text'])}"
        for one in reranked
    }
    back = sorted((key for key in returned if key in text_of), key=lambda key: returned[key])
    runners = [
        Runner(key, text_of[key], f"hue-{place}" if place <= _HUES else "rest")
        for place, key in enumerate(back[:_RETURNED], start=1)
    ]
    cut = [one for one in reranked if one["node_id"] not in returned]
    room = _CUT if runners else _RETURNED
    return runners + [
        Runner(one["node_id"], text_of[one["node_id"]], _state(one, returned, found.floor))
        for one in cut[:room]
    ]


def _stages(trace: Mapping[str, Any], returned: Mapping[str, int]) -> list[Stage]:
    """A way that found nothing has no column. Levels are searched apart, so ranks may come twice."""
    by_arm: dict[str, dict[str, int]] = {arm.value: {} for arm in Arm}
    for entry in trace["retrieval_results"]:
        of_arm = by_arm[_arm(entry)]
        for result in entry["results"]:
            of_arm.setdefault(result["node_id"], result["rank"])
    stages = [
        Stage(str(badges.ARM_NAMES[arm]), found, _found(len(found)))
        for arm, found in by_arm.items()
        if found
    ]
    merged = {one["node_id"]: one["final_rrf_rank"] for one in trace["rrf_merged"]}
    reranked = {one["node_id"]: one["rerank_rank"] for one in trace["reranked"]}
    return [
        *stages,
        Stage(_("Fused"), merged, _found(len(merged))),
        Stage(_("Reranked"), reranked, _found(len(reranked))),
        Stage(_("Returned"), dict(returned), _found(len(returned))),
    ]


def _found(count: int) -> str:
    return ngettext("%(count)s memory", "%(count)s memories", count) % {"count": count}


def _arms(trace: Mapping[str, Any]) -> list[ArmCount]:
    """A way's time is that of all its levels together."""
    counts: dict[str, tuple[int, float]] = {}
    for entry in trace["retrieval_results"]:
        arm = _arm(entry)
        before = counts.get(arm, (0, 0.0))[0]
        counts[arm] = before + len(entry["results"]), 1000 * entry["duration_seconds"]
    return [ArmCount(badges.ARM_NAMES[arm], *counts[arm]) for arm in Arm if arm in counts]


def _window(trace: Mapping[str, Any]) -> tuple[datetime, datetime] | None:
    """The period that was looked for, said outright or found in the query."""
    period = trace["query"]["temporal_constraint"]
    if period is None:
        return None
    return datetime.fromisoformat(period["start"]), datetime.fromisoformat(period["end"])


def _arm(entry: Mapping[str, Any]) -> str:
    name: str = entry["method_name"]
    return _ARM_OF.get(name, name)
