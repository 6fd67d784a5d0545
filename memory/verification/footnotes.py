"""Turns checked claims into the text that is shown, with one numbering of its sources. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from memory.types import CheckedClaim, Citation

_Place = tuple[UUID, int, int, int]


@dataclass(frozen=True, slots=True)
class Footnote:
    """``n`` counts from 1 in the order in which the answer first uses its sources."""

    n: int
    citation: Citation


@dataclass(frozen=True, slots=True)
class NotedClaim:
    claim: CheckedClaim
    numbers: tuple[int, ...]

    @property
    def text(self) -> str:
        """``Overtime must not exceed 12 hours per week. [1]``"""
        return " ".join((self.claim.text, *(f"[{number}]" for number in self.numbers)))


@dataclass(frozen=True, slots=True)
class FootnotedAnswer:
    claims: tuple[NotedClaim, ...]
    footnotes: tuple[Footnote, ...]

    @property
    def text(self) -> str:
        return join_claims(claim.text for claim in self.claims)


def number_footnotes(claims: Sequence[CheckedClaim]) -> FootnotedAnswer:
    """A place of a page has one number, however many claims rest on it, and is listed once."""
    numbers: dict[_Place, int] = {}
    footnotes: list[Footnote] = []
    noted: list[NotedClaim] = []
    for claim in claims:
        used: dict[int, None] = {}
        for citation in claim.citations:
            place = (citation.doc_id, citation.revision, citation.char_start, citation.char_end)
            if place not in numbers:
                numbers[place] = len(numbers) + 1
                footnotes.append(Footnote(numbers[place], citation))
            used[numbers[place]] = None
        noted.append(NotedClaim(claim, tuple(used)))
    return FootnotedAnswer(tuple(noted), tuple(footnotes))


def join_claims(texts: Iterable[str]) -> str:
    """Sentences run on; a claim of several lines, such as code, stands by itself."""
    out = ""
    for text in texts:
        gap = "\n" if "\n" in text or "\n" in out[out.rfind("\n\n") + 1 :] else " "
        out = f"{out}{gap if out else ''}{text}"
    return out
