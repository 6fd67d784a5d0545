"""From asks to figures, each with its 95 % interval. Pure.

answerable   the page holds an answer          right   the cited text holds one
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from kb.evaluation.asked import Asked, by_language
from kb.evaluation.page_sets import Arm
from memory import metrics

Figures = dict[str, Any]
_DRAWS = 500
# Columns of the matrix that every measure is computed from.
_ANSWERABLE, _ANSWERED, _FIRST, _ANY, _CONFIDENCE = range(5)


def _rows(asked: Sequence[Asked]) -> np.ndarray:
    """float (asks, 5); a confidence that nobody stated is NaN."""
    rows = [
        (
            bool(one.case.golds),
            one.is_answered,
            one.hit_first,
            one.hit_any,
            math.nan if one.confidence is None else one.confidence,
        )
        for one in asked
    ]
    return np.array(rows, float).reshape(-1, 5)


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else math.nan


def _of_answerable(column: int) -> Callable[[np.ndarray], float]:
    return lambda rows: _mean(rows[rows[:, _ANSWERABLE] == 1, column])


def _right_when_answered(rows: np.ndarray) -> float:
    return _mean(rows[(rows[:, _ANSWERABLE] == 1) & (rows[:, _ANSWERED] == 1), _ANY])


def _false_answers(rows: np.ndarray) -> float:
    return _mean(rows[rows[:, _ANSWERABLE] == 0, _ANSWERED])


def _declines(rows: np.ndarray) -> float:
    return 1 - _false_answers(rows)


def _balanced(rows: np.ndarray) -> float:
    return (_of_answerable(_ANSWERED)(rows) + _declines(rows)) / 2


def _auroc(rows: np.ndarray) -> float:
    """Does the confidence put right answers above all others? No stated one counts as none."""
    return metrics.auroc(np.nan_to_num(rows[:, _CONFIDENCE]).tolist(), _truth(rows))


def _calibration(rows: np.ndarray) -> float:
    stated = rows[~np.isnan(rows[:, _CONFIDENCE])]
    return metrics.calibration_error(stated[:, _CONFIDENCE].tolist(), _truth(stated))


def _truth(rows: np.ndarray) -> list[bool]:
    return (rows[:, _ANY] == 1).tolist()


MEASURES: dict[str, Callable[[np.ndarray], float]] = {
    "span_hit@1": _of_answerable(_FIRST),
    "span_hit@2": _of_answerable(_ANY),
    "answered": _of_answerable(_ANSWERED),
    "right_when_answered": _right_when_answered,
    "false_answer_rate": _false_answers,
    "decline_recall": _declines,
    "balanced_accuracy": _balanced,
    "auroc": _auroc,
    "ece": _calibration,
}


def of_set(asked: Sequence[Asked]) -> Figures:
    """Of all asks, and of each language under its code. Arms beside own and other come apart."""
    figures = _of(asked)
    for code, those in by_language(asked).items():
        figures[code] = _of(those)
    return figures


def _of(asked: Sequence[Asked]) -> Figures:
    main = [one for one in asked if one.case.arm in (Arm.OWN, Arm.OTHER)]
    figures = _measured(main)
    for arm in (Arm.NEAR, Arm.ABSENT):
        those = [one for one in asked if one.case.arm is arm]
        if those:
            figures[arm.value] = _measured(those)
    return figures


def _measured(asked: Sequence[Asked]) -> Figures:
    """A measure that says nothing here (declines without unanswerable questions) is left out."""
    rows = _rows(asked)
    figures: Figures = {"n": len(asked)}
    for name, measure in MEASURES.items():
        value = measure(rows)
        if math.isnan(value):
            continue
        low, high = metrics.bootstrap_interval(rows, statistic=measure, draws=_DRAWS)
        figures[name] = round(value, 4)
        figures[f"{name}_ci95"] = [_number(low), _number(high)]
    if cited := sum(one.citations for one in asked):
        figures["citation_integrity"] = sum(one.intact for one in asked) / cited
    figures["faults"] = sum(one.is_fault for one in asked)
    figures["degraded"] = sum(one.is_degraded for one in asked)
    figures["latency_ms"] = _latency(asked)
    return figures


def _latency(asked: Sequence[Asked]) -> Figures:
    """Of asks to a page whose sentences are in the cache, as they are from a page's second ask on."""
    warm = [one.milliseconds for one in asked if not one.is_first_of_page]
    first = [one.milliseconds for one in asked if one.is_first_of_page]
    latency: Figures = {}
    for prefix, those in (("", warm or first), ("first_", first)):
        if those:
            p50, p95 = np.percentile(those, [50, 95])
            latency |= {f"{prefix}p50": round(float(p50), 1), f"{prefix}p95": round(float(p95), 1)}
    return latency


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 4)
