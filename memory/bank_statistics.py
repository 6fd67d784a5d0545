"""What a bank holds, in numbers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Q

from memory.backends import registry
from memory.levels import Level
from memory.models import Bank, Corpus, Document, Edge, Entity, Node, Operation, Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class BankStatistics:
    """Counts of one bank. Levels, types and statuses that have no rows are absent.

    ``documents`` are retained ones; those of a corpus are counted with it. ``vectors_missing`` are
    nodes without a vector of the encoder that is set: semantic recall does not see them yet.
    """

    nodes_by_level: Mapping[str, int]
    facts_by_type: Mapping[str, int]
    superseded: int
    edges_by_type: Mapping[str, int]
    entities: int
    documents: int
    corpora: Mapping[str, int]  # sections by name
    recipe: str
    vectors_missing: int
    operations_by_status: Mapping[str, int]
    consolidated_at: datetime | None

    @property
    def nodes(self) -> int:
        return sum(self.nodes_by_level.values())

    def as_json(self) -> dict[str, Any]:
        at = self.consolidated_at
        return asdict(self) | {
            "nodes": self.nodes,
            "consolidated_at": at.isoformat() if at else None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class BankSummary:
    """A line about a bank. ``memories`` are facts and observations; ``written_at`` is when a
    document or a corpus last changed, or the bank itself where it has none."""

    name: str
    access: str
    memories: int
    passages: int
    references: int
    written_at: datetime
    updated_at: datetime


def summaries(banks: Iterable[Bank]) -> list[BankSummary]:
    """In the order given. Two statements, whatever their number."""
    found = list(banks)
    ids = [bank.pk for bank in found]
    levels: dict[UUID, Counter[str]] = defaultdict(Counter)
    nodes = Node.objects.filter(bank_id__in=ids).order_by().values_list("bank_id", "level")
    for bank_id, level, number in nodes.annotate(number=Count("pk")):
        levels[bank_id][level] = number
    documents = Document.objects.filter(bank_id__in=ids).order_by().values_list("bank_id")
    written = dict(documents.annotate(at=Max("updated_at")))
    return [
        BankSummary(
            name=bank.name,
            access=bank.access,
            memories=levels[bank.pk][Level.L1] + levels[bank.pk][Level.L2],
            passages=levels[bank.pk][Level.L0],
            references=levels[bank.pk][Level.R],
            written_at=written.get(bank.pk, bank.updated_at),
            updated_at=bank.updated_at,
        )
        for bank in found
    ]


def statistics(bank: Bank) -> BankStatistics:
    """Eight counts. Loads the encoder, whose recipe says which vectors count."""
    recipe = registry.encoder().recipe
    nodes = Node.objects.filter(bank_id=bank.pk)
    by_level = _counts(nodes, "level")
    vectors = Vector.objects.filter(bank_id=bank.pk, recipe=recipe.name).count()
    return BankStatistics(
        nodes_by_level=by_level,
        facts_by_type=_counts(nodes.exclude(fact_type=""), "fact_type"),
        superseded=nodes.filter(superseded_at__isnull=False).count(),
        edges_by_type=_counts(Edge.objects.filter(bank_id=bank.pk), "type"),
        entities=Entity.objects.filter(bank_id=bank.pk).count(),
        documents=Document.objects.filter(Q(corpus=None), bank_id=bank.pk).count(),
        corpora=dict(
            Corpus.objects.filter(bank_id=bank.pk).order_by("name").values_list("name", "sections")
        ),
        recipe=recipe.name,
        vectors_missing=max(0, sum(by_level.values()) - vectors),
        operations_by_status=_counts(Operation.objects.filter(bank_id=bank.pk), "status"),
        consolidated_at=bank.consolidated_at,
    )


def _counts(rows: Any, field: str) -> dict[str, int]:
    found = rows.order_by(field).values_list(field).annotate(number=Count("pk"))
    return {str(value): number for value, number in found}
