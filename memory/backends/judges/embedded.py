"""The judge that needs no model of its own: a small net over what the reader saw."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memory.language.terms import terms
from memory.reading.records import Reading

# The share of a claim's words that its quotes must hold to count as saying it, from none to full.
_SAYS_NOTHING, _SAYS_ALL = 0.4, 0.95


class EmbeddedJudge:
    """One shared calibration for all languages (docs/judging.md)."""

    name = "embedded"

    def says(self, claim: str, quotes: Sequence[str]) -> float | None:
        """1.0 for words that stand in the quotes, else by the share of the claim's words there."""
        if not quotes:
            return 0.0
        squeezed = " ".join(claim.split())
        if any(squeezed in " ".join(quote.split()) for quote in quotes):
            return 1.0
        said = terms(claim)
        held = {gram for term in terms(" ".join(quotes)) for gram in term.grams}
        if not said:
            return 0.0
        share = float(np.mean([len(term.grams & held) / len(term.grams) for term in said]))
        return float(np.clip((share - _SAYS_NOTHING) / (_SAYS_ALL - _SAYS_NOTHING), 0.0, 1.0))

    def answers(
        self, question: str, answer: str, quotes: Sequence[str], reading: Reading
    ) -> float | None:
        """0 when no sentence that was read overlaps the quotes: an answer from nowhere."""
        rows = reading.rows_of(quotes)
        return reading.answer_probability(rows) if rows else 0.0
