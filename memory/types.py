"""Records that travel between the stages. Pure: no Django, no network.

The name says how far a thing can be trusted: a *candidate* was found, a *passage* may be read by
this reader, a *citation* was found word for word at its place in the stored revision.
Offsets are half-open and count Unicode code points.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_HEADER = "table_header"
    TABLE_ROW = "table_row"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a page: ``text[start:end]`` is its visible text, without the break after it."""

    kind: BlockKind
    start: int
    end: int
    level: int = 0  # heading level 1-6, list depth from 1, else 0
    header: tuple[int, int] | None = None  # for a table row: the span of its header row


@dataclass(frozen=True, slots=True)
class ChunkSpan:
    """A piece of a page. ``text[char_start:char_end]`` is the chunk's text, nothing else."""

    ordinal: int
    char_start: int
    char_end: int
    heading_path: tuple[str, ...]
    kind: BlockKind  # of the first block that is not a heading
    token_count: int  # cl100k_base, of the chunk's own text
    header: tuple[int, int] | None = None  # header row that a model is shown above this chunk


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk that this reader may read, as it is offered to a generator and a judge."""

    number: int  # from 1, the [n] of the prompt
    doc_id: UUID
    doc_title: str
    revision: int
    chunk_id: UUID
    text: str
    char_start: int  # of the chunk in the revision's text
    heading_path: tuple[str, ...] = ()
    header: str = ""  # column names, shown above the text, never counted in offsets
    language: str = ""
    is_home: bool = True  # from the asked page itself; False for a page one link away
    semantic: float | None = None  # cosine of its stored vector and the question
    speaker: str = ""  # who says all of it, where that is known

    def follows(self, other: Passage) -> bool:
        """It begins where the other one ends, but for a space or a line end or two."""
        gap = self.char_start - other.char_start - len(other.text)
        return self.doc_id == other.doc_id and 0 <= gap <= 2 and self != other


@dataclass(frozen=True, slots=True)
class DraftSpan:
    """Where a draft says its evidence is. Nothing here is verified.

    ``char_start`` and ``char_end`` are relative to the passage's text; -1 when not stated.
    """

    passage: int
    char_start: int = -1
    char_end: int = -1
    quote: str | None = None


@dataclass(frozen=True, slots=True)
class DraftClaim:
    text: str
    spans: tuple[DraftSpan, ...]


@dataclass(frozen=True, slots=True)
class Usage:
    """What a model call cost. Zero for embedded generators."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    calls: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cost_usd + other.cost_usd,
            self.calls + other.calls,
        )


@dataclass(frozen=True, slots=True)
class Draft:
    """A generator's proposal: claims with the places that should carry them.

    ``confidence`` is the model's own statement, None when it states none by design.
    No claims means that the generator found nothing to say.
    ``missing`` are the question's own words that the draft could not meet.
    """

    claims: tuple[DraftClaim, ...] = ()
    confidence: float | None = None
    missing: tuple[str, ...] = ()
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class Citation:
    """A quote that our code found at its place: ``revision.text[char_start:char_end] == quote``."""

    doc_id: UUID
    revision: int
    chunk_id: UUID
    char_start: int
    char_end: int
    quote: str


class Check(StrEnum):
    """One check of a claim against its cited words."""

    OK = "ok"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class ClaimChecks:
    quote: Check = Check.SKIPPED
    figures: Check = Check.SKIPPED
    names: Check = Check.SKIPPED
    negation: Check = Check.SKIPPED
    judge: Check = Check.SKIPPED

    @property
    def passed(self) -> bool:
        return self.quote is Check.OK and Check.FAILED not in (
            self.figures,
            self.names,
            self.negation,
            self.judge,
        )


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim after verification. ``unsupported`` names what the cited words do not hold."""

    text: str
    citations: tuple[Citation, ...]
    checks: ClaimChecks
    unsupported: tuple[str, ...] = ()

    @property
    def supported(self) -> bool:
        return bool(self.citations) and self.checks.passed


class AnswerKind(StrEnum):
    """The closed set of outcomes (spec, DEC-1941)."""

    CONFIDENT = "confident"
    PARTIAL = "partial"
    DECLINE_NO_EVIDENCE = "decline_no_evidence"
    DECLINE_LOW_CONFIDENCE = "decline_low_confidence"

    @property
    def is_decline(self) -> bool:
        return self in (AnswerKind.DECLINE_NO_EVIDENCE, AnswerKind.DECLINE_LOW_CONFIDENCE)


class Reason(StrEnum):
    """Why an ask was declined."""

    NOT_COVERED = "not_covered"
    PAGE_EMPTY = "page_empty"
    INDEX_NOT_READY = "index_not_ready"
    PART_NOT_READ = "part_not_read"
    UNVERIFIED = "unverified"
    LOW_CONFIDENCE = "low_confidence"
    FAULT = "fault"
