"""Reading what was found: everything that a hit shows, in one statement."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet
from psycopg.types.datetime import TimestamptzLoader

from memory.levels import FactType, Level
from memory.recall.encoding import Encoded
from memory.recall.scope import documents_sql, uuid_array
from memory.scoring import Times
from memory.vectors import as_literal

# The cosine of every candidate, also of those that the semantic arm did not find.
_ROWS = """
SELECT node.id, node.sha, node.level, node.fact_type, node.text, node.lead,
    nullif(node.heading_path, '{{}}'), node.speaker, node.source_uri, node.context,
    nullif(node.metadata, '{{}}'), nullif(node.tags, '{{}}'),
    node.occurred_start, node.occurred_end, node.mentioned_at, node.superseded_at,
    node.trust, node.proof_count, node.document_id, document.name, node.chunk_id,
    CASE WHEN node.level = 'L0' THEN node.ordinal ELSE chunk.ordinal END,
    node.ordinal, node.char_start, node.char_end,
    1 - (vector.embedding <=> %(vector)s::halfvec), node.number
FROM memory_node node
LEFT JOIN memory_document document
  ON document.tenant_id = node.tenant_id AND document.id = node.document_id
LEFT JOIN memory_node chunk
  ON chunk.tenant_id = node.tenant_id AND chunk.id = node.chunk_id AND chunk.level = 'L0'
LEFT JOIN memory_vector vector
  ON vector.tenant_id = node.tenant_id AND vector.node_id = node.id
  AND vector.recipe = %(recipe)s
WHERE node.id = ANY(%(nodes)s::uuid[]) AND {readable}
"""


@dataclass(frozen=True, slots=True)
class Row:
    """A node as it is stored. ``chunk_index`` is that of the raw passage it came from; ``cosine``
    is None where its vector is not there, ``number`` its name in the keyword index."""

    id: UUID
    sha: str
    level: Level
    fact_type: FactType | None
    text: str
    lead: str
    heading_path: tuple[str, ...]
    speaker: str
    source_uri: str
    context: str
    metadata: Mapping[str, str]
    tags: tuple[str, ...]
    occurred_start: datetime | None
    occurred_end: datetime | None
    mentioned_at: datetime | None
    superseded_at: datetime | None
    trust: float
    proof_count: int
    document_id: UUID | None
    document_name: str | None
    chunk_id: UUID | None
    chunk_index: int | None
    ordinal: int | None
    char_start: int
    char_end: int
    cosine: float | None
    number: int

    @property
    def times(self) -> Times:
        return Times(self.occurred_start, self.occurred_end, self.mentioned_at)

    @property
    def shown(self) -> str:
        """What a reranker reads: what was indexed."""
        above = (self.lead, *self.heading_path) if self.lead else self.heading_path
        return "\n".join((*above, self.text))


def fetch(
    node_ids: Sequence[UUID],
    encoded: Encoded | None = None,
    *,
    documents: QuerySet[Any] | None = None,
) -> dict[UUID, Row]:
    """Those that are still there and may be read."""
    if not node_ids:
        return {}
    readable = "TRUE"
    if documents is not None:
        readable = f"node.document_id IN ({documents_sql(documents)})"
    vector = encoded.vector if encoded else None
    params = {
        "nodes": uuid_array(node_ids),
        "vector": None if vector is None else as_literal(vector),
        "recipe": encoded.recipe_name if encoded else "",
    }
    with connection.cursor() as cursor:
        # The driver's own in place of Django's, which takes as long as all other columns together.
        cursor.adapters.register_loader("timestamptz", TimestamptzLoader)
        cursor.execute(_ROWS.format(readable=readable), params)
        return {row[0]: _row(*row) for row in cursor.fetchall()}


def _row(*values: Any) -> Row:
    node_id, sha, level, fact_type, text, lead, path, speaker, uri, context, data, tags, *rest = (
        values
    )
    kind = FactType(fact_type) if fact_type else None
    # Most rows have none of these, and reading what is empty takes longest.
    path, tags = tuple(path or ()), tuple(tags or ())
    metadata = json.loads(data) if data else {}
    above = (text, lead, path, speaker, uri, context, metadata, tags)
    return Row(node_id, sha, Level(level), kind, *above, *rest)
