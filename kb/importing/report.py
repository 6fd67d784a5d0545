"""What became of each file of an import. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Outcome(StrEnum):
    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REFUSED = "refused"  # a page that is not this file's to change
    FAILED = "failed"
    SKIPPED = "skipped"  # neither a page nor an image of one


@dataclass(frozen=True, slots=True)
class FileReport:
    path: str
    outcome: Outcome
    reason: str = ""  # for people; empty where a page was written or kept
    slug: str = ""

    def as_json(self) -> dict[str, str]:
        return {
            "path": self.path,
            "outcome": self.outcome.value,
            "reason": self.reason,
            "slug": self.slug,
        }


def counts(reports: Iterable[FileReport] | Iterable[dict[str, Any]]) -> dict[str, int]:
    """How many files had each outcome, every outcome named."""
    found = Counter(
        report["outcome"] if isinstance(report, dict) else report.outcome.value
        for report in reports
    )
    return {outcome.value: found[outcome.value] for outcome in Outcome}
