"""A caller's words made into a filter. What is not understood is refused, never passed over:
a filter with a misspelt key would otherwise show what it was meant to hide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from memory.errors import InvalidTags
from memory.language.text import clean_text
from memory.tags.expression import AllOf, AnyOf, Leaf, Not, TagFilter, TagMatch

MAX_TAGS: Final = 100  # of one leaf
MAX_TAG_LENGTH: Final = 200  # code points, of a stored tag too: the widest fits a b-tree entry
MAX_NODES: Final = 200  # of one expression
MAX_DEPTH: Final = 16

_LEAF_KEYS: Final = frozenset({"tags", "match", "resolve"})


def checked(tags: Iterable[Any] | None) -> tuple[str, ...]:
    """Distinct tags in the order given. Raises ``InvalidTags``."""
    if tags is None:
        return ()
    if isinstance(tags, str | bytes | Mapping) or not isinstance(tags, Iterable):
        raise InvalidTags("Tags must be a list of texts.")
    distinct = dict.fromkeys(_checked_tag(tag) for tag in tags)
    if len(distinct) > MAX_TAGS:
        raise InvalidTags(f"At most {MAX_TAGS} tags can be given together.")
    return tuple(distinct)


def _checked_tag(tag: Any) -> str:
    if not isinstance(tag, str):
        raise InvalidTags("Every tag must be a text.")
    if not tag.strip():
        raise InvalidTags("A tag must not be blank.")
    if len(tag) > MAX_TAG_LENGTH:
        raise InvalidTags(f"A tag has at most {MAX_TAG_LENGTH} characters.")
    if "\x00" in tag or any("\ud800" <= character <= "\udfff" for character in tag):
        raise InvalidTags("A tag has a character that cannot be stored.")
    return clean_text(tag)


def flat(tags: Iterable[Any] | None, match: Any = TagMatch.ANY) -> TagFilter | None:
    """One leaf, or None where that is no filter at all. ``exact`` without tags is one."""
    mode, distinct = _mode(match), checked(tags)
    return Leaf(distinct, mode) if distinct or mode is TagMatch.EXACT else None


def groups(given: Any) -> TagFilter | None:
    """The expression that a list of ``tag_groups`` spells. None and an empty list are no filter."""
    if given is None:
        return None
    if not _is_list(given):
        raise InvalidTags("tag_groups must be a list.")
    if not given:
        return None
    reader = _Reader()
    parts = tuple(reader.read(group, depth=1) for group in given)
    return parts[0] if len(parts) == 1 else AllOf(parts)


def of_request(
    *, tags: Iterable[Any] | None, match: Any = TagMatch.ANY, tag_groups: Any = None
) -> TagFilter | None:
    """The three fields of a request as one filter.

    Tags and groups exclude each other, but for ``exact``: it means the untagged ones where there
    are no tags, and groups then narrow that.
    """
    plain, grouped = flat(tags, match), groups(tag_groups)
    if plain is None or grouped is None:
        return plain or grouped
    if isinstance(plain, Leaf) and plain.tags:
        raise InvalidTags("Give either tags or tag_groups, not both.")
    return AllOf((plain, grouped))


class _Reader:
    """Reads one expression, counting its nodes."""

    def __init__(self) -> None:
        self._nodes = 0

    def read(self, given: Any, *, depth: int) -> TagFilter:
        if not isinstance(given, Mapping):
            raise InvalidTags("A tag group must be an object with tags, and, or, or not.")
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise InvalidTags(f"tag_groups may have at most {MAX_NODES} groups in all.")
        if depth > MAX_DEPTH:
            raise InvalidTags(f"tag_groups may be nested at most {MAX_DEPTH} deep.")
        keys = set(given)
        if keys == {"not"}:
            return Not(self.read(given["not"], depth=depth + 1))
        if keys == {"and"}:
            return AllOf(self._parts(given["and"], depth=depth))
        if keys == {"or"}:
            return AnyOf(self._parts(given["or"], depth=depth))
        return self._leaf(given, keys)

    def _parts(self, given: Any, *, depth: int) -> tuple[TagFilter, ...]:
        if not _is_list(given) or not given:
            raise InvalidTags("and and or take a list with at least one group.")
        return tuple(self.read(group, depth=depth + 1) for group in given)

    def _leaf(self, given: Mapping[Any, Any], keys: set[Any]) -> Leaf:
        unknown = keys - _LEAF_KEYS
        if unknown:
            named = ", ".join(sorted(str(key)[:40] for key in unknown))
            raise InvalidTags(f"A tag group does not know {named}, or not beside other keys.")
        if "tags" not in keys:
            raise InvalidTags("A tag group needs tags, and, or, or not.")
        resolve = given.get("resolve", "exact")
        if resolve not in ("exact", "fuzzy"):
            raise InvalidTags("resolve must be exact or fuzzy.")
        mode = _mode(given.get("match", TagMatch.ANY_STRICT))
        return Leaf(checked(given["tags"]), mode, fuzzy=resolve == "fuzzy")


def _mode(given: Any) -> TagMatch:
    try:
        return TagMatch(given)
    except ValueError:
        raise InvalidTags(f"A tag match must be one of {', '.join(TagMatch)}.") from None


def _is_list(given: Any) -> bool:
    return isinstance(given, Sequence) and not isinstance(given, str | bytes)
