"""The expression that a tag filter is, and what it means for the tags of one memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class TagMatch(StrEnum):
    """How a leaf's tags are compared with a memory's."""

    ANY = "any"  # one of them, or the memory has no tags
    ANY_STRICT = "any_strict"  # one of them
    ALL = "all"  # every one, or the memory has no tags
    ALL_STRICT = "all_strict"  # every one
    EXACT = "exact"  # these and no others

    @property
    def admits_untagged(self) -> bool:
        return self in (TagMatch.ANY, TagMatch.ALL)


@dataclass(frozen=True, slots=True)
class Leaf:
    """Distinct tags and how they are compared.

    Without tags, ``exact`` asks for memories that have none and every other mode for all memories.
    A ``fuzzy`` leaf means the bank's tags that resemble its own; ``fuzzy.resolve`` puts them in.
    """

    tags: tuple[str, ...]
    match: TagMatch = TagMatch.ANY_STRICT
    fuzzy: bool = False


@dataclass(frozen=True, slots=True)
class AllOf:
    parts: tuple[TagFilter, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Without parts it matches nothing."""

    parts: tuple[TagFilter, ...]


@dataclass(frozen=True, slots=True)
class Not:
    part: TagFilter


TagFilter: TypeAlias = Leaf | AllOf | AnyOf | Not


def matches(expression: TagFilter, tags: Iterable[str] | None) -> bool:
    """Whether a memory with these tags passes. None and no tags are the same."""
    return _holds(expression, frozenset(tags or ()))


def _holds(expression: TagFilter, tags: frozenset[str]) -> bool:
    match expression:
        case AllOf(parts):
            return all(_holds(part, tags) for part in parts)
        case AnyOf(parts):
            return any(_holds(part, tags) for part in parts)
        case Not(part):
            return not _holds(part, tags)
        case Leaf():
            return _leaf_holds(expression, tags)


def _leaf_holds(leaf: Leaf, tags: frozenset[str]) -> bool:
    wanted = frozenset(leaf.tags)
    if leaf.match is TagMatch.EXACT:
        return wanted == tags
    if not wanted or (not tags and leaf.match.admits_untagged):
        return True
    if leaf.match in (TagMatch.ALL, TagMatch.ALL_STRICT):
        return wanted <= tags
    return not wanted.isdisjoint(tags)


def has_fuzzy(expression: TagFilter) -> bool:
    """Whether the bank's tags are needed before the filter can be used."""
    match expression:
        case AllOf(parts) | AnyOf(parts):
            return any(has_fuzzy(part) for part in parts)
        case Not(part):
            return has_fuzzy(part)
        case Leaf():
            return expression.fuzzy


def describe(expression: TagFilter) -> str:
    """One line for people and traces, such as ``all_strict(user:alice) and not any_strict(old)``."""
    match expression:
        case AllOf(parts):
            return _joined(parts, " and ") or "everything"
        case AnyOf(parts):
            return _joined(parts, " or ") or "nothing"
        case Not(part):
            return f"not {_in_brackets(part)}"
        case Leaf(tags, mode, fuzzy):
            return f"{mode}{'~' if fuzzy else ''}({', '.join(tags)})"


def _joined(parts: tuple[TagFilter, ...], word: str) -> str:
    return word.join(_in_brackets(part) for part in parts)


def _in_brackets(part: TagFilter) -> str:
    text = describe(part)
    return f"({text})" if isinstance(part, AllOf | AnyOf) and len(part.parts) > 1 else text
