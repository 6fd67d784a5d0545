"""Filters by tag: what a caller may say, what it means, and tags that are spelt nearly right.

A filter is an immutable expression. ``matches`` here and ``memory.recall.tag_sql`` give it the same
meaning, in Python and in SQL.
"""

from memory.tags.expression import (
    AllOf,
    AnyOf,
    Leaf,
    Not,
    TagFilter,
    TagMatch,
    describe,
    has_fuzzy,
    matches,
)
from memory.tags.fuzzy import resolve, similarity
from memory.tags.reading import MAX_TAG_LENGTH, checked, flat, groups, of_request

__all__ = [
    "MAX_TAG_LENGTH",
    "AllOf",
    "AnyOf",
    "Leaf",
    "Not",
    "TagFilter",
    "TagMatch",
    "checked",
    "describe",
    "flat",
    "groups",
    "has_fuzzy",
    "matches",
    "of_request",
    "resolve",
    "similarity",
]
