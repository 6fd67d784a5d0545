"""Tags that are spelt nearly right, by trigrams as PostgreSQL's pg_trgm counts them.

The whole tag is compared, its ``namespace:`` included, so that ``user:alcie`` is near
``user:alice`` (0.467). Every mode keeps its meaning: only which tags a leaf names changes.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import prod
from typing import Final

from memory.errors import InvalidTags
from memory.tags.expression import AllOf, AnyOf, Leaf, Not, TagFilter, TagMatch

THRESHOLD: Final = 0.45
MAX_VOCABULARY: Final = 5000
MAX_SCOPES: Final = 32  # that one fuzzy leaf with exact match may stand for
MAX_FUZZY_TAGS: Final = 200  # of one expression: each is compared with the whole vocabulary

_WORDS = re.compile(r"[^\W_]+")


def similarity(a: str, b: str) -> float:
    """Shared trigrams over all trigrams, 0-1."""
    return _jaccard(trigrams(a), trigrams(b))


@lru_cache(maxsize=MAX_VOCABULARY)
def trigrams(text: str) -> frozenset[str]:
    """Of every alphanumeric word in lower case, with two spaces before it and one behind."""
    padded = (f"  {word} " for word in _WORDS.findall(text.lower()))
    return frozenset(word[at : at + 3] for word in padded for at in range(len(word) - 2))


def _jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared) if shared else 0.0


def resolve(expression: TagFilter, vocabulary: Sequence[str]) -> TagFilter:
    """Fuzzy leaves, also those under ``not``, with the bank's tags in place of their own.

    A tag that resembles none stays as it is and so matches nothing; it is never dropped. Raises
    ``InvalidTags`` where the bank has too many tags or a leaf stands for too many scopes.
    """
    tags = frozenset(vocabulary)
    if len(tags) > MAX_VOCABULARY:
        raise InvalidTags(
            f"A bank with more than {MAX_VOCABULARY} tags cannot be filtered fuzzily."
        )
    if _fuzzy_tags(expression) > MAX_FUZZY_TAGS:
        raise InvalidTags(f"At most {MAX_FUZZY_TAGS} tags can be matched fuzzily at once.")
    return _resolved(expression, _Vocabulary(tags))


def _fuzzy_tags(expression: TagFilter) -> int:
    match expression:
        case AllOf(parts) | AnyOf(parts):
            return sum(map(_fuzzy_tags, parts))
        case Not(part):
            return _fuzzy_tags(part)
        case Leaf(tags, _, fuzzy):
            return len(tags) if fuzzy else 0


def _resolved(expression: TagFilter, vocabulary: _Vocabulary) -> TagFilter:
    match expression:
        case AllOf(parts):
            return AllOf(tuple(_resolved(part, vocabulary) for part in parts))
        case AnyOf(parts):
            return AnyOf(tuple(_resolved(part, vocabulary) for part in parts))
        case Not(part):
            return Not(_resolved(part, vocabulary))
        case Leaf(tags, mode, True):
            return _expanded(mode, [vocabulary.near(tag) for tag in tags])
        case Leaf():
            return expression


def _expanded(mode: TagMatch, choices: list[tuple[str, ...]]) -> TagFilter:
    """``choices`` are, for each tag of the leaf, the tags that it may mean."""
    if not choices:
        return Leaf((), mode)
    match mode:
        case TagMatch.ANY | TagMatch.ANY_STRICT:
            return Leaf(tuple(dict.fromkeys(tag for some in choices for tag in some)), mode)
        case TagMatch.ALL | TagMatch.ALL_STRICT:
            one = TagMatch.ANY if mode is TagMatch.ALL else TagMatch.ANY_STRICT
            return AllOf(tuple(Leaf(some, one) for some in choices))
        case TagMatch.EXACT:
            return _scopes(choices)


def _scopes(choices: list[tuple[str, ...]]) -> TagFilter:
    if prod(map(len, choices)) > MAX_SCOPES:
        raise InvalidTags(
            f"A fuzzy tag group with exact match may stand for at most {MAX_SCOPES} sets of tags."
        )
    # Two tags of the leaf never mean the same one: the scope would be smaller than was asked for.
    scopes = {frozenset(scope) for scope in product(*choices)}
    whole = sorted(tuple(sorted(scope)) for scope in scopes if len(scope) == len(choices))
    return AnyOf(tuple(Leaf(scope, TagMatch.EXACT) for scope in whole))


class _Vocabulary:
    """A bank's tags by their trigrams, so that a look-up touches only tags that share one."""

    def __init__(self, tags: frozenset[str]) -> None:
        self._sizes: dict[str, int] = {}
        self._holders: defaultdict[str, list[str]] = defaultdict(list)
        self._folded: defaultdict[str, list[str]] = defaultdict(list)
        for tag in sorted(tags):
            grams = trigrams(tag)
            self._sizes[tag] = len(grams)
            self._folded[tag.casefold()].append(tag)
            for gram in grams:
                self._holders[gram].append(tag)

    def near(self, tag: str) -> tuple[str, ...]:
        """The tags that this one means, best first: itself in any case, else those that resemble it."""
        if same := self._folded.get(tag.casefold()):
            return tuple(same)
        wanted = trigrams(tag)
        shared = Counter(other for gram in wanted for other in self._holders.get(gram, ()))
        scored = [
            (count / (len(wanted) + self._sizes[other] - count), other)
            for other, count in shared.items()
        ]
        near = sorted((-score, other) for score, other in scored if score >= THRESHOLD)
        return tuple(other for _, other in near) or (tag,)
