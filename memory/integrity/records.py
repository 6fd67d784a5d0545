"""What a check says, and how its statements are run.

A statement gives rows of (reason, child's sha, parent's sha or NULL, detail, number of all its rows),
the first ``most`` of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db import connection

from memory import tenancy

MOST_TOLD = 1_000  # rows of one kind of fault; they are counted all the same


class Check(StrEnum):
    EDGES = "edges"
    VECTORS = "vectors"
    KEYWORDS = "keywords"
    CHUNKS = "chunks"
    OBSERVATIONS = "observations"


@dataclass(frozen=True, slots=True)
class Fault:
    """One row that should not be. ``pair`` holds full shas (child, parent), or the node's alone."""

    check: Check
    reason: str
    pair: tuple[str, ...]
    detail: str = ""

    def __str__(self) -> str:
        detail = f" ({self.detail})" if self.detail else ""
        return f"{' → '.join(sha[:12] for sha in self.pair)}: {self.reason}{detail}"


@dataclass(frozen=True, slots=True)
class Verified:
    """The end of one check. ``found`` counts faults, of which ``faults`` tells the first."""

    check: Check
    rows: int
    found: int
    faults: tuple[Fault, ...]


def judge(
    check: Check, statements: Sequence[str], bank_ids: Sequence[UUID], *, count: str, **about: Any
) -> Verified:
    """All that the statements find. ``count`` is the statement that counts what they look at."""
    faults: list[Fault] = []
    found = 0
    for statement in statements:
        rows = select(statement, bank_ids, most=MOST_TOLD, **about)
        found += rows[0][-1] if rows else 0
        faults += (
            Fault(check, reason, (child,) if parent is None else (child, parent), detail)
            for reason, child, parent, detail, _ in rows
        )
    return Verified(check, int(select(count, bank_ids, **about)[0][0]), found, tuple(faults))


def select(statement: str, bank_ids: Sequence[UUID], **about: Any) -> list[tuple]:
    with connection.cursor() as cursor:
        cursor.execute(statement, {"tenant": tenancy.require(), "banks": list(bank_ids), **about})
        return cursor.fetchall()
