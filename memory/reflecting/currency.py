"""Which of several memories that tell the same of something is asked for. Pure.

It is the one said last. Former ones are recalled for a question about the past alone, and stand in the
order in which they answer that.

"Chris does the migration", and a week later "Chris is ill, so Dana does the migration": both hold all
that was asked for, and a judge of likeness prefers the shorter one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from memory.hits import Hit
from memory.reading.answer_features import MET
from memory.reading.features import type_fits
from memory.reading.records import Reading, Sentence

# Ranks that differ by less are as good as each other.
AS_GOOD: Final = 3.0
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


def without_outdated(
    sentences: Sequence[Sentence], reading: Reading, hits: Mapping[int, Hit]
) -> tuple[Sentence, ...]:
    """``sentences`` best first. Of those that hold the same words of the question as the best, and as
    much of the kind that is asked for, only one is left: the one said last, or where one of them is a
    former one, that which was recalled first. ``hits`` by number of passage."""
    if not sentences:
        return ()
    best = sentences[0]
    wanted, fit = _held(best, reading), _fit(best, reading)
    rivals = [
        one
        for one in sentences
        if best.score - one.score < AS_GOOD
        and _held(one, reading) == wanted
        and _fit(one, reading) >= fit
    ]
    if any(hits[one.passage].superseded_at for one in rivals):
        asked = min(rivals, key=lambda one: hits[one.passage].rank)
    else:
        asked = max(rivals, key=lambda one: _said(hits[one.passage], one))
    outdated = [one for one in rivals if not one.says_the_same(asked)]
    return (asked, *(one for one in sentences if one is not asked and one not in outdated))


def _held(sentence: Sentence, reading: Reading) -> frozenset[int]:
    strength = reading.context[sentence.row]
    return frozenset(at for at, value in enumerate(strength) if value >= MET)


def _fit(sentence: Sentence, reading: Reading) -> float:
    question = reading.question
    known = (*question.numbers, *question.names)
    return float(type_fits(question.answer_type, [sentence.text], known=known)[0])


def _said(hit: Hit, sentence: Sentence) -> tuple[datetime, int]:
    """When, and how far down its document."""
    return hit.mentioned_at or hit.occurred_start or _NEVER, hit.char_start + sentence.start
