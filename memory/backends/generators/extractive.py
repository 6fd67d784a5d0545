"""Answers by quoting: the sentence of the pages that answers, word for word. No model."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from memory.questions import parts
from memory.reading import Reading, Sentence
from memory.types import Draft, DraftClaim, DraftSpan, Passage

# Below this chance of answering nothing is offered: the pages do not cover the question. From here to
# the gate's threshold they come close to it, and the reader is told so.
OFFERED = 0.35
# A second sentence is quoted when the reader holds it for nearly as good as the first (logits).
NEARLY_AS_GOOD = 0.7
_BULLET = regex.compile(r"^(?:[-*•‣▪–—]|\(?\p{Nd}{1,2}[.)]|\(?\p{Ll}\))\s+")


class ExtractiveGenerator:
    """States no confidence by design: the judge alone decides whether the quoted words answer."""

    name = "extractive"
    states_confidence = False

    def draft(self, question: str, passages: Sequence[Passage], reading: Reading) -> Draft:
        """One claim, or one for each part of a double question; two quoted sentences at most."""
        if not reading.sentences or reading.probability < OFFERED:
            return Draft()
        asked = parts(question)
        if len(asked) > 1:
            chosen, missing = _for_parts(asked, reading)
        else:
            chosen, missing = _best(reading), reading.unmet(reading.sentences[0])
        return Draft(claims=tuple(_claim(sentence) for sentence in chosen), missing=missing)


def _best(reading: Reading) -> list[Sentence]:
    first, *rest = reading.sentences
    close = [other for other in rest[:1] if first.score - other.score < NEARLY_AS_GOOD]
    return [first, *close]


def _for_parts(asked: Sequence[str], reading: Reading) -> tuple[list[Sentence], tuple[str, ...]]:
    """The best sentence for each part, without repeats, and the parts that have none."""
    chosen: list[Sentence] = []
    missing: list[str] = []
    for part in asked:
        sentence = reading.best_for(part)
        if sentence is None:
            missing.append(part.strip(" ?？؟"))
        elif sentence not in chosen:
            chosen.append(sentence)
    return chosen or _best(reading), tuple(missing)


def _claim(sentence: Sentence) -> DraftClaim:
    span = DraftSpan(sentence.passage, sentence.start, sentence.end, quote=sentence.text)
    return DraftClaim(text=_readable(sentence.text), spans=(span,))


def _readable(text: str) -> str:
    """The words as they stand, without the mark of a list; the cells of a row set apart."""
    text = _BULLET.sub("", text.strip())
    cells = [cell.strip() for cell in text.split("\t")]
    return " · ".join(cell for cell in cells if cell)
