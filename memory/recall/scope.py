"""Where one search looks: a level of a bank under every filter, as SQL.

The statement that finds candidates carries the whole condition, so that what a caller may not see
or did not ask for takes no candidate's place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet

from memory.arbitration import TAKEN_OUT
from memory.hits import Window
from memory.levels import FactType, Level
from memory.recall import tag_sql
from memory.tags import TagFilter

Params = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """One level, and of it the ``types`` (None: all). ``documents`` is a queryset of those that may
    be read, None where the bank is read as a whole. Fuzzy tags have been resolved.

    Facts that lost to newer ones are outside, unless ``superseded`` asks for all of them or they
    held at some time in ``valid_in``."""

    bank_id: UUID
    level: Level
    types: tuple[FactType, ...] | None = None
    tags: TagFilter | None = None
    documents: QuerySet[Any] | None = None
    superseded: bool = False
    valid_in: Window | None = None

    @property
    def is_whole(self) -> bool:
        """Every node of the level is inside, so that no node has to be looked at to tell."""
        return not self.is_narrow and not self._may_be_superseded

    @property
    def is_narrow(self) -> bool:
        """Any part of the level may be outside, not just the few facts that lost to newer ones."""
        return not (self.types is None and self.tags is None and self.documents is None)

    @property
    def is_of_type(self) -> bool:
        """Narrow by its types alone, which the nodes have an index for."""
        return self.types is not None and self.tags is None and self.documents is None

    @property
    def _may_be_superseded(self) -> bool:
        return self.level in (Level.L1, Level.L2)

    def condition(self) -> tuple[str, dict[str, Any]]:
        """Every filter, as a boolean expression on a row of memory_node that is called ``node``.

        Scopes of one request differ only in level and types, which are written into the statement:
        their parameters have the same names and the same values.
        """
        return self._with_filters(
            f"node.bank_id = %(scope_bank)s AND node.level = '{self.level.value}'"
        )

    def check(self) -> tuple[str, dict[str, Any]]:
        """The same for rows that are looked up by their id.

        Bank and level are compared in a way that no index answers. Before the tables' statistics
        are there, PostgreSQL takes (bank, level) to be as selective as an id, and would read the
        whole level for every row that it looks up.
        """
        return self._with_filters(
            "node.bank_id IS NOT DISTINCT FROM %(scope_bank)s"
            f" AND node.level IS NOT DISTINCT FROM '{self.level.value}'"
        )

    def _with_filters(self, place: str) -> tuple[str, dict[str, Any]]:
        parts = [place]
        params: dict[str, Any] = {"scope_bank": self.bank_id}
        if self.types is not None:
            listed = ", ".join(f"'{kind.value}'" for kind in self.types)
            parts.append(f"node.fact_type IN ({listed})" if listed else "FALSE")
        if self._may_be_superseded:
            parts.append(f"(node.superseded_at IS NULL{self._lost()})")
            if self.valid_in is not None:
                params |= {"scope_from": self.valid_in.start, "scope_to": self.valid_in.end}
        if self.tags is not None:
            sql, tag_params = tag_sql.condition(self.tags)
            parts.append(sql)
            params |= tag_params
        if self.documents is not None:
            parts.append(f"node.document_id IN ({documents_sql(self.documents)})")
        return " AND ".join(parts), params

    def _lost(self) -> str:
        """What was taken out by hand is superseded too, and trusted by nobody."""
        if self.superseded:
            return f" OR node.trust > {TAKEN_OUT}"
        if self.valid_in is None:
            return ""
        began = "least(node.occurred_start, node.mentioned_at)"  # of those that are known
        return (
            f" OR node.trust > {TAKEN_OUT} AND node.superseded_at > %(scope_from)s"
            f" AND coalesce({began} <= %(scope_to)s, TRUE)"
        )


def documents_sql(documents: QuerySet[Any]) -> str:
    """A subquery of ids with its own parameters bound, for a statement with named ones."""
    try:
        sql, params = documents.order_by().values("pk").query.sql_with_params()
    except EmptyResultSet:  # Django knows that none can match
        return "SELECT NULL::uuid WHERE FALSE"
    bound: str = connection.ops.compose_sql(sql, params)  # type: ignore[attr-defined]
    return bound.replace("%", "%%")


def uuid_array(ids: Iterable[UUID]) -> str:
    """PostgreSQL's text form, for a parameter cast to uuid[]: writing it element by element takes
    longer than some searches."""
    return "{" + ",".join(one.hex for one in ids) + "}"
