"""Where the words that a draft cites stand in its passages."""

from __future__ import annotations

from dataclasses import dataclass

from memory.types import Citation, DraftSpan, Passage
from memory.verification.spans import locate, snap


@dataclass(frozen=True, slots=True)
class Place:
    """A span of a draft that was found, in offsets of its passage's text."""

    passage: Passage
    start: int
    end: int

    @property
    def quote(self) -> str:
        return self.passage.text[self.start : self.end]

    @property
    def read(self) -> str:
        """The quote with the names of its columns, as a model was shown it."""
        return f"{self.passage.header}\n{self.quote}" if self.passage.header else self.quote

    @property
    def citation(self) -> Citation:
        passage = self.passage
        return Citation(
            doc_id=passage.doc_id,
            revision=passage.revision,
            chunk_id=passage.chunk_id,
            char_start=passage.char_start + self.start,
            char_end=passage.char_start + self.end,
            quote=self.quote,
        )


def find_place(span: DraftSpan, passage: Passage) -> Place | None:
    """A quote's place in the passage that it cites, or the stated range widened to whole words.

    None where the passage does not say the quote. Raises ``InvalidRange``.
    """
    if span.quote is None:
        return Place(passage, *snap(passage.text, span.char_start, span.char_end))
    has_hint = 0 <= span.char_start < span.char_end
    hint = (span.char_start, span.char_end) if has_hint else None
    found = locate(span.quote, passage.text, hint=hint)
    return Place(passage, *found) if found else None
