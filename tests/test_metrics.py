from __future__ import annotations

import math

import pytest

from memory import metrics


def test_ndcg_of_second_place_is_discounted() -> None:
    assert metrics.ndcg(["a", "b"], {"b": 1.0}) == pytest.approx(1 / math.log2(3))
    assert metrics.ndcg(["b", "a"], {"b": 1.0}) == 1.0


def test_ndcg_prefers_the_higher_grade_first() -> None:
    grades = {"a": 2.0, "b": 1.0}
    assert metrics.ndcg(["b", "a"], grades) < metrics.ndcg(["a", "b"], grades) == 1.0


def test_ndcg_without_relevant_items_is_zero() -> None:
    assert metrics.ndcg(["a"], {}) == 0.0


def test_recall_counts_only_the_first_k() -> None:
    assert metrics.recall(["a", "b", "c"], {"a", "c"}, 2) == 0.5


def test_reciprocal_rank() -> None:
    assert metrics.reciprocal_rank(["a", "b"], {"b"}) == 0.5
    assert metrics.reciprocal_rank(["a"], {"b"}) == 0.0


def test_auroc_counts_ties_half() -> None:
    assert metrics.auroc([0.9, 0.1], [True, False]) == 1.0
    assert metrics.auroc([0.5, 0.5], [True, False]) == 0.5
    assert metrics.auroc([0.1, 0.2, 0.3, 0.4], [False, True, False, True]) == 0.75
    assert math.isnan(metrics.auroc([0.5], [True]))


def test_calibration_error_is_the_gap_between_said_and_true() -> None:
    assert metrics.calibration_error([0.8] * 10, [True] * 8 + [False] * 2) == pytest.approx(0.0)
    assert metrics.calibration_error([1.0, 1.0], [True, False]) == pytest.approx(0.5)


def test_balanced_accuracy_ignores_how_many_of_each() -> None:
    assert metrics.balanced_accuracy([True, True, True, False], [True, True, False, False]) == 0.75


def test_bootstrap_interval_is_seeded_and_holds_the_mean() -> None:
    values = [0.0, 1.0] * 50
    low, high = metrics.bootstrap_interval(values)
    assert low < 0.5 < high
    assert metrics.bootstrap_interval(values) == (low, high)
