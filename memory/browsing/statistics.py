"""Figures of a bank: what it holds, what is under way, and how it grew."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Count, Exists, Max, OuterRef
from django.db.models.functions import Trunc
from django.utils import timezone

from memory.browsing.documents import documents_of
from memory.browsing.memories import TimeField, memories_of
from memory.levels import EdgeType, FactType, Level
from memory.models import Bank, Edge, Node, Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class BankFigures:
    """Memories are facts and observations. A link counts for the type of the memory it starts from."""

    memories_by_type: Mapping[str, int]
    links: Mapping[str, Mapping[str, int]]  # by type of memory, then by type of link
    documents: int
    operations_by_status: Mapping[str, int]
    waiting: int  # facts that no consolidation has looked at yet
    written_at: datetime | None
    consolidated_at: datetime | None

    @property
    def links_by_type(self) -> dict[str, int]:
        found: dict[str, int] = defaultdict(int)
        for counts in self.links.values():
            for kind, number in counts.items():
                found[kind] += number
        return dict(found)


class Period(StrEnum):
    HOUR = "1h"
    HALF_DAY = "12h"
    DAY = "1d"
    WEEK = "7d"
    MONTH = "30d"
    QUARTER = "90d"
    YEAR = "365d"

    @property
    def length(self) -> timedelta:
        number, unit = int(self.value[:-1]), self.value[-1]
        return timedelta(hours=number) if unit == "h" else timedelta(days=number)

    @property
    def bucket(self) -> str:
        """The unit that its figures are counted in."""
        if self.length <= timedelta(hours=1):
            return "minute"
        return "hour" if self.length <= timedelta(days=1) else "day"


def figures(bank: Bank) -> BankFigures:
    memories = memories_of(bank)
    derived = Edge.objects.filter(parent_id=OuterRef("pk"), type=EdgeType.DERIVED_FROM)
    waiting = memories.filter(~Exists(derived), level=Level.L1, superseded_at=None)
    if bank.consolidated_at is not None:  # what was looked at may have nothing to be folded with
        waiting = waiting.filter(created_at__gt=bank.consolidated_at)
    statuses = Operation.objects.filter(bank_id=bank.pk).order_by()
    return BankFigures(
        memories_by_type=dict(memories.order_by().values_list("fact_type").annotate(n=Count("pk"))),
        links=_links(bank),
        documents=documents_of(bank).count(),
        operations_by_status=dict(statuses.values_list("status").annotate(n=Count("pk"))),
        waiting=waiting.count(),
        written_at=memories.aggregate(at=Max("updated_at"))["at"],
        consolidated_at=bank.consolidated_at,
    )


def _links(bank: Bank) -> Mapping[str, Mapping[str, int]]:
    found: dict[str, dict[str, int]] = defaultdict(dict)
    edges = Edge.objects.filter(bank_id=bank.pk).exclude(child__fact_type="").order_by()
    for fact_type, kind, number in edges.values_list("child__fact_type", "type").annotate(
        n=Count("pk")
    ):
        found[fact_type][kind] = number
    return found


def growth(
    bank: Bank, period: Period, time_field: TimeField
) -> Sequence[tuple[datetime, Mapping[str, int]]]:
    """Memories by type for each bucket of the period that has any, oldest first."""
    since = timezone.now() - period.length
    counted = (
        Node.objects.filter(
            bank_id=bank.pk, fact_type__in=list(FactType), **{f"{time_field}__gte": since}
        )
        .annotate(bucket=Trunc(time_field, period.bucket))
        .order_by()
        .values_list("bucket", "fact_type")
        .annotate(n=Count("pk"))
    )
    found: dict[datetime, dict[str, int]] = defaultdict(dict)
    for bucket, fact_type, number in counted:
        found[bucket][fact_type] = number
    return sorted(found.items())
