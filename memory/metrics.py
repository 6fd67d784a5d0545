"""Measures of retrieval, citation and declining. Pure numpy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set

import numpy as np


def ndcg(ranked: Sequence[str], relevance: Mapping[str, float], k: int = 10) -> float:
    """Normalised discounted cumulative gain of the first ``k``; 0 when nothing is relevant."""
    gains = [relevance.get(item, 0.0) / np.log2(rank + 2) for rank, item in enumerate(ranked[:k])]
    ideal = sorted((value for value in relevance.values() if value > 0), reverse=True)[:k]
    best = sum(value / np.log2(rank + 2) for rank, value in enumerate(ideal))
    return float(sum(gains) / best) if best else 0.0


def recall(ranked: Sequence[str], relevant: Set[str], k: int) -> float:
    """Share of the relevant items among the first ``k``; 0 when nothing is relevant."""
    return len(relevant & set(ranked[:k])) / len(relevant) if relevant else 0.0


def reciprocal_rank(ranked: Sequence[str], relevant: Set[str]) -> float:
    return next((1 / (rank + 1) for rank, item in enumerate(ranked) if item in relevant), 0.0)


def auroc(scores: Sequence[float], truths: Sequence[bool]) -> float:
    """Chance that a positive scores above a negative, ties half; NaN without both kinds."""
    values, truth = np.asarray(scores, float), np.asarray(truths, bool)
    positives, negatives = int(truth.sum()), int((~truth).sum())
    if not positives or not negatives:
        return float("nan")
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return float((ranks[truth].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def calibration_error(
    probabilities: Sequence[float], truths: Sequence[bool], bins: int = 10
) -> float:
    """Expected calibration error over bins of equal width."""
    given, truth = np.asarray(probabilities, float), np.asarray(truths, float)
    if not len(given):
        return float("nan")
    index = np.minimum((given * bins).astype(int), bins - 1)
    error = 0.0
    for bin_ in range(bins):
        inside = index == bin_
        if inside.any():
            error += inside.mean() * abs(given[inside].mean() - truth[inside].mean())
    return float(error)


def balanced_accuracy(said: Sequence[bool], truths: Sequence[bool]) -> float:
    """Mean of the hit rates on positives and on negatives; NaN without both kinds."""
    yes, truth = np.asarray(said, bool), np.asarray(truths, bool)
    if truth.all() or not truth.any():
        return float("nan")
    return float((yes[truth].mean() + (~yes[~truth]).mean()) / 2)


def bootstrap_interval(
    values: Sequence[float] | np.ndarray,
    *,
    statistic: Callable[[np.ndarray], float] = lambda sample: float(sample.mean()),
    draws: int = 1000,
    seed: int = 0,
) -> tuple[float, float]:
    """The 95 % percentile interval of ``statistic`` over resampled rows (a matrix has many columns).

    Draws that ``statistic`` can say nothing about (NaN: one kind of row is missing) are left out.
    """
    rows = np.asarray(values, float)
    if not len(rows):
        return float("nan"), float("nan")
    random = np.random.default_rng(seed)
    found = np.array(
        [statistic(rows[random.integers(0, len(rows), len(rows))]) for _ in range(draws)]
    )
    if np.isnan(found).all():
        return float("nan"), float("nan")
    low, high = np.nanpercentile(found, [2.5, 97.5])
    return float(low), float(high)
