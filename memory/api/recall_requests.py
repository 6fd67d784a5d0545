"""A body of the recall endpoint as the request that recall takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from memory import bank_config, bank_settings, tags
from memory.api.errors import BadRequest
from memory.dates import parse_datetime
from memory.errors import InvalidTime
from memory.hits import Budget, MinScores, Window
from memory.language.tokens import count_tokens
from memory.levels import FactType, Level
from memory.models import Bank
from memory.recall.request import Floor, Include, RecallRequest

MAX_QUERY_TOKENS: Final = 500
MAX_TOKENS: Final = 4096


def recall_request(bank: Bank, given: Mapping[str, Any]) -> RecallRequest | None:
    """None where the types that were asked for leave nothing to look for.

    Raises ``BadRequest`` for a query that is too long and a time that cannot be read, and
    ``InvalidTags``.
    """
    refuse_long(given["query"])
    config = bank_settings.resolved(bank)
    types = _types(given.get("types"))
    if not types:
        return None
    budget = Budget(given.get("budget") or Budget.MID)
    max_tokens = given["max_tokens"] if given.get("max_tokens") is not None else MAX_TOKENS
    prefers = given.get("prefer_observations")
    return RecallRequest(
        bank_id=bank.pk,
        query=given["query"],
        levels=_levels(given.get("levels"), types),
        types=types,
        tags=tag_scope(given),
        width=bank_config.width(config, budget, max_tokens=max_tokens),
        max_tokens=max(max_tokens, 0),
        floor=Floor.NONE if given.get("min_score") is None else given["min_score"],
        min_scores=MinScores(**(given.get("min_scores") or {})),
        asked_at=_asked_at(given.get("query_timestamp")),
        window=_window(given.get("temporal_window")),
        prefer_observations=config["recall_prefer_observations"] if prefers is None else prefers,
        include=_include(given.get("include")),
        trace=bool(given.get("trace")),
    )


def refuse_long(query: str) -> None:
    if count_tokens(query) > MAX_QUERY_TOKENS:
        raise BadRequest(f"The query is longer than {MAX_QUERY_TOKENS} tokens.")


def tag_scope(given: Mapping[str, Any]) -> tags.TagFilter | None:
    return tags.of_request(
        tags=given.get("tags"), match=given["tags_match"], tag_groups=given.get("tag_groups")
    )


def _types(given: list[str] | None) -> tuple[FactType, ...]:
    """All where none are named. ``opinion`` is a type of old, and of nothing."""
    if not given:
        return tuple(FactType)
    return tuple(FactType(one) for one in dict.fromkeys(given) if one != "opinion")


def _levels(given: list[str] | None, types: tuple[FactType, ...]) -> tuple[Level, ...]:
    """Without levels, those of the types."""
    wanted = map(Level, given) if given else (kind.level for kind in types)
    return tuple(dict.fromkeys(wanted))


def _asked_at(given: str | None) -> Any:
    if given is None:
        return None
    try:
        return parse_datetime(given)
    except InvalidTime as error:
        raise BadRequest(f"query_timestamp: {error}") from None


def _window(given: Mapping[str, Any] | None) -> Window | None:
    return Window(given["start"], given["end"]) if given is not None else None


def _include(given: Mapping[str, Any] | None) -> Include:
    """Entities come along unless they are refused by name."""
    given = given or {}
    chunks, facts = given.get("chunks"), given.get("source_facts")
    return Include(
        entities=given.get("entities", {}) is not None,
        chunks=max(chunks["max_tokens"], 0) if chunks is not None else None,
        source_facts=facts["max_tokens"] if facts is not None else None,
        per_observation=facts["max_tokens_per_observation"] if facts is not None else -1,
    )
