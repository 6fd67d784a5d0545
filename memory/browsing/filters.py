"""Tag filters on querysets of nodes, and what all lists are paged by."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet

from memory import tags
from memory.models import Bank, Node, NodeTag
from memory.recall import tag_sql
from memory.tags import TagFilter

_NAMED = re.compile(r"%\((\w+)\)s")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Page(Generic[_T]):
    """``total`` counts all that the filters let through, not the page alone."""

    items: Sequence[_T]
    total: int
    limit: int
    offset: int


def page_of(rows: QuerySet, *, limit: int, offset: int) -> Page[Any]:
    """Two queries."""
    return Page(list(rows[offset : offset + limit]), rows.count(), limit, offset)


def page_of_list(rows: Sequence[_T], *, limit: int, offset: int) -> Page[_T]:
    return Page(rows[offset : offset + limit], len(rows), limit, offset)


def tag_filter(
    bank: Bank, *, given: Iterable[Any] | None, match: Any = "any", groups: Any = None
) -> TagFilter | None:
    """What a caller says about tags, with fuzzy ones resolved in the bank. Raises ``InvalidTags``."""
    wanted = tags.of_request(tags=given, match=match, tag_groups=groups)
    if wanted is not None and tags.has_fuzzy(wanted):
        return tags.resolve(wanted, vocabulary(bank))
    return wanted


def vocabulary(bank: Bank) -> list[str]:
    """The bank's distinct tags; one more than a fuzzy filter allows, where there are too many."""
    rows = NodeTag.objects.filter(bank_id=bank.pk).order_by("tag").values_list("tag", flat=True)
    return list(rows.distinct()[: tags.fuzzy.MAX_VOCABULARY + 1])


def tagged(nodes: QuerySet[Node], wanted: TagFilter | None) -> QuerySet[Node]:
    """The nodes that pass. The queryset must be one of ``Node`` itself, without an alias."""
    if wanted is None:
        return nodes
    condition, named = tag_sql.condition(wanted, node=Node._meta.db_table)
    params: list[Any] = []

    def positional(match: re.Match[str]) -> str:
        params.append(named[match[1]])
        return "%s"

    return nodes.extra(where=[_NAMED.sub(positional, condition)], params=params)
