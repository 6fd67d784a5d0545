"""What an answer may be built from, and how much of it fits. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from memory.types import Passage

MAX_TOKENS = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Passages in the order of their documents: an asked page first, else the best page."""

    passages: tuple[Passage, ...]
    title: str = ""  # of the asked page; "" where the whole knowledge base was asked
    doc_revision: int | None = None  # of the asked page
    is_page_empty: bool = False
    linked_revisions: tuple[tuple[UUID, int], ...] = ()  # the other pages that passages are from
    left_out: int = 0  # chunks that did not fit
    left_out_home: int = 0  # of those, the page's own: part of the page was not read
    vectors_missing: bool = False
    stale: bool = False  # the asked page's newest text is not in here
    stale_pages: frozenset[UUID] = frozenset()  # an answer that cites one of these is stale, too

    def is_stale_for(self, cited: Iterable[UUID]) -> bool:
        return self.stale or not self.stale_pages.isdisjoint(cited)


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    passage: Passage
    tokens: int
    score: float


def numbered(scored: Iterable[ScoredPassage]) -> tuple[Passage, ...]:
    return tuple(replace(one.passage, number=n) for n, one in enumerate(scored, start=1))


def drop_lowest(scored: Sequence[ScoredPassage], excess: int) -> tuple[list[ScoredPassage], int]:
    """Without the lowest, until ``excess`` tokens are gone; what is left of the excess."""
    dropped: set[UUID] = set()
    for one in sorted(scored, key=lambda candidate: candidate.score):
        if excess <= 0:
            break
        dropped.add(one.passage.chunk_id)
        excess -= one.tokens
    return [one for one in scored if one.passage.chunk_id not in dropped], excess
