"""The sets of tags inside which facts become observations. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final

from memory.retain.items import ObservationScopes, ScopeRule

TagSet = tuple[str, ...]  # sorted

_MOST_COMBINED: Final = 5  # tags whose every combination is a scope: 31 sets


def expand(rule: ObservationScopes, tags: Sequence[str]) -> frozenset[TagSet]:
    """The tag sets of a memory with ``tags``. Of more than five tags ``all_combinations`` takes the
    single ones and all together."""
    own = tuple(sorted(set(tags)))
    if not isinstance(rule, ScopeRule):
        return frozenset(tuple(sorted(set(scope))) for scope in rule)
    if rule is ScopeRule.SHARED:
        return frozenset({()})
    if rule is ScopeRule.COMBINED or not own:
        return frozenset({own})
    single = {(tag,) for tag in own}
    if rule is ScopeRule.PER_TAG:
        return frozenset(single)
    if len(own) > _MOST_COMBINED:
        return frozenset(single | {own})
    return frozenset(
        chosen for size in range(1, len(own) + 1) for chosen in combinations(own, size)
    )


def to_json(rule: ObservationScopes) -> Any:
    return rule.value if isinstance(rule, ScopeRule) else [list(scope) for scope in rule]


def from_json(stored: Any) -> ObservationScopes:
    if isinstance(stored, str):
        return ScopeRule(stored)
    return tuple(tuple(scope) for scope in stored)
