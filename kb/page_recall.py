"""Recall over pages: the core, on the tenant's reserved bank, among the pages that a caller names.

The pages are a queryset, the reader's rights in it. It becomes part of the SQL that finds
candidates, so that a page which the reader may not see is none and changes no score.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from kb.models import Doc
from memory import banks, tenancy
from memory.hits import Arm, Recalled
from memory.levels import Level
from memory.models import Node
from memory.recall import engine
from memory.recall.encoding import Encoded
from memory.recall.request import Floor, RecallRequest

_CANDIDATES = 10  # for each hit that is wanted, counted after the filters
_ARMS = frozenset((Arm.SEMANTIC, Arm.KEYWORD))  # sections have no edges and no times


@dataclass(frozen=True, slots=True, kw_only=True)
class PageQuery:
    """The ``k`` best passages, ``per_document`` of one page at most."""

    text: str
    encoded: Encoded
    documents: QuerySet[Doc]
    k: int
    per_document: int
    floor: float | Floor = Floor.NONE

    def on(self, bank_id: UUID) -> RecallRequest:
        return RecallRequest(
            bank_id=bank_id,
            query=self.text,
            levels=(Level.R,),
            width=_CANDIDATES * self.k,
            k=self.k,
            per_document=self.per_document,
            floor=self.floor,
            arms=_ARMS,
            documents=self.documents,
        )


def recall(query: PageQuery) -> Recalled:
    """Needs a scope."""
    return engine.recall(query.on(banks.pages_bank().pk), encoded=query.encoded)


def recall_as(tenant_id: UUID, query: PageQuery) -> Recalled:
    """The same for callers that hold no scope: none is held while a reranker thinks."""
    with tenancy.scope(tenant_id):
        bank_id = banks.pages_bank().pk
    return engine.recall_as(tenant_id, query.on(bank_id), encoded=query.encoded)


def chunk_ids(node_ids: Iterable[UUID]) -> dict[UUID, UUID]:
    """The chunk of each node. One query."""
    rows = Node.objects.filter(pk__in=list(node_ids)).values_list("pk", "chunk_id")
    return {node_id: chunk_id for node_id, chunk_id in rows if chunk_id is not None}
