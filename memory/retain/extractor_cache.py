"""An extractor that is not asked twice about the same passage in one call. Pure.

A document that somebody else changed meanwhile is planned again; what a model said of its passages
stays true, at another place perhaps.
"""

from __future__ import annotations

from dataclasses import replace

from memory.facts import layout
from memory.facts.records import Excerpt, Extracted, Fact
from memory.seams import Extractor
from memory.types import Usage


class CachingExtractor:
    """Passes failures through without remembering them. What is remembered costs nothing again."""

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor
        self.name, self.is_free = extractor.name, extractor.is_free
        self._known: dict[tuple[Excerpt, str], tuple[int, tuple[Fact, ...]]] = {}

    def extract(self, excerpt: Excerpt) -> Extracted:
        if self.is_free:
            return self._extractor.extract(excerpt)
        key = _anywhere(excerpt), " | ".join(layout.columns_above(excerpt))
        if key not in self._known:
            extracted = self._extractor.extract(excerpt)
            self._known[key] = excerpt.start, extracted.facts
            return extracted
        start, facts = self._known[key]
        by = excerpt.start - start
        return Extracted(
            tuple(replace(fact, start=fact.start + by, end=fact.end + by) for fact in facts),
            Usage(),
        )


def _anywhere(excerpt: Excerpt) -> Excerpt:
    """The passage as if it were a document of its own."""
    start = excerpt.start
    return replace(
        excerpt,
        document=excerpt.text,
        start=0,
        end=excerpt.end - start,
        blocks=tuple(layout.moved(excerpt.blocks, -start)),
        turns=tuple(
            replace(
                turn,
                line_start=turn.line_start - start,
                start=turn.start - start,
                end=turn.end - start,
            )
            for turn in excerpt.turns
            if turn.end > start and turn.line_start < excerpt.end
        ),
    )
