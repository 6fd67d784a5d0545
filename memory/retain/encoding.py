"""Vectors of what a plan adds: each text once, and only those that the tenant has not yet."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from uuid import UUID

import numpy as np
from django.db import connection

from memory import tenancy, vectors
from memory.models import Node
from memory.seams import Encoder

_BATCH = 64

_KNOWN = """
    SELECT given.sha FROM unnest(%(shas)s::text[]) AS given (sha)
    WHERE EXISTS (
        SELECT 1 FROM memory_node node
        JOIN memory_vector vector
          ON vector.tenant_id = node.tenant_id AND vector.node_id = node.id
         AND vector.recipe = %(recipe)s
        WHERE node.tenant_id = %(tenant)s AND node.sha = given.sha
          AND node.id <> ALL(%(leaving)s::uuid[])
    )
"""


class Encoding:
    """What was encoded for one call, by the hash of what is indexed. Kept over its attempts."""

    def __init__(self, tenant_id: UUID, encoder: Encoder) -> None:
        self._tenant_id, self._encoder = tenant_id, encoder
        self.recipe = encoder.recipe
        self.rows: dict[str, np.ndarray] = {}

    def add(
        self, nodes: Iterable[Node], *, reuse: bool = True, leaving: Collection[UUID] = ()
    ) -> None:
        """Encode what has no vector. The encoder runs in no transaction of this function's.

        ``leaving`` are nodes that go before these are written: their vectors go with them.
        """
        texts = {
            node.sha: vectors.encoded_text(node) for node in nodes if node.sha not in self.rows
        }
        for sha in self._stored(list(texts), leaving) if reuse else ():
            del texts[sha]
        shas = sorted(texts, key=lambda sha: len(texts[sha]))  # a batch is as long as its longest
        for at in range(0, len(shas), _BATCH):
            batch = shas[at : at + _BATCH]
            rows = self._encoder.encode_passages([texts[sha] for sha in batch])
            self.rows |= zip(batch, vectors.checked(rows, len(batch), self.recipe), strict=True)

    def _stored(self, shas: list[str], leaving: Collection[UUID]) -> list[str]:
        if not shas:
            return []
        with tenancy.scope(self._tenant_id), connection.cursor() as cursor:
            cursor.execute(
                _KNOWN,
                {
                    "shas": shas,
                    "leaving": list(leaving),
                    "recipe": self.recipe.name,
                    "tenant": self._tenant_id,
                },
            )
            return [sha for (sha,) in cursor.fetchall()]
