"""From what was found to figures, each with its 95 % interval over queries. Pure.

The set's own figures are those of the whole; ``arms`` holds those of each arm alone and of plain
BM25, a group (language, category) has the same under its name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from kb.evaluation.figures import Figures
from kb.evaluation.retrieval import Found
from kb.evaluation.retrieval_sets import Query
from memory import metrics

_DRAWS = 500

Measure = Callable[[Sequence[str], Query], float]
MEASURES: dict[str, Measure] = {
    "ndcg@10": lambda ranked, query: metrics.ndcg(ranked, query.relevant, 10),
    "recall@10": lambda ranked, query: metrics.recall(ranked, query.relevant.keys(), 10),
    "recall@50": lambda ranked, query: metrics.recall(ranked, query.relevant.keys(), 50),
    "mrr": lambda ranked, query: metrics.reciprocal_rank(ranked, query.relevant.keys()),
}


def of_set(found: Sequence[Found]) -> Figures:
    """All queries, then each group."""
    figures = _of(found)
    groups: dict[str, list[Found]] = {}
    for one in found:
        if one.query.group:
            groups.setdefault(one.query.group, []).append(one)
    return figures | {name: _of(those) for name, those in sorted(groups.items())}


def add_to(figures: Figures, retrieved: Figures) -> None:
    """Puts them beside the figures of answers to the same questions; ``n`` counts the asks there, so
    ``queries`` counts these."""
    for name, value in retrieved.items():
        if isinstance(value, dict) and "ndcg@10" in value:
            add_to(figures.setdefault(name, {}), value)
        else:
            figures["queries" if name == "n" else name] = value


def _of(found: Sequence[Found]) -> Figures:
    figures: Figures = {"n": len(found), **_measured([(one.ranked, one.query) for one in found])}
    arms = dict.fromkeys(arm for one in found for arm in one.arms)
    figures["arms"] = {
        arm: {"n": len(found), **_measured([(one.arms[arm], one.query) for one in found])}
        for arm in arms
    }
    p50, p95 = np.percentile([one.milliseconds for one in found] or [0.0], [50, 95])
    figures["degraded"] = sum(one.is_degraded for one in found)
    figures["recall_ms"] = {"p50": round(float(p50), 1), "p95": round(float(p95), 1)}
    return figures


def _measured(ranked: Sequence[tuple[Sequence[str], Query]]) -> Figures:
    figures: Figures = {}
    for name, measure in MEASURES.items():
        values = np.array([measure(names, query) for names, query in ranked])
        low, high = metrics.bootstrap_interval(values, draws=_DRAWS)
        figures[name] = round(float(values.mean()), 4) if len(values) else float("nan")
        figures[f"{name}_ci95"] = [round(low, 4), round(high, 4)]
    return figures
