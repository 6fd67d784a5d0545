"""Tags of a bank, and the tag sets that its observations are kept under."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from django.db.models import Count, Q

from memory.browsing.filters import Page, page_of_list
from memory.levels import MEMORIES, Level
from memory.models import Bank, MentalModel, Node, NodeTag


@dataclass(frozen=True, slots=True)
class TagCount:
    tag: str
    count: int


@dataclass(frozen=True, slots=True)
class Scope:
    """One set of tags. The empty one is that of all."""

    tags: tuple[str, ...]
    count: int


def of_memories(bank: Bank, *, pattern: str, limit: int, offset: int) -> Page[TagCount]:
    """Most used first. ``pattern``: ``*`` stands for anything, case does not count."""
    rows = NodeTag.objects.filter(bank_id=bank.pk, node__level__in=MEMORIES)
    if pattern:
        rows = rows.filter(tag__iregex=_regex(pattern))
    counted = rows.order_by().values_list("tag").annotate(n=Count("pk")).order_by("-n", "tag")
    found = [TagCount(tag, number) for tag, number in counted[offset : offset + limit]]
    return Page(found, counted.count(), limit, offset)


def of_mental_models(bank: Bank, *, pattern: str, limit: int, offset: int) -> Page[TagCount]:
    own = MentalModel.objects.filter(bank_id=bank.pk).values_list("tags", flat=True)
    counts = Counter(tag for tags in own for tag in tags)
    wanted = re.compile(_regex(pattern), re.IGNORECASE) if pattern else None
    found = [
        TagCount(tag, number)
        for tag, number in sorted(counts.items(), key=lambda one: (-one[1], one[0]))
        if wanted is None or wanted.match(tag)
    ]
    return page_of_list(found, limit=limit, offset=offset)


def scopes_of_observations(bank: Bank, *, limit: int, offset: int) -> Page[Scope]:
    """Largest first."""
    current = Node.objects.filter(Q(superseded_at=None), bank_id=bank.pk, level=Level.L2)
    counts = Counter(
        tuple(sorted(tags)) for tags in current.values_list("tags", flat=True).iterator()
    )
    found = [
        Scope(tags, number)
        for tags, number in sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    ]
    return page_of_list(found, limit=limit, offset=offset)


def _regex(pattern: str) -> str:
    """The same in Python's and PostgreSQL's dialect: everything but the star stands for itself."""
    return "^" + ".*".join(_literal(part) for part in pattern.split("*")) + "$"


def _literal(text: str) -> str:
    return "".join(
        character if character.isalnum() or ord(character) > 127 else f"\\{character}"
        for character in text
    )
