"""What a bank may do otherwise than the defaults: the names that the Hindsight API gives its settings.

Some are honoured. The others steer parts that this product does not have; they are kept, given back
and change nothing, and ``docs/api-memory.md`` says which is which. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from memory.errors import InvalidBank
from memory.hits import Budget
from memory.language.text import clean_json

MAX_TEXT: Final = 20_000


class Kind(StrEnum):
    FLAG = "true or false"
    WHOLE = "a whole number"
    NUMBER = "a number"
    TEXT = "a text"
    SCOPES = "a rule, or lists of tags"
    ANY = "any JSON"


@dataclass(frozen=True, slots=True)
class Setting:
    """``low`` and ``high`` bound a number, inclusive. ``has_effect``: this product acts by it."""

    kind: Kind
    default: Any = None
    has_effect: bool = False
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()


def _effective(kind: Kind, default: Any, **more: Any) -> Setting:
    return Setting(kind, default, has_effect=True, **more)


_TRAIT = {"low": 1, "high": 5}
_WIDTH = {"low": 1, "high": 10_000}

SETTINGS: Final[Mapping[str, Setting]] = {
    # Of the bank's row
    "reflect_mission": _effective(Kind.TEXT, None),
    "disposition_skepticism": _effective(Kind.WHOLE, 3, **_TRAIT),
    "disposition_literalism": _effective(Kind.WHOLE, 3, **_TRAIT),
    "disposition_empathy": _effective(Kind.WHOLE, 3, **_TRAIT),
    # Recall
    "enable_text_search": _effective(Kind.FLAG, True),
    "enable_temporal_retrieval": _effective(Kind.FLAG, True),
    "enable_graph_retrieval": _effective(Kind.FLAG, True),
    "enable_reranking": _effective(Kind.FLAG, True),
    "recall_budget_function": _effective(Kind.TEXT, "fixed", choices=("fixed", "adaptive")),
    "recall_budget_fixed_low": _effective(Kind.WHOLE, Budget.LOW.width, **_WIDTH),
    "recall_budget_fixed_mid": _effective(Kind.WHOLE, Budget.MID.width, **_WIDTH),
    "recall_budget_fixed_high": _effective(Kind.WHOLE, Budget.HIGH.width, **_WIDTH),
    "recall_budget_adaptive_low": _effective(Kind.NUMBER, 0.025, low=0, high=10),
    "recall_budget_adaptive_mid": _effective(Kind.NUMBER, 0.075, low=0, high=10),
    "recall_budget_adaptive_high": _effective(Kind.NUMBER, 0.25, low=0, high=10),
    "recall_budget_min": _effective(Kind.WHOLE, 20, **_WIDTH),
    "recall_budget_max": _effective(Kind.WHOLE, 2_000, **_WIDTH),
    "recall_prefer_observations": _effective(Kind.FLAG, False),
    # Observations
    "enable_observations": _effective(Kind.FLAG, True),
    "enable_auto_consolidation": _effective(Kind.FLAG, True),
    "default_observation_scopes": _effective(
        Kind.SCOPES, None, choices=("combined", "per_tag", "all_combinations", "shared")
    ),
    # Kept, without effect
    "retain_mission": Setting(Kind.TEXT),
    "retain_extraction_mode": Setting(Kind.TEXT, "concise"),
    "retain_custom_instructions": Setting(Kind.TEXT),
    "retain_chunk_size": Setting(Kind.WHOLE),
    "retain_structured_chunk_size": Setting(Kind.WHOLE),
    "retain_max_attachments_per_chunk": Setting(Kind.WHOLE),
    "retain_default_strategy": Setting(Kind.TEXT),
    "retain_strategies": Setting(Kind.ANY),
    "retain_chunk_batch_size": Setting(Kind.WHOLE),
    "retain_extract_causal_links": Setting(Kind.FLAG),
    "store_document_text": Setting(Kind.FLAG, True),
    "entity_labels": Setting(Kind.ANY),
    "entities_allow_free_form": Setting(Kind.FLAG, True),
    "observations_mission": Setting(Kind.TEXT),
    "max_observations_per_scope": Setting(Kind.WHOLE),
    "observation_scope_limits": Setting(Kind.ANY),
    "consolidation_strategies": Setting(Kind.ANY),
    "consolidation_use_decision_model": Setting(Kind.FLAG),
    "consolidation_llm_parallelism": Setting(Kind.WHOLE),
    "consolidation_llm_batch_size": Setting(Kind.WHOLE),
    "consolidation_max_memories_per_round": Setting(Kind.WHOLE),
    "consolidation_source_facts_max_tokens": Setting(Kind.WHOLE),
    "consolidation_source_facts_max_tokens_per_observation": Setting(Kind.WHOLE),
    "mental_model_min_refresh_interval_seconds": Setting(Kind.WHOLE),
    "mental_model_refresh_use_decision_model": Setting(Kind.FLAG),
    "mental_model_delta_use_decision_model": Setting(Kind.FLAG),
    "knowledge_page_default_trigger": Setting(Kind.ANY),
    "reflect_default_options": Setting(Kind.ANY),
    "reflect_use_decision_model": Setting(Kind.FLAG),
    "reflect_source_facts_max_tokens": Setting(Kind.WHOLE),
    "recall_max_tokens": Setting(Kind.WHOLE),
    "recall_include_chunks": Setting(Kind.FLAG),
    "recall_chunks_max_tokens": Setting(Kind.WHOLE),
    "mcp_enabled_tools": Setting(Kind.ANY),
    "llm_gemini_safety_settings": Setting(Kind.ANY),
    "memory_defense": Setting(Kind.ANY),
    "audit_log_enabled": Setting(Kind.FLAG),
}


def checked(updates: Mapping[str, Any]) -> dict[str, Any]:
    """The updates as they are stored; None takes a setting back. Raises ``InvalidBank``."""
    clean: dict[str, Any] = clean_json(updates)
    for name, value in clean.items():
        setting = SETTINGS.get(name)
        if setting is None:
            raise InvalidBank(f"There is no setting {name[:80]!r}.")
        if value is not None and not _fits(setting, value):
            raise InvalidBank(f"{name} must be {_wanted(setting)}.")
    return clean


def check(overrides: Mapping[str, Any]) -> None:
    """Raises ``InvalidBank`` for settings of which each fits and which do not fit together."""
    config = resolved(overrides)
    if config["recall_budget_min"] > config["recall_budget_max"]:
        raise InvalidBank(
            f"recall_budget_min ({config['recall_budget_min']}) must not be above"
            f" recall_budget_max ({config['recall_budget_max']})."
        )


def resolved(overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Every setting with the value that holds in the bank."""
    return {name: overrides.get(name, setting.default) for name, setting in SETTINGS.items()}


def width(config: Mapping[str, Any], budget: Budget, *, max_tokens: int) -> int:
    """Candidates for each arm and type under a resolved configuration."""
    if config["recall_budget_function"] == "fixed":
        return int(config[f"recall_budget_fixed_{budget}"])
    wanted = round(max(max_tokens, 0) * config[f"recall_budget_adaptive_{budget}"])
    low, high = sorted((config["recall_budget_min"], config["recall_budget_max"]))
    return int(min(max(wanted, low), high))


def _fits(setting: Setting, value: Any) -> bool:
    match setting.kind:
        case Kind.FLAG:
            return isinstance(value, bool)
        case Kind.TEXT:
            return (
                isinstance(value, str)
                and len(value) <= MAX_TEXT
                and (not setting.choices or value in setting.choices)
            )
        case Kind.WHOLE:
            return (
                isinstance(value, int) and not isinstance(value, bool) and _within(setting, value)
            )
        case Kind.NUMBER:
            return (
                isinstance(value, int | float)
                and not isinstance(value, bool)
                and _within(setting, value)
            )
        case Kind.SCOPES:
            return value in setting.choices if isinstance(value, str) else _are_scopes(value)
        case Kind.ANY:
            return True


def _are_scopes(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(scope, list) and all(isinstance(tag, str) and tag.strip() for tag in scope)
        for scope in value
    )


def _within(setting: Setting, value: float) -> bool:
    return (setting.low is None or value >= setting.low) and (
        setting.high is None or value <= setting.high
    )


def _wanted(setting: Setting) -> str:
    if setting.kind is Kind.SCOPES:
        return f"one of {', '.join(setting.choices)}, or lists of tags"
    if setting.choices:
        return f"one of {', '.join(setting.choices)}"
    if setting.kind is Kind.TEXT:
        return f"{setting.kind} of at most {MAX_TEXT:,} characters"
    if setting.low is not None:
        return f"{setting.kind} between {setting.low:g} and {setting.high:g}"
    return setting.kind.value
