"""The best sentence for one part of a double question. Pure."""

from __future__ import annotations

import numpy as np

from memory.reading.features import type_fits
from memory.reading.questions import answer_type
from memory.reading.records import BEHIND, PART_BELIEVED, Reading, Sentence

# What a part's own words, its own type and the score for the whole question weigh, and the share of
# its words that some sentence must hold.
COVERAGE, TYPE, SCORE, MET = 6.0, 1.0, 0.3, 0.34


def best_for(part: str, reading: Reading) -> Sentence | None:
    """None where nothing fits it."""
    at = reading.question.within(part)
    if not at or not reading.sentences:
        return None
    alone = reading.of_parts.get(part, reading)
    weight = np.maximum(reading.idf[at], 1e-6)
    covered = reading.context[:, at] @ weight / weight.sum()
    by_row = sorted(reading.sentences, key=lambda sentence: sentence.row)
    fits = type_fits(answer_type(part), [sentence.text for sentence in by_row])
    rank = COVERAGE * covered + TYPE * fits + SCORE * reading.scores - BEHIND * alone.vetoed
    best = int(rank.argmax())
    if covered[best] < MET or alone.answer_probability([best]) < PART_BELIEVED:
        return None
    return by_row[best]
