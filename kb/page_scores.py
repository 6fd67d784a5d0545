"""How near each chunk of one page is to a question. All of a page is read, so nothing is searched."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

import numpy as np
from django.db import connection

from memory import keywords, postings
from memory.levels import Level
from memory.models import Node
from memory.recall.encoding import Encoded
from memory.vectors import as_literal

_SEMANTIC = """
SELECT node.chunk_id, 1 - (vector.embedding <=> %s::halfvec)
FROM memory_node node
LEFT JOIN memory_vector vector
  ON vector.tenant_id = node.tenant_id AND vector.node_id = node.id AND vector.recipe = %s
WHERE node.document_id = %s
"""


def semantic(encoded: Encoded, *, document_id: UUID) -> dict[UUID, float | None]:
    """The cosine of every live chunk, None where its vector is not there yet. Nothing without a vector
    of the question."""
    if encoded.vector is None:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_SEMANTIC, [as_literal(encoded.vector), encoded.recipe_name, document_id])
        return dict(cursor.fetchall())


def keyword(terms: Sequence[str], *, document_id: UUID) -> dict[UUID, float]:
    """How much of the question's rarity each chunk holds. Chunks without a hit are absent."""
    rows = Node.objects.filter(document_id=document_id).values_list("number", "chunk_id", "bank_id")
    chunks = {number: chunk_id for number, chunk_id, _ in rows if chunk_id is not None}
    scores: dict[UUID, float] = defaultdict(float)
    for bank_id in {bank_id for _, _, bank_id in rows}:
        found = keywords.read(bank_id, Level.R, terms)
        own = postings.within(found.postings, np.array(list(chunks)))
        for holders in own.values():
            for number in holders["number"].tolist():
                scores[chunks[number]] += 1.0 / len(holders)
    return dict(scores)
