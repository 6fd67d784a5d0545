"""How an ask ended, before and after it was written down. Frozen records, no queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.types import AnswerKind, Citation, Reason, Usage
from memory.verification.footnotes import NotedClaim


@dataclass(frozen=True, slots=True)
class ShownCitation:
    """A citation with what a reader needs to judge it. ``n`` is its footnote number."""

    n: int
    citation: Citation
    doc_title: str
    heading_path: tuple[str, ...]
    before: str
    after: str
    row: int | None = None  # of a table, from 1 below its header
    columns: tuple[str, ...] = ()  # of that row: their names, one for each cell

    def as_dict(self) -> dict[str, Any]:
        """The stored form, also the API's."""
        return {
            "n": self.n,
            "doc_id": str(self.citation.doc_id),
            "doc_title": self.doc_title,
            "revision": self.citation.revision,
            "chunk_id": str(self.citation.chunk_id),
            "char_start": self.citation.char_start,
            "char_end": self.citation.char_end,
            "quote": self.citation.quote,
            "snippet": self.citation.quote,
            "before": self.before,
            "after": self.after,
            "heading_path": list(self.heading_path),
            "row": self.row,
            "columns": list(self.columns),
        }


def claim_as_dict(noted: NotedClaim) -> dict[str, Any]:
    """The stored form of a claim, also the API's."""
    checks = noted.claim.checks
    return {
        "text": noted.claim.text,
        "citations": list(noted.numbers),
        "verdict": "supported" if noted.claim.supported else "unsupported",
        "checks": {
            name: getattr(checks, name).value
            for name in ("quote", "figures", "names", "negation", "judge")
        },
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the engine found. On a decline there are no claims, no citations and a reason."""

    kind: AnswerKind
    answer_text: str
    reason: Reason | None = None
    confidence: float | None = None
    claims: tuple[NotedClaim, ...] = ()
    citations: tuple[ShownCitation, ...] = ()
    missing: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    stale: bool = False
    degraded: tuple[str, ...] = ()
    doc_revision: int | None = None
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    context: Mapping[str, Any] = field(default_factory=dict)
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    failure: str = ""  # what of ours broke; recorded as kb.qa_failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """An ask as it is stored: what every surface renders."""

    question_id: UUID
    trace_id: str
    doc_id: UUID | None  # None: the whole knowledge base was asked
    question_text: str
    asked_by: UUID
    created_at: datetime
    kind: AnswerKind
    answer_text: str
    confidence: float | None
    reason: Reason | None
    citations: tuple[Mapping[str, Any], ...]
    claims: tuple[Mapping[str, Any], ...]
    missing: tuple[str, ...]
    unseen: tuple[str, ...]
    stale: bool
    degraded: tuple[str, ...]
    doc_revision: int | None
    model: str
    remaining: int | None = None  # asks left in the sliding day, on the reply to an ask
