"""Changing what a bank does otherwise. The mission and the disposition have columns of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory import bank_config
from memory.models import Bank
from memory.models.banks import neutral_disposition

TRAITS = ("skepticism", "literalism", "empathy")
_TRAIT = "disposition_"
_MISSION = "reflect_mission"


def overrides(bank: Bank) -> dict[str, Any]:
    """The settings that differ from the defaults because somebody set them."""
    own = {name: value for name, value in bank.config.items() if name in bank_config.SETTINGS}
    if bank.mission:
        own[_MISSION] = bank.mission
    neutral = neutral_disposition()
    for trait in TRAITS:
        if bank.disposition.get(trait, neutral[trait]) != neutral[trait]:
            own[_TRAIT + trait] = bank.disposition[trait]
    return own


def resolved(bank: Bank) -> dict[str, Any]:
    return bank_config.resolved(overrides(bank))


def change(bank: Bank, updates: Mapping[str, Any]) -> None:
    """Set what is named and save; None takes a setting back. Raises ``InvalidBank``."""
    config = dict(bank.config)
    for name, value in bank_config.checked(updates).items():
        if name == _MISSION:
            bank.mission = value or ""
        elif name.startswith(_TRAIT):
            trait = name.removeprefix(_TRAIT)
            chosen = neutral_disposition()[trait] if value is None else value
            bank.disposition = bank.disposition | {trait: chosen}
        elif value is None:
            config.pop(name, None)
        else:
            config[name] = value
    bank_config.check(config)
    bank.config = config
    bank.save(update_fields=["config", "mission", "disposition", "updated_at"])


def reset(bank: Bank) -> None:
    """Back to the defaults, the mission and the disposition too."""
    bank.config, bank.mission, bank.disposition = {}, "", neutral_disposition()
    bank.save(update_fields=["config", "mission", "disposition", "updated_at"])
