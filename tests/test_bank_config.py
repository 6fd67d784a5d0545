"""A bank's settings: what is taken, and what follows from them."""

from __future__ import annotations

from typing import Any

import pytest

from memory import bank_config
from memory.bank_config import SETTINGS, Setting
from memory.errors import InvalidBank
from memory.hits import Budget


@pytest.mark.parametrize("name", SETTINGS)
def test_default_fits_its_own_setting(name: str) -> None:
    default = SETTINGS[name].default
    assert bank_config.checked({name: default}) == {name: default}


@pytest.mark.parametrize(
    "updates",
    [
        {"enable_reranking": 1},
        {"recall_budget_fixed_low": True},
        {"recall_budget_fixed_low": 1.5},
        {"recall_budget_adaptive_low": "0.1"},
        {"recall_budget_adaptive_low": 11},
        {"retain_mission": "x" * 20_001},
        {"retain_mission": 5},
        {"x" * 500: 1},
        {"default_observation_scopes": 5},
        {"default_observation_scopes": "all"},
        {"default_observation_scopes": ["a"]},
        {"default_observation_scopes": [[1]]},
        {"default_observation_scopes": [[" "]]},
    ],
)
def test_value_that_does_not_fit_is_refused_in_a_sentence(updates: Any) -> None:
    with pytest.raises(InvalidBank, match=r"^.{10,200}\.$"):
        bank_config.checked(updates)


def test_text_is_cleaned_in_depth() -> None:
    assert bank_config.checked({"retain_strategies": {"a\x00": ["b\ud800"]}}) == {
        "retain_strategies": {"a": ["b\ufffd"]}
    }


@pytest.mark.parametrize(
    ("overrides", "budget", "max_tokens", "width"),
    [
        ({}, Budget.LOW, 4096, 100),
        ({}, Budget.MID, 4096, 300),
        ({}, Budget.HIGH, 0, 1000),
        ({"recall_budget_fixed_mid": 7}, Budget.MID, 4096, 7),
        ({"recall_budget_function": "adaptive"}, Budget.LOW, 4096, 102),
        ({"recall_budget_function": "adaptive"}, Budget.MID, 4096, 307),
        ({"recall_budget_function": "adaptive"}, Budget.LOW, 0, 20),
        ({"recall_budget_function": "adaptive"}, Budget.HIGH, 100_000, 2000),
        ({"recall_budget_function": "adaptive", "recall_budget_min": 3000}, Budget.LOW, 0, 2000),
    ],
)
def test_width_follows_the_budget(
    overrides: Any, budget: Budget, max_tokens: int, width: int
) -> None:
    config = bank_config.resolved(overrides)
    assert bank_config.width(config, budget, max_tokens=max_tokens) == width


def test_setting_without_an_effect_has_no_bounds() -> None:
    """Bounds would say that the value means something here."""
    for setting in SETTINGS.values():
        assert setting.has_effect or (setting.low, setting.high) == (None, None)
    assert isinstance(SETTINGS["retain_mission"], Setting)
