"""Readings as they would be had the question been asked in another language than the page's.

No set pairs questions of one language with pages of another and may be learnt from, so such pairs are
made: all that words tell is taken away, and the cosines are weakened.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bench.collect import Read
from memory.reading import features

_WORDS = (
    "bm25", "bm25_share", "coverage", "coverage_share", "context_coverage", "context_share",
    "passage_bm25", "passage_share", "previous_coverage", "next_coverage", "pair_coverage", "rarest",
    "adjacent",
)  # fmt: skip
_COSINES = ("cosine", "passage_cosine", "neighbour_cosine")
_MARGINS = ("cosine_share", "cosine_margin", "passage_cosine_margin")
# Distances between languages are smaller, and all cosines lower, than within one.
_NARROWER, _LOWER = (0.6, 1.0), (0.0, 0.03)


def as_foreign(one: Read, random: np.random.Generator) -> Read:
    rows = one.reading.features.copy()
    at = {name: index for index, name in enumerate(features.NAMES)}
    rows[:, [at[name] for name in _WORDS]] = 0
    rows[:, at["foreign"]] = 1
    width, shift = random.uniform(*_NARROWER), random.uniform(*_LOWER)
    centre = float(np.median(rows[:, at["cosine"]])) if len(rows) else 0.0
    for name in _COSINES:
        seen = rows[:, at[name]]
        rows[:, at[name]] = np.where(seen == 0, 0, centre + (seen - centre) * width - shift)
    for name in _MARGINS:
        rows[:, at[name]] *= width
    rows[:, at["mixed"]] = 2 * rows[:, at["cosine_margin"]]
    reading = replace(one.reading, features=rows, context=np.zeros_like(one.reading.context))
    return replace(one, reading=reading)
