"""Entities around a recall: those that a query names, and those that hits mention."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from django.db import connection

from memory import tenancy
from memory.facts.resolution import folded
from memory.hits import EntityRef
from memory.language.analysis import tokenise
from memory.models import NodeEntity
from memory.recall.speakers import without_possessive

_MOST_WORDS: Final = 5  # of one name
_MOST_NAMES: Final = 400
_UNSPACED_RUN: Final = (2, 8)  # letters of a name in a script without spaces

_NAMED: Final = """
SELECT id FROM memory_entity
WHERE tenant_id = %(tenant)s AND bank_id = %(bank)s AND folded = ANY(%(names)s::text[])
ORDER BY folded
"""


def named_in(bank_id: UUID, query: str) -> list[UUID]:
    """Entities of the bank whose name stands in the query, in any case and accent."""
    names = candidates(query)
    if not names:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_NAMED, {"tenant": tenancy.require(), "bank": bank_id, "names": names})
        return [entity_id for (entity_id,) in cursor.fetchall()]


def candidates(query: str) -> list[str]:
    """Everything in a query that could be a name, folded: runs of up to five words, and pieces of
    words in scripts that put no spaces between them."""
    tokens = tokenise(query)
    found: dict[str, None] = {}
    for first, token in enumerate(tokens):
        for last in tokens[first : first + _MOST_WORDS]:
            written = query[token.start : last.end]
            found[without_possessive(folded(written))] = None
        if not token.text.isascii():
            low, high = _UNSPACED_RUN
            for start in range(len(token.folded)):
                for size in range(low, min(high, len(token.folded) - start) + 1):
                    found[token.folded[start : start + size]] = None
    return list(found)[:_MOST_NAMES]


def of_nodes(node_ids: Sequence[UUID]) -> dict[UUID, list[EntityRef]]:
    """The entities that each node mentions, by name."""
    mentioned: dict[UUID, list[EntityRef]] = defaultdict(list)
    rows = (
        NodeEntity.objects.filter(node_id__in=node_ids)
        .order_by("entity__name", "entity_id")
        .values_list("node_id", "entity_id", "entity__name")
    )
    for node_id, entity_id, name in rows:
        mentioned[node_id].append(EntityRef(entity_id, name))
    return mentioned
