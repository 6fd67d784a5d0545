"""Answers by quoting: the sentence of the pages that answers, word for word. No model."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from memory.language.tables import is_row, labelled
from memory.reading.coverage import is_elsewhere, is_of_another, is_of_somebody_else, unmet
from memory.reading.parts import best_for
from memory.reading.questions import parts
from memory.reading.records import Reading, Sentence
from memory.types import Draft, DraftClaim, DraftSpan, Passage

# Below this chance of answering nothing is offered: the pages do not cover the question. From here to
# the gate's threshold they come close to it, and the reader is told so.
OFFERED = 0.35
# A second sentence is quoted when the reader ranks it nearly as high as the first, and it does not
# speak of somebody else.
NEARLY_AS_GOOD = 1.0
_BULLET = regex.compile(r"^(?:[-*•‣▪–—]|\(?\p{Nd}{1,2}[.)]|\(?\p{Ll}\))\s+")


class ExtractiveGenerator:
    """States no confidence by design: the judge alone decides whether the quoted words answer."""

    name = "extractive"
    states_confidence = False

    def draft(self, question: str, passages: Sequence[Passage], reading: Reading) -> Draft:
        """One claim, or one for each part of a double question; two quoted sentences at most, each
        with the other page that says the same."""
        if not reading.sentences or reading.probability < OFFERED:
            return Draft()
        asked = parts(question)
        if len(asked) > 1:
            chosen, missing = _for_parts(asked, reading)
        else:
            chosen, missing = _best(reading), unmet(reading.sentences[0], reading)
            if is_of_another(chosen[0], reading) or is_elsewhere(chosen[0], reading):
                return Draft()
            if (pair := _pair(chosen[0], reading)) is not None:
                return Draft(claims=_told_together(*pair, passages), missing=missing)
        claims = (_claim(one, _twin(one, reading)) for one in chosen)
        return Draft(claims=tuple(claims), missing=missing)


def _best(reading: Reading) -> list[Sentence]:
    first = reading.sentences[0]
    others = (other for other in reading.sentences[1:] if not first.says_the_same(other))
    second = next(others, None)
    is_near = second is not None and abs(first.score - second.score) < NEARLY_AS_GOOD
    if (
        not second
        or not is_near
        or reading.is_empty(second)
        or is_of_somebody_else(second, first, reading)
    ):
        return [first]
    return [first, second]


def _for_parts(asked: Sequence[str], reading: Reading) -> tuple[list[Sentence], tuple[str, ...]]:
    """The best sentence for each part, without repeats, and the parts that have none."""
    chosen: list[Sentence] = []
    missing: list[str] = []
    for part in asked:
        sentence = best_for(part, reading)
        if sentence is None:
            missing.append(part.strip(" ?？؟"))
        elif not any(sentence.says_the_same(other) for other in chosen):
            chosen.append(sentence)
    return chosen, tuple(missing)


def _twin(sentence: Sentence, reading: Reading) -> Sentence | None:
    """The best sentence of another passage that says the same."""
    return next(
        (
            other
            for other in reading.sentences
            if other.passage != sentence.passage
            and not reading.vetoed[other.row]
            and sentence.says_the_same(other)
        ),
        None,
    )


def _pair(sentence: Sentence, reading: Reading) -> tuple[Sentence, Sentence] | None:
    """Two sentences of which the second refers back to the first, one of them ``sentence``."""
    if (opening := reading.antecedent(sentence)) is not None:
        return opening, sentence
    if (rest := reading.continuation(sentence)) is not None:
        return sentence, rest
    return None


def _told_together(
    opening: Sentence, sentence: Sentence, passages: Sequence[Passage]
) -> tuple[DraftClaim, ...]:
    """Quoted as one where they stand in one passage."""
    if opening.passage != sentence.passage:
        return _claim(opening), _claim(sentence)
    text = next(one.text for one in passages if one.number == sentence.passage)
    quote = text[opening.start : sentence.end]
    span = DraftSpan(sentence.passage, opening.start, sentence.end, quote=quote)
    return (DraftClaim(f"{_readable(opening)} {_readable(sentence)}", (span,)),)


def _claim(sentence: Sentence, twin: Sentence | None = None) -> DraftClaim:
    return DraftClaim(
        text=_readable(sentence),
        spans=tuple(
            DraftSpan(one.passage, one.start, one.end, quote=one.text)
            for one in (sentence, twin)
            if one is not None
        ),
    )


def _readable(sentence: Sentence) -> str:
    """The words as they stand, without the mark of a list; a row with the names of its columns."""
    text = _BULLET.sub("", sentence.text.strip())
    return labelled(text, sentence.columns) if is_row(text) else text
